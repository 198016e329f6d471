import { DragomanError } from '../base/errors.ts';
import type { Format, FormatId } from './format.ts';

interface Registration {
  readonly extensions: readonly string[];
  /** Lazy: some formats bring a parser that takes longer to load than the rest of the program. */
  load(): Promise<Format>;
}

const FORMATS: Readonly<Record<FormatId, Registration>> = {
  json: { extensions: ['json', 'jsonc', 'arb'], load: async () => (await import('./json/format.ts')).json },
  yaml: { extensions: ['yaml', 'yml'], load: async () => (await import('./yaml/format.ts')).yaml },
  po: { extensions: ['po', 'pot'], load: async () => (await import('./po/format.ts')).po },
  properties: {
    extensions: ['properties'],
    load: async () => (await import('./properties/format.ts')).properties,
  },
  strings: { extensions: ['strings'], load: async () => (await import('./strings/format.ts')).strings },
  xml: { extensions: ['xml', 'resx'], load: async () => (await import('./xml/format.ts')).xml },
};

export const FORMAT_IDS: readonly FormatId[] = ['json', 'yaml', 'po', 'properties', 'strings', 'xml'];

export function loadFormat(id: FormatId): Promise<Format> {
  return FORMATS[id].load();
}

/** Every extension that names a format, without the dot. */
export function knownExtensions(): readonly string[] {
  return Object.values(FORMATS).flatMap((format) => format.extensions);
}

export function formatOfPath(path: string): FormatId | undefined {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase();
  if (extension === undefined) return undefined;
  return FORMAT_IDS.find((id) => FORMATS[id].extensions.includes(extension));
}

/** @throws DragomanError `usage` when the extension belongs to no format. */
export function requireFormatOfPath(path: string): FormatId {
  const id = formatOfPath(path);
  if (id) return id;
  throw new DragomanError('usage', `${path} is in no format that can be translated`, {
    hint: `Known extensions: ${knownExtensions().join(', ')}.`,
  });
}
