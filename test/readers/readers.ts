import type { FormatId } from '../../src/formats/registry.ts';
import { csvParse } from './csv.ts';
import { lxml } from './bilingual.ts';
import { fluentBundle } from './fluent.ts';
import { gettextParser } from './gettext.ts';
import { configparser } from './ini.ts';
import { jsonParse } from './json.ts';
import { json5Parse } from './json5.ts';
import { oxc } from './module.ts';
import { javaProperties } from './properties.ts';
import { phpTokens } from './php.ts';
import type { Reader } from './reader.ts';
import { openStepPlist } from './strings.ts';
import { catalogParse } from './xcstrings.ts';
import { smolToml } from './toml.ts';
import { expat } from './xml.ts';
import { pyYaml } from './yaml.ts';

/** The independent reader of each format. */
export const READERS: Readonly<Record<FormatId, Reader>> = {
  json: jsonParse,
  yaml: pyYaml,
  po: gettextParser,
  properties: javaProperties,
  strings: openStepPlist,
  xcstrings: catalogParse,
  xml: expat,
  csv: csvParse,
  xliff: lxml('xliff'),
  qt: lxml('qt'),
  php: phpTokens,
  fluent: fluentBundle,
  toml: smolToml,
  module: oxc,
  ini: configparser,
  json5: json5Parse,
};
