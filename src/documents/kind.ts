import type { Position } from '../base/span.ts';

/** A text that keeps its source, with its place in the source. */
export interface TextFailure extends Position {
  readonly reason: string;
}

/**
 * A kind of document. Each kind has a folder with the same parts: its translation (`translate-…`) and the verification
 * of a service's answers (`answer`), which are as untrusted as an engine's.
 */
export interface DocumentKind<Opened, Context, Result> {
  /** The document's readable texts, from which its language is detected. */
  textsOf(opened: Opened): readonly string[];
  /**
   * The language that the document declares for its texts, canonical; undefined if it declares none or an unknown one.
   */
  languageOf(opened: Opened): string | undefined;
  /**
   * Translates an open document. A text that fails keeps its source and is reported in the result.
   *
   * @throws DragomanError `engine_unavailable`, `interrupted`, `integrity`, and the errors of the kind's own function
   */
  translate(opened: Opened, context: Context): Promise<Result>;
}
