/**
 * What is translated as a whole. Each kind has a room with the same parts: how it is translated (`translate-…`), and the
 * proof of what a service answers for it (`answer`), since a service is believed no more than an engine.
 */
export interface DocumentKind<Opened, Context, Result> {
  /** What people read of it: its language is detected by all of it together. */
  textsOf(opened: Opened): readonly string[];
  /** The language of its texts that it declares, canonical; undefined where it declares none that is known. */
  languageOf(opened: Opened): string | undefined;
  /**
   * Translates what is open already. A text that fails keeps its source and is reported in the result.
   *
   * @throws DragomanError `engine_unavailable`, `interrupted`, `integrity`, and what the kind's own function says.
   */
  translate(opened: Opened, context: Context): Promise<Result>;
}
