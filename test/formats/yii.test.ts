import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Document } from '../../src/formats/format.ts';
import { BUILT_IN_FORMATS } from '../../src/formats/registry.ts';
import { yii } from '../../src/formats/yii/format.ts';
import { findDisagreements } from '../readers/disagreement.ts';
import { phpTokens } from '../readers/php.ts';
import { formatContract } from './contract.ts';
import { goldenCases } from './golden.ts';

goldenCases('yii', yii);

const piece = fc.constantFrom(
  'a',
  ' ',
  'Öffnen',
  '{name}',
  '{n,plural,one{#} other{# x}}',
  "\\'",
  '\\\\',
  '@@',
  '|',
  '1#',
);
const text = fc.array(piece, { maxLength: 4 }).map((pieces) => `'${pieces.join('')}'`);
const value = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.constantFrom("''", "'@@@@'", "'@@Old@@'", "['k' => 'v']", "'a' . 'b'", 'null'),
);
const documents = fc
  .tuple(
    fc.uniqueArray(fc.tuple(text, value), { selector: ([key]) => key, maxLength: 6 }),
    fc.constantFrom(['[', ']'], ['array(', ')']),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([messages, [open, close], lineEnd]) => {
    const lines = messages.map(([key, one]) => `    ${key} => ${one},\n`).join('');
    return `<?php\nreturn ${open}\n${lines}${close};\n`.replaceAll('\n', lineEnd);
  });

const written: Document[] = [];
formatContract(yii, { documents, oracle: (rendered) => void written.push(rendered), runs: 200 });

describe.skipIf(phpTokens.missing() !== undefined)('the output of the contract', () => {
  it('reads the same in PHP', () => {
    expect(written.length).toBeGreaterThan(0);
    expect(findDisagreements('yii', written)).toEqual([]);
  });
});

describe('a PHP file', () => {
  const header = '/** Each array element represents the translation (value) of a message (key). */';

  it.each([
    ['messages/de/app.php', "<?php return [\n 'Add to basket' => '',\n];", 'yii'],
    ['C:\\web\\messages\\de\\app.php', "<?php return [\n 'Add to basket' => '',\n];", 'yii'],
    ['common/texts/de.php', `<?php ${header} return [];`, 'yii'],
    ['messages/en/app.php', "<?php return [\n 'basket.add' => 'Add to basket',\n];", 'php'],
    ['lang/de/messages.php', "<?php return [\n 'Add to basket' => '',\n];", 'php'],
    ['translations/messages.de.php', "<?php return [\n 'Add to basket' => '',\n];", 'php'],
  ])('%s: %s has the format %s', (path, content, format) => {
    expect(BUILT_IN_FORMATS.ofPath(path, () => content)?.id).toBe(format);
  });
});
