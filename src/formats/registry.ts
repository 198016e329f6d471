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

/** A format that need not be loaded yet. */
export type DescribedFormat = FormatDescription & { readonly id: FormatId };

/**
 * A format that a user's program reads. No other format has its extensions, so it needs no tests of paths or content.
 */
export type ProgramFormat = Pick<
  FormatDescription,
  'title' | 'extensions' | 'mediaType' | 'localeStyle' | 'load'
> & { readonly id: ProgramFormatId; readonly isProgram: true };

/** A format with its description. */
export type KnownFormat = DescribedFormat & Format;

const all: readonly (FormatDescription & { readonly id: BuiltInFormatId })[] = descriptions;

export const FORMAT_IDS: readonly BuiltInFormatId[] = descriptions.map(({ id }) => id);

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

/** The extensions that the service specification accepts for jobs, with the dot, and their formats. */
export const JOB_FORMATS: ReadonlyMap<string, BuiltInFormatId> = new Map(
  all.flatMap(({ id, jobExtensions = [] }) => jobExtensions.map((name) => [`.${name}`, id])),
);

/** `JSON, YAML or XML`: lists formats for a command's messages. */
export function listTitles(ids: Iterable<BuiltInFormatId>): string {
  const titles = [...new Set(ids)].map((id) => describeFormat(id).title);
  return [titles.slice(0, -1).join(', '), ...titles.slice(-1)].join(' or ');
}

/** The translation's extension for each template extension. */
export const TEMPLATES: ReadonlyMap<string, string> = new Map(
  all.flatMap(({ templates = {} }) => Object.entries(templates)),
);

const BY_ID: ReadonlyMap<FormatId, DescribedFormat> = new Map(
  [...all, ...CUE_DESCRIPTIONS].map((one) => [one.id, one]),
);

/** A built-in localization format, or a subtitle format. */
export function describeFormat(id: BuiltInFormatId | SubtitleFormat): DescribedFormat {
  const found = BY_ID.get(id);
  if (!found) throw new RangeError(`no format ${id}`);
  return found;
}

/**
 * The text by which people recognize a key, if the key itself is not informative: keys of pages are positions, and
 * those of bilingual catalogues are texts or numbers.
 */
export function knownText(
  { isProse, bilingual }: FormatDescription,
  text: string | undefined,
): { readonly text?: string } {
  return text !== undefined && (isProse === true || bilingual !== undefined) ? { text } : {};
}

/** Whether files of the format mark texts for review that programs display anyway. */
export function marksVisibly({ reviewMark }: FormatDescription): boolean {
  return reviewMark !== undefined && reviewMark.isHidden !== true;
}

/** Loaded formats by their `load` function, which a format and its description share. */
const loaded = new WeakMap<DescribedFormat['load'], Promise<KnownFormat>>();

/** Loads a format once: a project opens thousands of files, and each `import` would go through Node's loader again. */
export async function loadFormat(description: DescribedFormat): Promise<KnownFormat> {
  const known = loaded.get(description.load);
  if (known) return known;
  const loading = description.load().then((format) => ({ ...format, ...description }));
  loaded.set(description.load, loading);
  return loading;
}

/** The formats that a command can read: the built-in ones, and those for which the user named programs. */
export class Formats {
  readonly all: readonly DescribedFormat[];
  /** Without the dot. */
  readonly extensions: readonly string[];

  /** @param programs formats that are read by programs, with extensions that no other format has */
  constructor(programs: readonly ProgramFormat[]) {
    this.all = [...all, ...programs];
    this.extensions = [...new Set(this.all.flatMap(({ extensions }) => extensions))];
  }

  /** The format with this id. @throws DragomanError `usage` with the known names for an unknown one */
  require(name: string): DescribedFormat {
    const found = this.all.find(({ id }) => id === name);
    if (found) return found;
    throw new DragomanError('usage', `unknown format ${JSON.stringify(name)}`, {
      hint: `Known formats: ${this.all.map(({ id }) => id).join(', ')}.`,
    });
  }

  /** @param readBeginning called only if several formats share the file's extension */
  ofPath(path: string, readBeginning?: () => string): DescribedFormat | undefined {
    const extension = extensionOf(path);
    const own = this.all.filter(({ extensions }) => extensions.includes(extension));
    if (own.length < 2 || !readBeginning) return own[0];
    const head = readBeginning();
    const found =
      own.find(({ recognizes }) => recognizes?.(head, path)) ?? own.find(({ recognizes }) => !recognizes);
    return found ?? own[0];
  }

  /** @throws DragomanError `usage` if the extension belongs to no format */
  requireOfPath(path: string, readBeginning?: () => string): DescribedFormat {
    const found = this.ofPath(path, readBeginning);
    if (found) return found;
    throw new DragomanError('usage', `the format of ${path} is not supported`, {
      hint: `Known extensions: ${this.extensions.join(', ')}.`,
    });
  }

  /**
   * @param target path of a translation in that format
   * @throws DragomanError `usage` if its extension belongs to other formats: programs would read the file as one of
   * those
   */
  requireExtension(
    { extensions, title }: Pick<FormatDescription, 'extensions' | 'title'>,
    target: string,
  ): void {
    const extension = extensionOf(target);
    if (extensions.includes(extension)) return;
    const other = this.all.find((known) => known.extensions.includes(extension));
    if (!other) return;
    throw new DragomanError(
      'usage',
      `${target} has an extension of ${other.title}, but the source is ${title}`,
      { hint: `Give it the extension .${extensions[0]}.` },
    );
  }
}

export const BUILT_IN_FORMATS = new Formats([]);

/** The extension of a path in lower case, without the dot; empty without one. */
export function extensionOf(path: string): string {
  return /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/**
 * Spells a canonical code the way separate files of this format name their locale: `pt-BR` is `pt_BR` in a PO header.
 */
export function spellInFile(code: string, { localeStyle }: FormatDescription): string {
  return spellLocale(code, localeStyle);
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
