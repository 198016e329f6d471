import type { FormatId } from '../../formats/registry.ts';

/** A source file and the files that hold its translations. Paths are relative to the project's root, with slashes. */
export interface Resource {
  readonly source: string;
  /** Canonical. */
  readonly sourceLocale: string;
  readonly format: FormatId;
  /**
   * There is neither a template nor a file in the source language, and the targets carry their source texts (PO:
   * msgid). Each is its own source; `source` is the one that new languages are made from.
   */
  readonly carriesSource?: boolean | undefined;
  /** Targets that exist, by canonical locale. The source language is not among them. */
  readonly existing: ReadonlyMap<string, string>;
  /** Of a document that was found by its layout, the languages of the layout, canonical. */
  readonly languages?: ReadonlySet<string> | undefined;
  /** The file of this locale, whether it exists or not. */
  targetPath(locale: string): string;
  /** This locale as the file's path (or the project) spells it. */
  spelling(locale: string): string;
}

/** Identifies a target: one file may be that of several languages. */
export function targetId(resource: Resource, locale: string): string {
  return `${locale} ${resource.targetPath(locale)}`;
}

/** The file that a target is translated from. */
export function sourceFile(resource: Resource, locale: string): string {
  return (resource.carriesSource === true && resource.existing.get(locale)) || resource.source;
}

/** The file under which the lock has the records of a target. */
export function lockedFile(resource: Resource, locale: string): string {
  return resource.carriesSource === true ? resource.targetPath(locale) : resource.source;
}
