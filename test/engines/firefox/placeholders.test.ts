import { describe, expect, it } from 'vitest';
import { toElements } from '../../../src/engines/firefox/elements.ts';
import {
  chooseFreeNumbers,
  encodeElements,
  type EncodingStyle,
  translateLine,
  translateText,
} from '../../../src/engines/firefox/text.ts';
import type { ModelText } from '../../../src/engines/firefox/worker/messages.ts';
import { tokenize, writeTagged } from '../../../src/text/tagged.ts';

const tokens = (tagged: string) => tokenize(tagged)!;
const encode = (tagged: string, style: EncodingStyle) => encodeElements(toElements(tokens(tagged)), style)!;

/** A scripted model that records its requests. */
function model(answer: (text: string, html: boolean) => string) {
  const asked: ModelText[] = [];
  const ask = (text: ModelText) => {
    asked.push(text);
    return Promise.resolve({ answer: answer(text.text, text.html) });
  };
  const translate = async (tagged: string): Promise<string> => {
    const outcome = await translateText([ask], tagged);
    return 'failure' in outcome ? `FAILED ${outcome.failure}` : outcome.translation;
  };
  return { asked, translate };
}

describe('a text sent to a model', () => {
  it.each([
    ['You have <x id="1"/> messages', 'copied', 'You have 437 messages'],
    ['You have <x id="1"/> messages', 'aligned', 'You have <img id="0"> messages'],
    ['<x id="1"/> / <x id="2"/>: done', 'copied', '437: done'],
    ['<x id="1"/> of <x id="2"/>', 'copied', '437 of 629'],
    ['Read 437 of <x id="2"/>', 'copied', 'Read 437 of 629'],
    ['Read <x id="1">it</x> &amp; <x id="2"/>', 'copied', 'Read <b id="1">it</b> &amp; 437'],
    ['Read <x id="1"></x><x id="2"><x id="3"/></x> now', 'copied', 'Read 437 now'],
  ] as const)('made from %s, with placeholders %s, is %s', (tagged, style, text) => {
    expect(encode(tagged, style).text.text).toBe(text);
  });

  it('gets as many numbers as it needs, or none', () => {
    expect(chooseFreeNumbers('437 and 629', 2)).toEqual([538, 846]);
    expect(chooseFreeNumbers('', 25)).toBeUndefined();
    expect(new Set(chooseFreeNumbers('', 24)).size).toBe(24);
  });
});

describe('an answer of a model', () => {
  const decode = (tagged: string, style: EncodingStyle, answer: string): string | undefined => {
    const found = encode(tagged, style).decode(answer);
    return found && writeTagged(found);
  };

  it.each([
    ['Hi <x id="1"/> and <x id="2"/>', 'Y 629, 437 hola', 'Y <x id="2"/>, <x id="1"/> hola'],
    ['Hi <x id="1"/>', 'أهلا ٤٣٧', 'أهلا <x id="1"/>'],
    ['Hi <x id="1"/>', 'नमस्ते ४३७!', 'नमस्ते <x id="1"/>!'],
    ['<x id="1"/> / <x id="2"/> files', 'ficheros 437', 'ficheros <x id="1"/> / <x id="2"/>'],
    ['Hi <x id="1"/>', 'a < b 437', 'a &lt; b <x id="1"/>'],
  ])('with numbers: %s → %s', (tagged, answer, expected) => {
    expect(decode(tagged, 'copied', answer)).toBe(expected);
  });

  it.each([
    ['a <x id="1">b</x> c', 'A <b id="1">B</b> C', 'A <x id="1">B</x> C'],
    ['a <x id="1">b</x> c', '<b id="1">A</b> <b id="1">B</b> C', '<x id="1">A B</x> C'],
    ['a <x id="1">b</x> <x id="2"/>', '&lt; <b id="1">B</b> 437', '&lt; <x id="1">B</x> <x id="2"/>'],
  ])('with tags: %s → %s', (tagged, answer, expected) => {
    expect(decode(tagged, 'copied', answer)).toBe(expected);
  });

  it.each([
    ['Hi <x id="1"/>', 'hola'],
    ['Hi <x id="1"/>', '437 hola 437'],
    ['Hi <x id="1"/>', 'hola 4370'],
    ['a <x id="1">b</x>', 'A <b id="1">B'],
    ['a <x id="1">b</x>', 'A B</b>'],
    ['a <x id="1">b</x>', 'A <i>B</i>'],
    ['a <x id="1">b</x>', 'A <b id="1">B</b> >'],
  ])('is damaged: %s → %s', (tagged, answer) => {
    expect(decode(tagged, 'copied', answer)).toBeUndefined();
  });
});

