import type { BuiltInFormatId } from '../../src/formats/registry.ts';
import { json } from './json.ts';
import { yaml } from './yaml.ts';
import { po } from './po.ts';
import { properties } from './properties.ts';
import { strings } from './strings.ts';
import { xcstrings } from './xcstrings.ts';
import { xml } from './xml.ts';
import { csv } from './csv.ts';
import { xliff } from './xliff.ts';
import { qt } from './qt.ts';
import { php } from './php.ts';
import { fluent } from './fluent.ts';
import { toml } from './toml.ts';
import { markdown, mdx } from './markdown.ts';
import { module } from './module.ts';
import { json5 } from './json5.ts';
import { ini } from './ini.ts';
import { yii } from './yii.ts';
import type { Specimen } from './specimen.ts';

/** One specimen per format; the compiler requires it. */
export const SPECIMENS: Readonly<Record<BuiltInFormatId, Specimen>> = {
  json,
  yaml,
  po,
  properties,
  strings,
  xcstrings,
  xml,
  csv,
  xliff,
  qt,
  php,
  yii,
  fluent,
  toml,
  module,
  json5,
  ini,
  markdown,
  mdx,
};
