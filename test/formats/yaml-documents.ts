import * as fc from 'fast-check';

/** YAML documents with every notation that the format supports, for property tests. */

const words = fc
  .array(
    fc.constantFrom('Hello', '%{name}', 'größer', 'you’re', '100', 'no', 'a-b', 'x:y', '😀', 'end.', 'مرحبا'),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((parts) => `T ${parts.join(' ')}`);

const single = words.map((text) => `'${text.replaceAll("'", "''")} ''x'' #: '`);
const double = words.map((text) => `"${text} \\"q\\" \\n \\u00e9 \\\\ # : "`);
const untouched = fc.constantFrom(
  'yes',
  'No',
  '1.0',
  '0x1F',
  '1_000',
  '12:30',
  '2026-01-02',
  '~',
  'null',
  '.inf',
  '-3',
  '',
);

/** Lines of a block scalar below `pad`; the first is never indented further, the last never blank. */
const block = (pad: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('|', '>', '|-', '>-', '|+', '>+', '|2', '>2-'),
      fc.array(
        fc.oneof(
          words,
          words.map((text) => `  ${text}`),
          fc.constant(''),
        ),
        { maxLength: 4 },
      ),
      words,
    )
    .map(([header, lines, last]) =>
      [header, ...[last, ...lines, last].map((line) => (line === '' ? '' : `${pad}  ${line}`))].join('\n'),
    );

const multiline = (pad: string): fc.Arbitrary<string> =>
  fc
    .tuple(words, words, fc.constantFrom('', '"', "'"))
    .map(([a, b, quote]) => `${quote}${a}\n${pad}  ${b}${quote}`);

const flow: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      words.map((text) => text.replaceAll(/[:,[\]{}]/g, '')),
      single,
      double,
      untouched.filter((text) => text !== ''),
    ),
    { maxLength: 3 },
  )
  .chain((items) =>
    fc.constantFrom(
      `[${items.join(', ')}]`,
      `{${items.map((item, i) => `k${i}: ${item}`).join(', ')}}`,
      `{ a: {b: [${items.join(',')}]}, "c d": ${items[0] ?? 'null'} }`,
      '[]',
      '{}',
    ),
  );

const value = (pad: string, depth: number): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: words.map((text) => ` ${text}`) },
    fc.tuple(words, fc.constantFrom('  # note', ' # n: "x"', '  ')).map(([text, end]) => ` ${text}${end}`),
    single.map((text) => ` ${text}`),
    double.map((text) => ` ${text}`),
    untouched.map((text) => (text === '' ? '' : ` ${text}`)),
    block(pad).map((text) => ` ${text}`),
    multiline(pad).map((text) => ` ${text}`),
    flow.map((text) => ` ${text}`),
    words.map((text) => ` !!str ${text}`),
    fc.constant(' !custom thing'),
    ...(depth > 0
      ? [
          map(`${pad}  `, depth - 1).map((text) => `\n${text}`),
          sequence(pad, depth - 1).map((text) => `\n${text}`),
          map(`${pad}  `, depth - 1).map((text) => ` # group\n${text}`),
        ]
      : []),
  );

const entryLines = (pad: string): fc.Arbitrary<string> =>
  fc.constantFrom('', '', '', `${pad}# about it\n`, '\n', `${pad}# one\n${pad}# two\n`, `${pad}    # deep\n`);