describe('a text', () => {
  it('without tags is sent unchanged, without surrounding space', async () => {
    const { asked, translate } = model((text) => text.toUpperCase());
    expect(await translate(' one\ttwo  a &lt; b\r\n 12')).toBe(' ONE\tTWO  A &lt; B\r\n 12');
    expect(asked.map(({ text }) => text)).toEqual(['one', 'two', 'a < b']);
  });

  it('is sent with numbers, then with tags, then in pieces', async () => {
    const good = model((text) => text.toUpperCase());
    expect(await good.translate('Hi <x id="1"/>, bye')).toBe('HI <x id="1"/>, BYE');
    expect(good.asked).toEqual([{ text: 'Hi 437, bye', html: false }]);
    const forgetful = model((text, html) => (html ? '<img id="0"> adios' : text.replace(/\d+/, '')));
    expect(await forgetful.translate('Hi <x id="1"/>, bye')).toBe('<x id="1"/> adios');
    const hopeless = model((text) => text.replace(/\d+|<[^>]*>/g, '').toUpperCase());
    expect(await hopeless.translate('Hi <x id="1"/>, bye')).toBe('HI<x id="1"/>, BYE'.replace('HI<', 'HI <'));
    expect(hopeless.asked.map(({ text }) => text)).toEqual([
      'Hi 437, bye',
      'Hi <img id="0">, bye',
      'Hi',
      ', bye',
    ]);
  });

  it('is sent with tags first if a number would merge with its neighbour', async () => {
    const { asked, translate } = model((text) => text);
    await translate('v<x id="1"/> is new');
    expect(asked[0]?.html).toBe(true);
  });

  it('keeps a pair around the whole text out of the request', async () => {
    const { asked, translate } = model((text) => text.toUpperCase());
    expect(await translate('<x id="1"><x id="2">Delete all</x></x>')).toBe(
      '<x id="1"><x id="2">DELETE ALL</x></x>',
    );
    expect(asked).toEqual([{ text: 'Delete all', html: false }]);
  });

  it.each([
    ['a pair has lost its words', 'Hola <b id="1"></b> ahora'],
    ['a pair has moved into another', '<b id="1">Hola <b id="2">x</b></b>'],
    ['nothing is left', ''],
    ['a tag occurs twice', '<b id="1">a</b> b <b id="1">c</b> <b id="2">d</b>'],
  ])('is sent in pieces if %s', async (_, answer) => {
    const { translate } = model((text, html) => (html ? answer : text.toUpperCase()));
    expect(await translate('Read <x id="1">it</x> <x id="2">now</x>')).toBe(
      'READ <x id="1">IT</x> <x id="2">NOW</x>',
    );
  });

  it('with more placeholders than numbers is sent with tags', async () => {
    const tagged = Array.from({ length: 30 }, (_, i) => `word <x id="${i + 1}"/>`).join(' ');
    const { asked, translate } = model((text) => text);
    expect(await translate(tagged)).toBe(tagged);
    expect(asked[0]?.html).toBe(true);
  });

  it('fails if the model fails or returns nothing', async () => {
    const failing = () => Promise.resolve({ failure: 'it broke' });
    expect(await translateLine(failing, tokens('Hi <x id="1"/>'))).toEqual({ failure: 'it broke' });
    expect(await model(() => ' ').translate('Hi')).toBe('FAILED the translation model returned no words');
  });
});
