import { DragomanError } from '../base/errors.ts';
import { spellLocale } from '../languages/locale.ts';
import type { FormatDescription } from './description.ts';
import type { Format } from './format.ts';
import { csv } from './csv/description.ts';
import { fluent } from './fluent/description.ts';
import { ini } from './ini/description.ts';
import { json } from './json/description.ts';
import { markdown } from './markdown/description.ts';
import { mdx } from './mdx/description.ts';
import { json5 } from './json5/description.ts';
import { module } from './module/description.ts';
import { php } from './php/description.ts';
import { po } from './po/description.ts';
import { properties } from './properties/description.ts';
import { qt } from './qt/description.ts';
import { strings } from './strings/description.ts';
import { xcstrings } from './xcstrings/description.ts';
import { xliff } from './xliff/description.ts';
import { toml } from './toml/description.ts';
import { xml } from './xml/description.ts';
import { yaml } from './yaml/description.ts';

/** Every format. Where several have an extension, the beginning of a file decides, else the first gets it. */
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
  fluent,
  toml,
  module,
  markdown,
  mdx,
  json5,
  ini,
];

export type FormatId = (typeof descriptions)[number]['id'];
type Described = FormatDescription & { readonly id: FormatId };

/** A format with its description. */
export type KnownFormat = Described & Format;

const all: readonly Described[] = descriptions;

export const FORMAT_IDS: readonly FormatId[] = all.map(({ id }) => id);

/** Every extension that names a format, without the dot. */
export const EXTENSIONS: readonly string[] = [...new Set(all.flatMap(({ extensions }) => extensions))];

/** Those of them that other programs have too, each with the test of a file by its beginning. */
export const SHARED_EXTENSIONS: ReadonlyMap<string, (head: string) => boolean> = new Map(
  all.flatMap(({ extensions, recognizes, isCode = false }) =>
    recognizes && !isCode ? extensions.map((extension) => [extension, recognizes] as const) : [],
  ),
);

/** Extensions of programs, each with the test of a path that alone makes a file localization: see `FormatDescription.isCode`. */
export const CODE_EXTENSIONS: ReadonlyMap<string, (path: string) => boolean> = new Map(
  all.flatMap(({ extensions, isCode = false, namesTexts = () => false }) =>
    isCode ? extensions.map((extension) => [extension, namesTexts] as const) : [],
  ),
);

/** Formats of running text. */
export const PROSE_FORMATS: ReadonlySet<FormatId> = new Set(
  all.flatMap(({ id, isProse = false }) => (isProse ? id : [])),
);

/** The extensions that the service specification lists for jobs, with the dot, each with its format. */
export const JOB_FORMATS: ReadonlyMap<string, FormatId> = new Map(
  all.flatMap(({ id, jobExtensions = [] }) => jobExtensions.map((name) => [`.${name}`, id])),
);

/** `JSON, YAML or XML`: the formats that a command takes. */
export function listTitles(ids: Iterable<FormatId>): string {
  const titles = [...new Set(ids)].map((id) => describeFormat(id).title);
  return [titles.slice(0, -1).join(', '), ...titles.slice(-1)].join(' or ');
}

/** How names of files with an extension spell their locale, where the users of a format agree on it. */
export const NAME_STYLES: ReadonlyMap<string, 'gettext' | 'underscore' | 'dotnet'> = new Map(
  all.flatMap(({ nameStyles = {} }) => Object.entries(nameStyles)),
);

/** Extensions of templates, each with that of the translations made from them. */
export const TEMPLATES: ReadonlyMap<string, string> = new Map(
  all.flatMap(({ templates = {} }) => Object.entries(templates)),
);

/** What is known of a format before it is loaded. */
export function describeFormat(id: FormatId): Described {
  const found = all.find((description) => description.id === id);
  if (!found) throw new RangeError(`no format ${id}`);
  return found;
}

export async function loadFormat(id: FormatId): Promise<KnownFormat> {
  const description = describeFormat(id);
  return { ...(await description.load()), ...description };
}

/** @param readBeginning of the file, called only where several formats have its extension */
export function formatOfPath(path: string, readBeginning?: () => string): FormatId | undefined {
  const extension = extensionOf(path);
  const own = all.filter(({ extensions }) => extensions.includes(extension));
  if (own.length < 2 || !readBeginning) return own[0]?.id;
  const head = readBeginning();
  return (own.find(({ recognizes }) => recognizes?.(head) !== false) ?? own[0])?.id;
}

/** The extension of a path in lower case, without the dot; empty where it has none. */
export function extensionOf(path: string): string {
  return /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** @throws DragomanError `usage` when the extension belongs to no format. */
export function requireFormatOfPath(path: string, readBeginning?: () => string): FormatId {
  const id = formatOfPath(path, readBeginning);
  if (id) return id;
  throw new DragomanError('usage', `${path} is in no format that can be translated`, {
    hint: `Known extensions: ${EXTENSIONS.join(', ')}.`,
  });
}

/** A canonical code as a file of that format that stands alone names its locale: `pt-BR` is `pt_BR` in a PO header. */
export function spellInFile(code: string, format: FormatId): string {
  return spellLocale(code, describeFormat(format).localeStyle);
}
