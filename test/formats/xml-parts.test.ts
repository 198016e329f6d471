import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { qt } from '../../src/formats/qt/format.ts';
import { xliff } from '../../src/formats/xliff/format.ts';
import { readUnits } from '../../src/formats/xliff/units.ts';
import { xml } from '../../src/formats/xml/format.ts';
import { parseXml } from '../../src/formats/xml/parser.ts';
import { elementsOf } from '../../src/formats/xml/tree.ts';
import { runs } from '../property-runs.ts';

/** A document with a long list. */
interface Vocabulary {
  readonly wrap: (content: string) => string;
  readonly elements: readonly string[];
  /** The end of a copy, so that all but the first and the last ones are alike. */
  readonly end?: string;
}

const variable =
  '<key>v</key><dict><key>one</key><string>One</string><key>other</key><string>All</string></dict>';

const VOCABULARIES: Readonly<Record<string, Vocabulary>> = {
  resources: {
    wrap: (content) => `<resources>${content}</resources>`,
    elements: [
      '<string name="a">Text</string>',
      '<string name="b" translatable="false">Id</string>',
      '<string name="c"/>',
      '<plurals name="d"><item quantity="one">One</item><item quantity="other">All</item></plurals>',
      '<dimen name="e">1dp</dimen>',
    ],
  },
  'a property list': {
    wrap: (content) => `<plist version="1.0"><!-- list --><dict>${content}</dict></plist>`,
    elements: ['<key>a</key>', `<dict>${variable}</dict>`, '<string>Text</string>', '<dict/>'],
    end: `<key>z</key><dict>${variable}</dict>`,
  },
};

/** The content of the list, with everything that decides to which element a comment belongs. */
const piecesOf = ({ elements, end = '' }: Vocabulary): fc.Arbitrary<string[]> =>
  fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom('\n', '\n\n', '\r\n  ', ' ', '\n \n') },
        { weight: 2, arbitrary: fc.constantFrom('<!-- note -->', '<!-- do not translate -->', '<?x y?>') },
        { weight: 4, arbitrary: fc.constantFrom(...elements) },
      ),
      { minLength: 1, maxLength: 30 },
    )
    .map((pieces) => [...pieces, end]);

const COPIES = 3_000;
/** Small enough to be read whole. */
const FEW = 5;

/** The result for one copy of the content among many in a row: in the first ones, and in the last. */
function perCopy<Found>(few: readonly Found[], copies: number): readonly Found[] {
  const inner = few.length / FEW;
  return [
    ...few.slice(0, 2 * inner),
    ...repeat(few.slice(2 * inner, 3 * inner), copies - FEW),
    ...few.slice(2 * inner),
  ];
}

const repeat = <Found>(found: readonly Found[], times: number): Found[] =>
  Array.from({ length: times }, () => found).flat();

describe.each(Object.entries(VOCABULARIES))('%s read in parts', (_name, vocabulary) => {
  const { wrap } = vocabulary;
  const pieces = piecesOf(vocabulary);

  it('has the same slots and comments as a whole', () => {
    fc.assert(
      fc.property(pieces, (content) => {
        const one = content.join('');
        const copies = Math.ceil(COPIES / content.length);
        const read = (times: number): unknown[] =>
          xml.scan(wrap(one.repeat(times))).slots.map(({ value, comment }) => [value, comment]);
        expect(read(copies)).toEqual(perCopy(read(FEW), copies));
      }),
      { numRuns: runs(60) },
    );
  });

  it('becomes the same skeleton as a whole', () => {
    fc.assert(
      fc.property(pieces, (content) => {
        const one = content.join('');
        const copies = Math.ceil(COPIES / content.length);
        const removals = (times: number): unknown[] => {
          const options = { locale: 'ja', spelling: 'ja', role: 'new' } as const;
          return xml
            .retarget(xml.scan(wrap(one.repeat(times))), options)
            .toSorted((a, b) => a.span.start - b.span.start)
            .map(({ span, text }) => [span.end - span.start, text]);
        };
        expect(removals(copies)).toEqual(perCopy(removals(FEW), copies));
      }),
      { numRuns: runs(60) },
    );
  });
});

describe('a document that is read in parts', () => {
  it('is well-formed in all of its parts', () => {
    const entry = '\n  <data name="a"><value>x</value></data>';
    const broken = `<root>${entry.repeat(2_000)}\n  <data></root>`;
    expect(() => xml.scan(broken)).toThrow('</root> does not close <data>');
  });
});

describe('elements taken while a document is read', () => {
  const units = (ids: readonly string[]): string =>
    ids.map((id) => `<trans-unit id="${id}"><source>Text ${id}</source></trans-unit>`).join('\n');
  const document = `<xliff version="1.2"><file original="app"><body>
<group translate="no">${units(['a'])}<group translate="yes">${units(['b', 'c'])}</group></group>
<tool>${units(['d'])}</tool>${units(['e'])}<group/></body></file></xliff>`;

  it('arrive complete and in file order, and are released afterwards', () => {
    const taken: string[] = [];
    const tree = parseXml('<r><a><b/>x</a><b>y</b><c/></r>', {
      takeElement: ({ text }, { name, start, end }) => {
        taken.push(text.slice(start, end));
        return name === 'b';
      },
    });
    expect(taken).toEqual(['<b/>', '<a><b/>x</a>', '<b>y</b>', '<c/>']);
    expect(elementsOf(tree.root).map(({ name, children }) => [name, children.length])).toEqual([
      ['a', 1],
      ['c', 0],
    ]);
  });

  it('are units if their parents hold units, and inherit from all of these', () => {
    expect(xliff.scan(document).slots.map(({ key }) => key.join())).toEqual(['app,b', 'app,c', 'app,e']);
    const found: string[] = [];
    const tree = readUnits(document, () => ({ unit: ({ key }) => void found.push(key.join()) }));
    expect(found).toEqual(['app,b', 'app,c', 'app,e']);
    const left = (text: string): number => text.split('<trans-unit').length - 1;
    expect(left(document)).toBe(5);
    const names = (element: typeof tree.root): readonly string[] =>
      elementsOf(element).flatMap((child) => [child.name, ...names(child)]);
    expect(names(tree.root).filter((name) => name === 'trans-unit')).toHaveLength(1);
  });

  it('are messages of a context, wherever its name is', () => {
    const message = (text: string): string =>
      `<message><source>${text}</source><translation type="unfinished"></translation></message>`;
    const text = `<TS version="2.1"><context><name>A</name>${message('1')}${message('2')}</context>
<context>${message('3')}<name>B</name>${message('4')}</context><other>${message('5')}</other></TS>`;
    expect(qt.scan(text).slots.map(({ key }) => key)).toEqual([
      ['A', '1', ''],
      ['A', '2', ''],
      ['B', '3', ''],
      ['B', '4', ''],
    ]);
  });
});
