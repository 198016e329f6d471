import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/formats/format.ts';
import { json } from '../../src/formats/json/format.ts';
import { properties } from '../../src/formats/properties/format.ts';
import { xml } from '../../src/formats/xml/format.ts';
import { yaml } from '../../src/formats/yaml/format.ts';
import { parseMessage } from '../../src/text/message.ts';

/** One value of each notation, and values that some notations cannot parse. */
const samples = fc.oneof(
  fc.constantFrom(
    'Hello {name}, you have {{count}} points',
    '{count, plural, one {# letter} other {# letters}}',
    '{g, select, male {he} other {they}} and {{name}}',
    '{{count}} files of {{total}}',
    'Hello {user.name}',
    'Type } or {',
    "It''s '{'x",
    '{}',
    '{ a b }',
    '%{count} files, %<size>d',
    '$t(common.ok) it',
    '@:common.ok it',
    'no car | one car | {n} cars',
    'Hello :name and :Other',
    '%1$s of %d',
    '${name}',
    '{n, plural, one {x}}',
    'Hello {name',
  ),
  fc
    .array(fc.constantFrom('{', '}', '{{', '}}', 'a', ' ', ',', "'", 'plural', '{n}', '#', '<b>', '.'), {
      maxLength: 10,
    })
    .map((parts) => `x${parts.join('')}y`),
);

const formats: readonly (readonly [string, Format, (values: readonly string[]) => string])[] = [
  ['json', json, (values) => JSON.stringify(Object.fromEntries(values.map((value, i) => [`k${i}`, value])))],
  ['yaml', yaml, (values) => values.map((value, i) => `k${i}: ${JSON.stringify(value)}\n`).join('')],
  ['properties', properties, (values) => values.map((value, i) => `k${i}=${value}\n`).join('')],
  [
    'xml',
    xml,
    (values) =>
      `<resources>${values.map((v, i) => `<string name="k${i}">${v.replaceAll('<', '&lt;')}</string>`).join('')}</resources>`,
  ],
];

describe('a value among values of other notations', () => {
  it.each(formats)('is the only one refused: %s', (_, format, write) => {
    fc.assert(
      fc.property(fc.array(samples, { minLength: 1, maxLength: 6 }), (values) => {
        const { slots } = format.scan(write(values));
        for (const { key, value, syntax } of slots) {
          if (parseMessage(value, syntax).problem === undefined) continue;
          const alone = format.scan(write([value])).slots[0];
          expect(
            alone && parseMessage(alone.value, alone.syntax).problem,
            `${key.join('.')}: ${value}`,
          ).toMatch(/\w/);
        }
      }),
      { numRuns: 400 },
    );
  });

  it.each(formats)('has the dialect of the file if that dialect can parse it: %s', (name, format, write) => {
    if (name === 'properties') return;
    const plural = '{count, plural, one {# letter} other {# letters}}';
    const { slots } = format.scan(write([plural, "It''s {name}", 'Hello {name}, you have {{count}} points']));
    expect(slots.map(({ syntax }) => syntax)).toEqual(['icu', 'icu', name === 'xml' ? 'android' : 'plain']);
  });
});
