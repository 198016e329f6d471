import type { Key } from '../../formats/format.ts';
import type { MessageRules } from '../../formats/message-rules.ts';
import type { DescribedFormat } from '../../formats/registry.ts';
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
  readonly format: DescribedFormat;
  /**
   * Set if there is neither a template nor a file in the source language, and the targets contain their source texts
   * (PO: msgid): these catalogues, newest first, of which `source` is the first. Each of them should contain all
   * messages.
   */
  readonly catalogues?: readonly string[] | undefined;
  /** The displayed name of the source if {@link catalogues} exist: the pattern of their paths. */
  readonly sourceName?: string | undefined;
  /** Whether a bilingual file is the source, and its source texts are translated rather than its translations. */
  readonly isTemplate?: boolean | undefined;
  /** Whether the keys of {@link catalogues} are the source texts. */
  readonly keysAreTexts?: boolean | undefined;
  /** The existing targets, by canonical locale, without the source language. */
  readonly existing: ReadonlyMap<string, string>;
  /** The layout's languages, canonical, for a document found by its layout. */
  readonly languages?: ReadonlySet<string> | undefined;
  /** See {@link Layout.regionOf}. */
  readonly regionOf?: Layout['regionOf'];
  /** The path for this locale, whether the file exists or not. */
  targetPath(locale: string): string;
  /** The spelling of this locale in the path or, if it has none, in the project. */
  spelling(locale: string): string;
  /** The framework that the configuration names for the files. */
  readonly framework?: FrameworkId | undefined;
}

/** Files together with the framework that reads them. */
export interface Resource extends ResourceFiles {
  readonly framework: FrameworkId;
  /**
   * The manifest that identifies the framework, relative to the root. Undefined if the configuration or the path
   * identifies it.
   */
  readonly manifest?: string | undefined;
  /** How the framework reads messages. Undefined if the values show it. */
  readonly messages?: MessageRules | undefined;
  /** The configured length limit for the translation of a key; undefined if these files have no limits. */
  readonly limitOf?: ((key: Key) => LengthLimit | undefined) | undefined;
}

/** The framework of the files: from the configuration, otherwise from manifests and paths. */
export async function withFramework(
  files: ResourceFiles,
  evidence: FrameworkEvidence,
  { framework: configured, limits }: Configuration,
): Promise<Resource> {
  const { source: path, format } = files;
  const reading = await evidence.readingOf(path, format.id, files.framework ?? configured);
  const { framework, manifest, messages } = reading;
  const limitOf = limits && limitsOfFile(limits, path);
  return { ...files, framework: framework.id, manifest: manifest?.path, messages, limitOf };
}

/** The length limits for a source file and its translations; undefined if no rule applies to the file. */
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

/** The options for opening the files of a resource. */
export function readingOf({
  format,
  messages,
  limitOf,
}: Resource): Pick<Resource, 'format' | 'messages' | 'limitOf'> {
  return { format, messages, limitOf };
}

/** Identifies how this build of the program reads a file. */
export function readingId({ format, framework, messages, keysAreTexts = false }: Resource): string {
  return [format.id, framework, messages?.dialect ?? '', ...(keysAreTexts ? ['keys'] : [])].join(' ');
}

/** Identifies a target, because several languages may share a file. */
export function targetId(resource: Resource, locale: string): string {
  return `${locale} ${resource.targetPath(locale)}`;
}

/** The files that contain the source texts. */
export function sourceFiles({ source, catalogues }: ResourceFiles): readonly string[] {
  return catalogues ?? [source];
}

/** The source's name in messages. */
export function sourceNameOf({ source, sourceName }: ResourceFiles): string {
  return sourceName ?? source;
}

/** The file name under which the lock records a target. */
export function lockedFile(resource: Resource, locale: string): string {
  return resource.catalogues ? resource.targetPath(locale) : resource.source;
}
