import * as fc from 'fast-check';
import { parseFragment, serialize } from 'parse5';
import { describe, expect, it } from 'vitest';
import { create } from 'xmlbuilder2';
import { canHold, toHtml, toXml } from '../../src/engines/hosted/markup.ts';
import { tokenize, writeTagged, type TaggedText, type Token } from '../../src/text/tagged.ts';

const words = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(...'ab &<>"\'\n\r\t\u00a0;#1{}'.split('')),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
  })
  .filter((text) => text !== '' && canHold(text));

/** Tagged texts with nested pairs. */
const tokens: fc.Arbitrary<readonly Token[]> = fc
  .array(fc.oneof(words, fc.constantFrom('placeholder', 'open', 'close')), { maxLength: 9 })
  .map((parts) => {
    const made: Token[] = [];
    const open: number[] = [];
    let id = 0;
    for (const part of parts) {
      if (part === 'placeholder') made.push({ type: 'placeholder', id: ++id });
      else if (part === 'open') {
        open.push(++id);
        made.push({ type: 'open', id });
      } else if (part === 'close') {
        const closed = open.pop();
        if (closed !== undefined) made.push({ type: 'close', id: closed });
      } else made.push({ type: 'words', text: part });
    }
    for (const closed of open.reverse()) made.push({ type: 'close', id: closed });
    return made;
  });

/** The text as it comes back; undefined if it was refused. */
function read(
  { text, read: readBack }: ReturnType<typeof toXml>,
  through: (text: string) => string,
): TaggedText | undefined {
  const outcome = readBack(through(text));
  return 'translation' in outcome ? outcome.translation : undefined;
}

describe('the markup of sent segments', () => {
  it('reads back unchanged for any words', () => {
    fc.assert(
      fc.property(tokens, (sent) => {
        const tagged = writeTagged(sent);
        expect(read(toXml(sent), (text) => text)).toBe(tagged);
        expect(read(toHtml(sent), (text) => text)).toBe(tagged);
      }),
    );
  });

  it('means the same to an HTML parser', () => {
    fc.assert(
      fc.property(tokens, (sent) => {
        const tagged = writeTagged(sent);
        expect(read(toHtml(sent), (text) => serialize(parseFragment(text)))).toBe(tagged);
      }),
    );
  });

  it('means the same to an XML parser', () => {
    fc.assert(
      fc.property(tokens, (sent) => {
        const tagged = writeTagged(sent);
        const reread = (text: string): string => {
          const whole = create(`<d>${text}</d>`).root().toString({ headless: true });
          return whole === '<d/>' ? '' : whole.slice('<d>'.length, -'</d>'.length);
        };
        // An empty pair comes back as an empty element.
        expect(tokenize(read(toXml(sent), reread) ?? '<')).toEqual(tokenize(tagged));
      }),
    );
  });

  it.each(['&#0; a', '&#xD800; a', 'a &#x110000;'])('keeps %s, which is not a valid character', (answer) => {
    const { read: readBack } = toHtml([{ type: 'words', text: 'a' }]);
    expect(readBack(answer)).toMatchObject({ translation: answer.replace('&', '&amp;') });
  });

  it.each(['a\u0000', '\u001b[31m', 'a\uffff', '\ud800'])('cannot hold %j', (text) => {
    expect(canHold(text)).toBe(false);
  });
});
