import type { Key } from '../../formats/format.ts';
import type { MessageRules } from '../../formats/message-rules.ts';
import type { FormatId } from '../../formats/registry.ts';
import type { Layout } from '../../frameworks/layout.ts';
import type { FrameworkEvidence } from '../../frameworks/evidence.ts';
import type { FrameworkId } from '../../frameworks/registry.ts';
import type { LengthLimit } from '../../text/length-limit.ts';
import type { Configuration, LimitRule } from '../config/configuration.ts';
import { compileGlob, matchesKey } from '../config/glob.ts';

/** A source file and the files that hold its translations. Paths are relative to the project's root, with slashes. */
export interface ResourceFiles {
  readonly source: string;
  /** Canonical. */
  readonly sourceLocale: string;
  readonly format: FormatId;
  /**
   * There is neither a template nor a file in the source language, and the targets contain their source texts (PO:
   * msgid): these catalogues, the newest first, which is `source`. Each of them should have the messages of all.
   */
  readonly catalogues?: readonly string[] | undefined;
  /** The displayed source if {@link catalogues} exist: the pattern of their paths. */
  readonly sourceName?: string | undefined;
  /** The source is a bilingual file: its sources are translated, not its translations. */
  readonly isTemplate?: boolean | undefined;
  /** The keys of {@link catalogues} are the source texts. */
  readonly keysAreTexts?: boolean | undefined;
  /** Targets that exist, by canonical locale. The source language is not among them. */
  readonly existing: ReadonlyMap<string, string>;
  /** For a document found by its layout, the languages of the layout, canonical. */
  readonly languages?: ReadonlySet<string> | undefined;
  /** See {@link Layout.regionOf}. */
  readonly regionOf?: Layout['regionOf'];
  /** The file of this locale, whether it exists or not. */
  targetPath(locale: string): string;
  /** This locale as the file's path (or the project) spells it. */
  spelling(locale: string): string;
  /** As configured. */
  readonly framework?: FrameworkId | undefined;
}

/** The files with the framework that reads them. */
export interface Resource extends ResourceFiles {
  readonly framework: FrameworkId;
  /** The manifest that shows the framework, relative to the root. Undefined: the configuration or the path does. */
  readonly manifest?: string | undefined;
  /** How the framework reads messages. Undefined: the values show it. */
  readonly messages?: MessageRules | undefined;
  /** How long the translation of a key may be, as the configuration says it; undefined without limits for these files. */
  readonly limitOf?: ((key: Key) => LengthLimit | undefined) | undefined;
}

/** The framework of the files: from the configuration, otherwise from manifests and paths. */
export function withFramework(
  files: ResourceFiles,
  evidence: FrameworkEvidence,
  { framework: configured, limits }: Configuration,
): Resource {
  const { source: path, format } = files;
  const { framework, manifest } = evidence.frameworkOf(path, format, files.framework ?? configured);
  const messages = framework.messagesOf?.({ path, format, manifest });
  const limitOf = limits && limitsOfFile(limits, path);
  return { ...files, framework: framework.id, manifest: manifest?.path, messages, limitOf };
}

/** The limits of a source file and its translations; undefined if no rule is about the file. */
function limitsOfFile(rules: readonly LimitRule[], path: string): Resource['limitOf'] {
  const own = rules
    .filter(({ files }) => files?.some((glob) => compileGlob(glob).matches(path)) ?? true)
    .map(({ keys, max, unit = 'characters' }): [readonly string[] | undefined, LengthLimit] => [
      keys,
      { max, unit },
    ]);
  if (own.length === 0) return undefined;
  return (key) => {
    const name = key.join('.');
    return own.find(([keys]) => keys?.some((pattern) => matchesKey(pattern, name)) ?? true)?.[1];
  };
}

/** How the files of a resource are opened. */
export function readingOf({
  format,
  messages,
  limitOf,
}: Resource): Pick<Resource, 'format' | 'messages' | 'limitOf'> {
  return { format, messages, limitOf };
}

/** Identifies the reader version: results of another version are recomputed. */
export function readingId({ format, framework, messages, keysAreTexts = false }: Resource): string {
  return [format, framework, messages?.dialect ?? '', ...(keysAreTexts ? ['keys'] : [])].join(' ');
}

/** Identifies a target: one file may be that of several languages. */
export function targetId(resource: Resource, locale: string): string {
  return `${locale} ${resource.targetPath(locale)}`;
}

/** The files that the texts to translate are in. */
export function sourceFiles({ source, catalogues }: ResourceFiles): readonly string[] {
  return catalogues ?? [source];
}

/** The source as messages name it. */
export function sourceNameOf({ source, sourceName }: ResourceFiles): string {
  return sourceName ?? source;
}

/** The file under which the lock has the records of a target. */
export function lockedFile(resource: Resource, locale: string): string {
  return resource.catalogues ? resource.targetPath(locale) : resource.source;
}
