import type { FormatId } from '../../formats/format.ts';

/** A source file and the files that hold its translations. Paths are relative to the project's root, with slashes. */
export interface Resource {
  readonly source: string;
  /** Canonical. */
  readonly sourceLocale: string;
  readonly format: FormatId;
  /**
   * The source is one of the targets, which carry their source texts (PO: msgid): there is neither a template nor a file
   * in the source language.
   */
  readonly carriesSource?: boolean | undefined;
  /** Targets that exist, by canonical locale. The source language is not among them. */
  readonly existing: ReadonlyMap<string, string>;
  /** The file of this locale, whether it exists or not. */
  targetPath(locale: string): string;
  /** This locale as the file's path (or the project) spells it. */
  spelling(locale: string): string;
}
