import type { Dialect } from '../target-model.ts';
import { FLAT_DIALECTS } from './flat.ts';
import { JSON_DIALECTS } from './json.ts';
import { poFor } from './po.ts';
import { androidFor, stringsdictFor, XML_DIALECTS } from './xml.ts';
import { YAML_DIALECTS } from './yaml.ts';

export const DIALECTS: readonly Dialect[] = [
  ...JSON_DIALECTS,
  ...YAML_DIALECTS,
  ...FLAT_DIALECTS,
  poFor('fr', ['one', 'other']),
  androidFor('fr', ['one', 'many', 'other']),
  stringsdictFor('fr', ['one', 'many', 'other']),
  ...XML_DIALECTS,
];

export const PLURAL_DIALECTS: readonly Dialect[] = [
  poFor('ru', ['one', 'few', 'many']),
  poFor('ar', ['zero', 'one', 'two', 'few', 'many', 'other']),
  poFor('ja', ['other']),
  poFor('es', ['one', 'other']),
  androidFor('ru', ['one', 'few', 'many', 'other']),
  androidFor('ar', ['zero', 'one', 'two', 'few', 'many', 'other']),
  androidFor('ja', ['other']),
  stringsdictFor('ru', ['one', 'few', 'many', 'other']),
  stringsdictFor('ja', ['other']),
  androidFor('es', ['one', 'many', 'other']),
];
