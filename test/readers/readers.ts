import type { FormatId } from '../../src/formats/registry.ts';
import { lxml } from './bilingual.ts';
import { gettextParser } from './gettext.ts';
import { jsonParse } from './json.ts';
import { javaProperties } from './properties.ts';
import type { Reader } from './reader.ts';
import { openStepPlist } from './strings.ts';
import { expat } from './xml.ts';
import { pyYaml } from './yaml.ts';

/** The independent reader of each format. */
export const READERS: Readonly<Record<FormatId, Reader>> = {
  json: jsonParse,
  yaml: pyYaml,
  po: gettextParser,
  properties: javaProperties,
  strings: openStepPlist,
  xml: expat,
  xliff: lxml('xliff'),
  qt: lxml('qt'),
};
