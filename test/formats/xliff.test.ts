import fc from 'fast-check';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { describe, expect, it } from 'vitest';
import type { Document } from '../../src/formats/format.ts';
import { render } from '../../src/formats/render.ts';
import { xliff } from '../../src/formats/xliff/format.ts';
import { parseMessage } from '../../src/text/message.ts';
import { isXmlSource } from '../../src/text/syntax.ts';
import { verify } from '../../src/text/verify.ts';
import { formatContract } from './contract.ts';
import { goldenCases } from './golden.ts';

goldenCases('xliff', xliff);

const word = fc.constantFrom('Save', 'Datei', '%d', '{{ x }}', 'ключ', '日本', ' ', '\n', '&amp;', '&#8217;');
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((parts) => `A${parts.join('')}`);
const text = fc.oneof(
  { weight: 4, arbitrary: words },
  { weight: 1, arbitrary: words.map((inner) => `<![CDATA[${inner}]]>`) },
);
const inline12 = fc
  .tuple(words, words)
  .chain(([a, b]) =>
    fc.constantFrom(
      `${a}<x id="1" equiv-text="&lt;br>"/>${b}`,
      `<g id="1">${a}</g>${b}`,
      `${a}<bpt id="1">&lt;b></bpt>${b}<ept id="1">&lt;/b></ept>`,
      `<mrk mtype="seg" mid="1">${a}</mrk><!-- c -->${b}`,
    ),
  );
const inline2 = fc
  .tuple(words, words)
  .chain(([a, b]) =>
    fc.constantFrom(`${a}<ph id="1"/>${b}`, `<pc id="1">${a}</pc>${b}`, `<sc id="1"/>${a}<ec startRef="1"/>`),
  );
const gap = fc.constantFrom('', '\n      ', '\n\t', ' <!-- <target>no</target> --> ');
const state = fc.constantFrom(
  '',
  ' state="new"',
  ' state="final"',
  ' state="translated" state-qualifier="tm"',
);

const targetOf = (content: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom('', '<target/>', '<target state="new" />', '<target></target>'),
    fc.tuple(state, content).map(([own, inner]) => `<target${own}>${inner}</target>`),
  );