function map(pad: string, depth: number): fc.Arbitrary<string> {
  return fc
    .array(
      fc.tuple(entryLines(pad), fc.constantFrom('key', '"quoted"', 'true', '1.', 'a b'), value(pad, depth)),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    .map((entries) =>
      entries
        .map(([above, name, text], i) => `${above}${pad}${name.replace(/"?$/, `${i}$&`)}:${text}`)
        .join('\n'),
    );
}

function sequence(pad: string, depth: number): fc.Arbitrary<string> {
  return fc
    .array(
      fc.oneof(
        value(pad, 0),
        map(`${pad}  `, depth - 1).map((text) => ` ${text.trimStart()}`),
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((items) => items.map((item) => `${pad}-${item}`).join('\n'));
}

const anchored = words.map(
  (text) => `base: &base\n  a: &a ${text}\n  b: 'x'\nuse: *a\nmerged:\n  <<: *base\n  c: ${text}`,
);

const whole = fc.oneof(
  { weight: 4, arbitrary: map('', 2) },
  map('  ', 2).map((text) => `en:\n${text}`),
  fc.tuple(anchored, map('', 1)).map(([a, b]) => `${a}\n${b}`),
  fc.tuple(map('', 1), map('', 1)).map(([a, b]) => `---\n${a}\n---\n${b}\n...`),
  map('', 1).map((text) => `# Head\n# of the file\n\n--- # start\n${text}`),
  flow,
);

/** The same document, indented by four. */
function widen(text: string): string {
  return text
    .replaceAll(/([|>])2/g, '$14')
    .replaceAll(/^ +/gm, '$&$&')
    .replaceAll(/^( *)- (?=\S)/gm, '$1-   ');
}

export const yamlDocuments: fc.Arbitrary<string> = fc
  .tuple(
    whole,
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\n', '\n\n# tail\n'),
    fc.constantFrom(false, false, true),
  )
  .map(([text, lineBreak, end, wide]) => ((wide ? widen(text) : text) + end).replaceAll('\n', lineBreak));

const FRAGMENTS = [
  'a',
  'b',
  'c: ',
  'key: ',
  ': ',
  ':',
  '{',
  '}',
  '[',
  ']',
  ', ',
  ',',
  '\n',
  '\n',
  '\n',
  '  ',
  '    ',
  ' ',
  '- ',
  '-',
  '? ',
  '?',
  '&x ',
  '*x ',
  '*x',
  '"q"',
  "'s'",
  ' # c',
  '#',
  '|',
  '>',
  '|+\n',
  '!t ',
  '!!str ',
  'null',
  '~',
  '---\n',
  '...\n',
  '\t',
  '\r\n',
  'x: {}\n',
  'y: []\n',
  'z:\n',
  '{a: b}',
  '{? a, b}',
  '""',
  '%',
  'en:\n',
  '- {a: b, c}\n',
  '{a: , b}',
  ': x\n',
  '? \n',
  '- - a\n',
  '# c\n',
  '{\n',
  '\n}',
  '>+\n  ',
];

const change = fc.record({
  at: fc.nat(),
  cut: fc.nat(6),
  put: fc.oneof(fc.constant(''), fc.constantFrom(...FRAGMENTS)),
});

/** Almost YAML: documents with some changes, and fragments in any order. Most of it cannot be parsed. */
export const yamlMutants: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...FRAGMENTS), { minLength: 3, maxLength: 16 }).map((parts) => parts.join('')),
  fc.tuple(yamlDocuments, fc.array(change, { minLength: 1, maxLength: 4 })).map(([text, changes]) =>
    changes.reduce((current, { at, cut, put }) => {
      const start = at % (current.length + 1);
      return current.slice(0, start) + put + current.slice(start + cut);
    }, text),
  ),
);

const simpleBlock = (pad: string, ...headers: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...headers),
      fc.array(
        fc.oneof(
          words,
          words.map((text) => `  ${text}`),
          fc.constant(''),
        ),
        { maxLength: 4 },
      ),
      words,
    )
    .map(([header, lines, last]) =>
      [header, ...[last, ...lines, last].map((line) => (line === '' ? '' : `${pad}  ${line}`))].join('\n'),
    );

const simpleValue = (pad: string, depth: number): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: words.map((text) => ` ${text}`) },
    fc.tuple(words, fc.constantFrom('  # note', ' # n: "x"', '  ')).map(([text, end]) => ` ${text}${end}`),
    ...[single, double, single.map((text) => `${text}  # note`)].map((one) => one.map((text) => ` ${text}`)),
    untouched.map((text) => (text === '' ? '' : ` ${text}`)),
    simpleBlock(pad, '|', '>', '|-', '>-', '| # note', '>-  # note').map((text) => ` ${text}`),
    multiline(pad).map((text) => ` ${text}`),
    multiline(pad).map((text) => `\n${pad}    ${text}`),
    single.map((text) => ` # below\n\n${pad}    ${text}`),
    ...(depth > 0
      ? [
          simpleMap(`${pad}  `, depth - 1).map((text) => `\n${text}`),
          simpleSequence(pad, depth - 1).map((text) => `\n${text}`),
          simpleSequence(`${pad}  `, depth - 1).map((text) => ` # group\n\n${text}`),
        ]
      : []),
  );

