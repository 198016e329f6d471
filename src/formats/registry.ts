import { extname } from 'node:path';
import { DragomanError } from '../base/errors.ts';
import { spellLocale } from '../languages/locale.ts';
import { csv } from './csv/description.ts';
import type { FormatDescription } from './description.ts';
import { fluent } from './fluent/description.ts';
import type { Format } from './format.ts';
import { ini } from './ini/description.ts';
import { json } from './json/description.ts';
import { json5 } from './json5/description.ts';
import { markdown } from './markdown/description.ts';
import { mdx } from './mdx/description.ts';
import { module } from './module/description.ts';
import { php } from './php/description.ts';
import { po } from './po/description.ts';
import { properties } from './properties/description.ts';
import { qt } from './qt/description.ts';
import { strings } from './strings/description.ts';
import { CUE_DESCRIPTIONS } from './subtitles/description.ts';
import type { SubtitleFormat } from './subtitles/names.ts';
import { toml } from './toml/description.ts';
import { xcstrings } from './xcstrings/description.ts';
import { xliff } from './xliff/description.ts';
import { xml } from './xml/description.ts';
import { yaml } from './yaml/description.ts';
import { yii } from './yii/description.ts';

/**
 * Every format. If several share an extension, the one that recognizes the file is used, otherwise the first without a
 * test.
 */
const descriptions = [
  json,
  yaml,
  po,
  properties,
  strings,
  xcstrings,
  xml,
  xliff,
  qt,
  csv,
  php,
  yii,
  fluent,
  toml,
  module,
  json5,
  ini,
  markdown,
  mdx,
];

export type BuiltInFormatId = (typeof descriptions)[number]['id'];

/** The name of a format that a user's program reads: see `src/plugins/`. */
export type ProgramFormatId = string & { readonly isNameOfProgramFormat: true };
/** Subtitle formats have ids, too, but only `sync` uses them. */
export type FormatId = BuiltInFormatId | SubtitleFormat | ProgramFormatId;
type Described = FormatDescription & { readonly id: FormatId };

/** A format with its description. */
export type KnownFormat = Described & Format;

const all: readonly Described[] = descriptions;

export const FORMAT_IDS: readonly BuiltInFormatId[] = descriptions.map(({ id }) => id);

/** Formats that the user named for the running command: see {@link withFormats}. */
let named: ReadonlyMap<FormatId, Described> = new Map();

/** Runs `work` with these formats in addition to the built-in ones. A command runs completely inside. */
export async function withFormats<T>(
  formats: readonly (FormatDescription & { readonly id: ProgramFormatId })[],
  work: () => Promise<T>,
): Promise<T> {
  const before = named;
  named = new Map(formats.map((one) => [one.id, one]));
  try {
    return await work();
  } finally {
    named = before;
  }
}

/** All available formats. */
export function knownFormats(): readonly Described[] {
  return named.size === 0 ? all : [...all, ...named.values()];
}

/** Whether a program reads the format, in which case the result does not depend on the file alone. */
export function isProgramFormat(id: FormatId): boolean {
  return named.has(id);
}

/** The id of a format. @throws DragomanError `usage` with the known names for an unknown one */
export function requireFormatId(name: string): FormatId {
  const found = knownFormats().find(({ id }) => id === name);
  if (found) return found.id;
  throw new DragomanError('usage', `unknown format ${JSON.stringify(name)}`, {
    hint: `Known formats: ${knownFormats()
      .map(({ id }) => id)
      .join(', ')}.`,
  });
}

/** All available extensions, without the dot. */
export function knownExtensions(): readonly string[] {
  return [...EXTENSIONS, ...[...named.values()].flatMap(({ extensions }) => extensions)];
}

/** The extensions of built-in formats, without the dot. */
export const EXTENSIONS: readonly string[] = [...new Set(all.flatMap(({ extensions }) => extensions))];

/** Extensions that other programs also use, each with the test that recognizes a file by its first bytes. */
export const SHARED_EXTENSIONS: ReadonlyMap<string, (head: string, path: string) => boolean> = new Map(
  all.flatMap(({ extensions, recognizes, isCode = false }) =>
    recognizes && !isCode ? extensions.map((extension) => [extension, recognizes] as const) : [],
  ),
);

/** Extensions of programs, each with the test for paths of catalogues: see `FormatDescription.isCode`. */
export const CODE_EXTENSIONS: ReadonlyMap<string, (path: string) => boolean> = new Map(
  all.flatMap(({ extensions, isCode = false }) =>
    isCode ? extensions.map((extension) => [extension, namesTextsOf(extension)] as const) : [],
  ),
);

function namesTextsOf(extension: string): (path: string) => boolean {
  const tests = all.flatMap(({ extensions, isCode = false, namesTexts }) =>
    isCode && namesTexts && extensions.includes(extension) ? [namesTexts] : [],
  );
  return (path) => tests.some((test) => test(path));
}