/** Source, target, and the content that may be between and after them. */
const pair = (inline: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(fc.oneof(text, inline), gap, targetOf(fc.oneof(text, inline)), gap)
    .map(
      ([source, before, target, after]) => `${before}<source>${source}</source>${before}${target}${after}`,
    );

const unit12 = (id: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      pair(inline12),
      fc.constantFrom('', ' approved="yes"', ' translate="no"', " xml:space='preserve'"),
      fc.constantFrom(
        '',
        '<note>n</note>',
        '<alt-trans><source>s</source><target>t</target></alt-trans>',
        '<seg-source><mrk mtype="seg" mid="1">B</mrk></seg-source>',
      ),
      gap,
    )
    .map(
      ([inner, attributes, more, after]) =>
        `<trans-unit id="${id}"${attributes}>${inner}${more}</trans-unit>${after}`,
    );

const unit2 = (id: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(
        fc.tuple(pair(inline2), fc.constantFrom('', ' state="initial"', ' state="final" subState="a:b"')),
        {
          minLength: 1,
          maxLength: 2,
        },
      ),
      gap,
    )
    .map(
      ([segments, after]) =>
        `<unit id="${id}">${segments.map(([inner, own]) => `<segment${own}>${inner}</segment>`).join('')}</unit>${after}`,
    );

const units = (unit: (id: number) => fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(...[0, 1, 2, 3].map((id) => fc.option(unit(id), { nil: '' }))).map((all) => all.join(''));

const documents = fc
  .tuple(
    fc.oneof(
      units(unit12).map(
        (body) =>
          `<xliff version="1.2"><file source-language="en" original="f"><header/><body>${body}<group id="g">${body.replaceAll('id="', 'id="g')}</group></body></file></xliff>`,
      ),
      units(unit2).map(
        (body) => `<xliff version="2.0" srcLang="en" trgLang="de"><file id="f">${body}</file></xliff>`,
      ),
    ),
    fc.constantFrom('', '<?xml version="1.0" encoding="UTF-8"?>\n', '<!DOCTYPE xliff>\n'),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([body, head, end]) => `${head}${body}\n`.replaceAll('\n', end));

/** The text of every translatable target, without the tags in it, read by saxes. */
function targetsIn(source: string): readonly string[] {
  const found: string[] = [];
  const open: { readonly tag: SaxesTagPlain; text: string; source: string }[] = [];
  const parser = new SaxesParser();
  const add = (more: string): void => {
    for (const element of open) element.text += more;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => void open.push({ tag, text: '', source: '' }));
  parser.on('closetag', ({ name }) => {
    const closed = open.pop();
    const parent = open.at(-1);
    if (!closed || !parent) return;
    const isOwner = parent.tag.name === 'trans-unit' || parent.tag.name === 'segment';
    if (isOwner && (name === 'source' || name === 'seg-source')) parent.source = closed.text;
    if (isOwner && name === 'target') parent.tag.attributes['own'] = closed.text;
    if (name !== 'trans-unit' && name !== 'segment') return;
    if (closed.tag.attributes['translate'] !== 'no' && closed.source.trim() !== '')
      found.push(closed.tag.attributes['own'] ?? '');
  });
  parser.write(source).close();
  return found;
}

function plainText(markup: string): string {
  let content = '';
  const parser = new SaxesParser({ fragment: true });
  parser.on('text', (more) => void (content += more));
  parser.on('cdata', (more) => void (content += more));
  parser.write(markup).close();
  return content;
}

function readBack({ text: written, slots }: Document): void {
  const values = slots.map(({ value, syntax }) => (isXmlSource(syntax) ? plainText(value) : value));
  // A target with tags for a source without any is read as plain XML source.
  const isOdd = slots.some(
    ({ value, syntax }) => !isXmlSource(syntax) && /<(?:x|g|bpt|mrk|ph|pc|sc)\b/.test(value),
  );
  if (!isOdd) expect(targetsIn(written)).toEqual(values);
}

formatContract(xliff, { documents, oracle: readBack, runs: 400 });

const segmentsOf = (value: string): readonly string[] => parseMessage(value, 'xliff').segments('de');

describe('inline elements', () => {
  it.each([
    ['A <bpt id="1">&lt;b&gt;</bpt>bold<ept id="2">&lt;/b&gt;</ept> end', 'A <x id="1"/>bold<x id="2"/> end'],
    ['<ph id="1">{0, plural, other {x}}</ph> files', '<x id="1"/> files'],
    ['<g id="1">Open</g> <x id="2"/>', '<x id="1">Open</x> <x id="2"/>'],
    ['<pc id="1">Open</pc> <mrk translate="no">Brand</mrk>', '<x id="1">Open</x> <x id="2"/>'],
    ['<x:ph id="1">[a](</x:ph>link', '<x id="1"/>link'],
    ['Tom &amp; Jerry &lt;3', 'Tom &amp; Jerry &lt;3'],
  ])('%s', (value, tagged) => {
    expect(segmentsOf(value)).toEqual([tagged]);
  });

  it('represent the code of their id', () => {
    const source = '<x id="START"/>a<x id="END"/>';
    expect(verify(source, '<x id="END"/>a<x id="START"/>', { syntax: 'xliff', locale: 'de' })).toEqual([]);
    expect(verify(source, '<x id="START"/>a<x id="START"/>', { syntax: 'xliff', locale: 'de' })).not.toEqual(
      [],
    );
  });
});

describe('a target', () => {
  const unit = (inner: string): string =>
    `<xliff version="1.2"><file original="f"><body><trans-unit id="a">${inner}</trans-unit></body></file></xliff>`;
  const write = (inner: string, value: string): string => {
    const document = xliff.scan(unit(inner));
    return render(xliff, document, new Map([[0, value]])).text;
  };

  it('is written as markup if its source has inline elements, and refused if that breaks it', () => {
    expect(write('<source>a<x id="1"/></source>', '<x id="1"/> &amp; b')).toContain(
      '<target><x id="1"/> &amp; b</target>',
    );
    const document = xliff.scan(unit('<source>a<x id="1"/></source>'));
    const { rejected, text: kept } = render(xliff, document, new Map([[0, 'a < b']]));
    expect(rejected.get(0)?.code).toBe('unencodable_value');
    expect(kept).toBe(document.text);
  });

  it('gets the state that other targets have', () => {
    const [with1, without] = ['<target state="new">x</target>', '<target>x</target>'].map((other) => {
      const document = xliff.scan(
        unit('<source>a</source>').replace(
          '</body>',
          `<trans-unit id="b"><source>b</source>${other}</trans-unit></body>`,
        ),
      );
      return render(xliff, document, new Map([[0, 'A']])).text;
    });
    expect(with1).toContain('<source>a</source><target state="translated">A</target>');
    expect(without).toContain('<source>a</source><target>A</target>');
  });
});