function simpleMap(pad: string, depth: number): fc.Arbitrary<string> {
  const name = fc.constantFrom('key', '"quoted"', "'it''s'", 'true', 'no', '1.', 'a b', 'message', ':sign');
  const indented = simpleBlock(pad, '|2', '>1-', '|-2', '|1 # note').map((text) => ` ${text}`);
  const value = fc.oneof({ weight: 7, arbitrary: simpleValue(pad, depth) }, indented);
  return fc
    .array(fc.tuple(entryLines(pad), name, fc.boolean(), value), {
      minLength: 1,
      maxLength: 4,
    })
    .map((entries) =>
      entries
        .map(([above, one, numbered, text], i) => {
          return `${above}${pad}${numbered ? one.replace(/["']?$/, `${i}$&`) : one}:${text}`;
        })
        .join('\n'),
    );
}

function simpleSequence(pad: string, depth: number): fc.Arbitrary<string> {
  const item = fc.oneof(
    // The lines of a block are indented further than those of the item.
    simpleValue(`${pad}  `, 0),
    simpleMap(`${pad}  `, Math.max(depth - 1, 0)).map((text) => ` ${text.trimStart()}`),
    simpleMap(`${pad}    `, 0).map((text) => `\n${text}`),
    words.map((text) => ` - ${text}\n${pad}  - ${text}`),
  );
  return fc
    .array(fc.tuple(entryLines(pad), item), { minLength: 1, maxLength: 3 })
    .map((items) => items.map(([above, one]) => `${above}${pad}-${one}`).join('\n'));
}

/** Documents of block collections and scalars, for the reader of simple documents. */
export const simpleYamlDocuments: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '', '# Licence\n\n', '---\n', '# Head\n---\n# about it\n'),
    fc.oneof(
      { weight: 2, arbitrary: simpleMap('', 2) },
      simpleMap('  ', 2).map((text) => `en:\n${text}`),
      simpleSequence('', 2),
      fc.constantFrom('en:', 'en: text', 'en:\n- text', 'en:\n# end', 'it:\n  a: text'),
    ),
    fc.constantFrom('', '\n', '\n\n# tail\n', '\n    # deep\n', '\n...', '\n...\n\n'),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([head, text, end, lineBreak]) => (head + text + end).replaceAll('\n', lineBreak));

/** Lines of simple documents in any order and at any indentation: most of them are errors, or close to one. */
export const simpleYamlLines: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      fc.constantFrom('', '', '', ' ', '  ', '  ', '   ', '    ', '\t'),
      fc.constantFrom(
        'a: x',
        'b:',
        'c: ',
        '- ',
        '-',
        '- x',
        '- a: b',
        '- - x',
        '-   b:',
        'text',
        '# c',
        '',
        ' ',
        'k : x',
        ':',
        '"q": y',
        "'s': z",
        '"a: b',
        "c: 'd",
        'e"',
        "f'",
        'c: |',
        'c: >-',
        'c: |2-',
        '- |1',
        '- |',
        '|',
        'd: "x" # n',
        'd: x # n',
        '"x"',
        "e: ''",
        'e: ""',
        'f: g: h',
        'f: g:',
        'a#b: c',
        'g: #',
        'g: "x"#',
        '---',
        '...',
        '? a',
        'h: -',
        '- : x',
        'i: -x',
        'i: ?x',
        'i: :x',
        'i: :',
        'i: ~',
        'no: x',
        'en:',
        'j: "\\',
        'j: "a\\"',
        '"\\q": x',
        'l: | # n',
        '<<: x',
      ),
    ),
    { minLength: 1, maxLength: 7 },
  )
  .chain((lines) =>
    fc.constantFrom('\n', '\n', '\r\n').map((end) => lines.map(([pad, line]) => pad + line).join(end)),
  )
  .chain((text) => fc.constantFrom('', '\n', ' ').map((end) => text + end));