/** Formats of running text. */
export const PROSE_FORMATS: ReadonlySet<FormatId> = new Set(
  all.flatMap(({ id, isProse = false }) => (isProse ? id : [])),
);

/** The extensions that the service specification accepts for jobs, with the dot, and their formats. */
export const JOB_FORMATS: ReadonlyMap<string, FormatId> = new Map(
  all.flatMap(({ id, jobExtensions = [] }) => jobExtensions.map((name) => [`.${name}`, id])),
);

/** `JSON, YAML or XML`: lists formats for a command's messages. */
export function listTitles(ids: Iterable<FormatId>): string {
  const titles = [...new Set(ids)].map((id) => describeFormat(id).title);
  return [titles.slice(0, -1).join(', '), ...titles.slice(-1)].join(' or ');
}

/** The translation's extension for each template extension. */
export const TEMPLATES: ReadonlyMap<string, string> = new Map(
  all.flatMap(({ templates = {} }) => Object.entries(templates)),
);

const BY_ID: ReadonlyMap<FormatId, Described> = new Map(
  [...all, ...CUE_DESCRIPTIONS].map((one) => [one.id, one]),
);

/** The description of a format, without loading it. */
export function describeFormat(id: FormatId): Described {
  const found = BY_ID.get(id) ?? named.get(id);
  if (!found) throw new RangeError(`no format ${id}`);
  return found;
}

/**
 * The text by which people know a key, if the key itself says little: keys of pages are positions, and those of
 * bilingual catalogues are texts or numbers.
 */
export function knownText(id: FormatId, text: string | undefined): { readonly text?: string } {
  const { isProse, bilingual } = describeFormat(id);
  return text !== undefined && (isProse === true || bilingual !== undefined) ? { text } : {};
}

/** Whether files of the format mark texts for review that programs display anyway. */
export function marksVisibly(id: FormatId): boolean {
  const { reviewMark } = describeFormat(id);
  return reviewMark !== undefined && reviewMark.isHidden !== true;
}

const loaded = new WeakMap<Described, Promise<KnownFormat>>();

/** Loads a format once: a project opens thousands of files, and each `import` would go through Node's loader again. */
export async function loadFormat(id: FormatId): Promise<KnownFormat> {
  const description = describeFormat(id);
  const known = loaded.get(description);
  if (known) return known;
  const loading = description.load().then((format) => ({ ...format, ...description }));
  loaded.set(description, loading);
  return loading;
}

/** @param readBeginning called only if several formats share the file's extension */
export function formatOfPath(path: string, readBeginning?: () => string): FormatId | undefined {
  const extension = extensionOf(path);
  const own = knownFormats().filter(({ extensions }) => extensions.includes(extension));
  if (own.length < 2 || !readBeginning) return own[0]?.id;
  const head = readBeginning();
  const found =
    own.find(({ recognizes }) => recognizes?.(head, path)) ?? own.find(({ recognizes }) => !recognizes);
  return (found ?? own[0])?.id;
}

/** The extension of a path in lower case, without the dot; empty without one. */
export function extensionOf(path: string): string {
  return /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** @throws DragomanError `usage` if the extension belongs to no format */
export function requireFormatOfPath(path: string, readBeginning?: () => string): FormatId {
  const id = formatOfPath(path, readBeginning);
  if (id) return id;
  throw new DragomanError('usage', `the format of ${path} is not supported`, {
    hint: `Known extensions: ${knownExtensions().join(', ')}.`,
  });
}

/**
 * @param target path of a translation in that format
 * @throws DragomanError `usage` if its extension belongs to other formats: programs would read the file as one of those
 */
export function requireExtensionOf(format: FormatId, target: string): void {
  const { extensions, title } = describeFormat(format);
  const extension = extensionOf(target);
  if (extensions.includes(extension)) return;
  const other = knownFormats().find((known) => known.extensions.includes(extension));
  if (!other) return;
  throw new DragomanError(
    'usage',
    `${target} has an extension of ${other.title}, but the source is ${title}`,
    {
      hint: `Give it the extension .${extensions[0]}.`,
    },
  );
}

/** Spells a canonical code as a separate file of that format names its locale: `pt-BR` is `pt_BR` in a PO header. */
export function spellInFile(code: string, format: FormatId): string {
  return spellLocale(code, describeFormat(format).localeStyle);
}

/**
 * The name of a translated file (specification, download): `{original_filename}_{language_code}.{extension}`. A
 * template's translation gets the extension of translations: a POT becomes a PO.
 */
export function translatedName(filename: string, code: string): string {
  const extension = extname(filename);
  const stem = filename.slice(0, filename.length - extension.length);
  const translated = TEMPLATES.get(extension.slice(1).toLowerCase());
  return `${stem}_${code}${translated === undefined ? extension : `.${translated}`}`;
}
