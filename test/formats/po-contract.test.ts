import fc from 'fast-check';
import { po as parser } from 'gettext-parser';
import { expect } from 'vitest';
import type { Document } from '../../src/formats/format.ts';
import { po } from '../../src/formats/po/format.ts';
import { formatContract } from './contract.ts';

const word = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.constantFrom('a', 'Datei', '%d', 'ключ', '日本語。', 'x\\n', '\\"', '\\\\', '\\t', ' ', ''),
  },
  { weight: 1, arbitrary: fc.constantFrom('\\x41', '\\101') },
);
const content = fc.array(word, { maxLength: 8 }).map((words) => words.join(''));
const blank = fc.constantFrom(' ', '\t', '  ', '');
const comment = fc.constantFrom(
  '# note',
  '#',
  '#. extracted "quote',
  '#: src/a.c:1',
  '#, c-format',
  '#, no-wrap, python-brace-format',
  '#~ msgid "gone"\n#~ msgstr "fort"',
);

/** The strings of one text: on one or several lines, indented or not. */
const literal = fc
  .tuple(fc.array(content, { minLength: 1, maxLength: 3 }), blank)
  .map(([parts, indentation]) => parts.map((part) => `"${part}"`).join(`\n${indentation}`));

const forms = fc.oneof(
  literal.map((text) => ['', `msgstr ${text}`] as const),
  fc
    .tuple(literal, fc.array(literal, { minLength: 1, maxLength: 3 }))
    .map(
      ([plural, texts]) =>
        [`msgid_plural ${plural}\n`, texts.map((text, i) => `msgstr[${i}] ${text}`).join('\n')] as const,
    ),
);

const message = (index: number, flags: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(comment, { maxLength: 3 }), flags, fc.option(content, { nil: undefined }), literal, forms)
    .map(([comments, flag, context, id, [plural, texts]]) =>
      [
        ...comments,
        ...(flag === '' ? [] : [flag]),
        // The number makes keys unique: duplicates have a separate test.
        ...(context === undefined ? [] : [`msgctxt "${context}"`]),
        `msgid "${index}" ${id}`,
        `${plural}${texts}`,
      ].join('\n'),
    );

const HEADER =
  'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n';

function catalogs(flags: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const messages = fc.tuple(...[0, 1, 2, 3].map((index) => fc.option(message(index, flags), { nil: '' })));
  const lineEnd = fc.constantFrom('\n', '\r\n');
  return fc
    .tuple(
      fc.constantFrom(HEADER, `# Licence\n\n${HEADER}`, ''),
      messages,
      fc.constantFrom('\n', '', '\n# end\n'),
      lineEnd,
    )
    .map(([header, all, tail, end]) => `${[header, ...all].join('\n\n')}${tail}`.replaceAll('\n', end));
}

/** gettext-parser reads the output. */
function readBack(rendered: Document): void {
  // It does not support numeric escapes; gettext itself tests those elsewhere.
  if (/\\(?:x|\d)/.test(rendered.text)) return;
  const { translations } = parser.parse(rendered.text);
  const forms = new Map<readonly string[] | undefined, string[]>();
  for (const { key, value } of rendered.slots) {
    const [context = '', id = ''] = key;
    const texts = translations[context]?.[id]?.msgstr;
    forms.set(texts, [...(forms.get(texts) ?? []), value]);
  }
  for (const [texts, values] of forms) expect(texts).toEqual(values);
}

formatContract(po, { documents: catalogs(fc.constant('')), oracle: readBack });
formatContract(po, {
  documents: catalogs(fc.constantFrom('#, fuzzy', '#, fuzzy, c-format\n#| msgid "old"', '')),
  runs: 150,
});
