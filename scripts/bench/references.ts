import type { FormatId } from '../../src/formats/registry.ts';
import type { Weighed } from './weight-documents.ts';

/** Reads a file with the usual parser of its format, and nothing more. */
export type Reference = (bytes: Uint8Array) => number;

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const splitLines = (): Promise<Reference> =>
  Promise.resolve((bytes) => decode(bytes).split(/\r\n|\n|\r/).length);

async function readXml(): Promise<Reference> {
  const { SaxesParser } = await import('saxes');
  return (bytes) => {
    let count = 0;
    const parser = new SaxesParser();
    parser.on('opentag', () => count++);
    parser.write(decode(bytes)).close();
    return count;
  };
}

interface Named {
  readonly name: string;
  load(): Promise<Reference>;
}

const LINES: Named = { name: 'splitting into lines', load: splitLines };
const SAXES: Named = { name: 'saxes', load: readXml };

const JSON_PARSE: Named = {
  name: 'JSON.parse + stringify',
  load: () => Promise.resolve((bytes) => JSON.stringify(JSON.parse(decode(bytes)), null, 2).length),
};

export const REFERENCES: Readonly<Record<FormatId | Weighed, Named>> = {
  json: JSON_PARSE,
  xcstrings: JSON_PARSE,
  yaml: {
    name: 'yaml parseDocument',
    load: async () => {
      const { parseDocument } = await import('yaml');
      return (bytes) => parseDocument(decode(bytes)).errors.length;
    },
  },
  po: {
    name: 'gettext-parser po.parse',
    load: async () => {
      const { po } = await import('gettext-parser');
      return (bytes) => Object.keys(po.parse(Buffer.from(bytes)).translations).length;
    },
  },
  csv: {
    name: 'csv-parse',
    load: async () => {
      const { parse } = await import('csv-parse/sync');
      return (bytes) => parse(decode(bytes)).length;
    },
  },
  properties: LINES,
  php: LINES,
  toml: {
    name: 'smol-toml parse',
    load: async () => {
      const { parse } = await import('smol-toml');
      return (bytes) => Object.keys(parse(decode(bytes))).length;
    },
  },
  ini: LINES,
  json5: {
    name: 'json5 parse',
    load: async () => {
      const { default: json5 } = await import('json5');
      return (bytes) => Object.keys(json5.parse<object>(decode(bytes))).length;
    },
  },
  module: {
    name: 'acorn parse',
    load: async () => {
      const { parse } = await import('acorn');
      return (bytes) =>
        parse(decode(bytes).replace(' as const', ''), { ecmaVersion: 'latest', sourceType: 'module' }).end;
    },
  },
  fluent: {
    name: '@fluent/syntax parse',
    load: async () => {
      const { parse } = await import('@fluent/syntax');
      return (bytes) => parse(decode(bytes), { withSpans: true }).body.length;
    },
  },
  strings: LINES,
  srt: LINES,
  vtt: LINES,
  xml: {
    name: 'xmlbuilder2 create',
    load: async () => {
      const { create } = await import('xmlbuilder2');
      return (bytes) => create(decode(bytes)).root().node.childNodes.length;
    },
  },
  xliff: SAXES,
  qt: SAXES,
  android: SAXES,
  resx: SAXES,
  html: {
    name: 'parse5 with places',
    load: async () => {
      const { parse } = await import('parse5');
      return (bytes) => parse(decode(bytes), { sourceCodeLocationInfo: true }).childNodes.length;
    },
  },
};
