import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { render } from '../../src/formats/render.ts';
import { ByteOffsets, createProgramFormat } from '../../src/plugins/program-format.ts';
import { formatContract } from '../formats/contract.ts';
import { answerPairs, type Fault } from './pairs-program.mjs';

type Answer = Readonly<Record<string, unknown>>;

const formatThat = (answer: (question: object) => Answer): ReturnType<typeof createProgramFormat> =>
  createProgramFormat({ ask: (question) => ({ answer: answer(question) }) });
const pairs = (fault?: Fault) => formatThat((question) => answerPairs(question, fault));

const keys = fc.stringMatching(/^[a-zäß😀]{1,4}(?:\.[a-z]{1,3})?$/u);
const raws = fc.stringMatching(/^(?:[a-z ü😀%{}=]|\\["\\n]){0,12}$/u);
const lines = fc.oneof(
  fc.tuple(keys, raws).map(([key, raw]) => `${key}="${raw}"`),
  fc.constantFrom('', '# note', 'no pair', '  ', '# größe = "x'),
);
const documents = fc
  .tuple(fc.array(lines, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'))
  .map(([all, newline]) => all.join(newline));

describe('a format that a program reads', () => {
  formatContract(pairs(), {
    documents,
    runs: 200,
    oracle: ({ text, slots }) => {
      const found = text
        .split(/\r?\n/)
        .flatMap((line) => /^[ \t]*[^#=]*[^#=\s][ \t]*="((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? []);
      expect(found).toHaveLength(slots.length);
    },
  });

  it('finds places by bytes in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const offsets = new ByteOffsets(text);
        const places = new Map<number, number>();
        for (let at = 0; at <= text.length; at++)
          if (text.slice(0, at).isWellFormed()) places.set(Buffer.byteLength(text.slice(0, at)), at);
        for (let byte = -1; byte <= Buffer.byteLength(text) + 1; byte++)
          expect(offsets.find(byte)).toBe(places.get(byte));
        expect(offsets.find(0.5)).toBeUndefined();
      }),
    );
  });

  it('is changed only at the offsets that its program named', () => {
    fc.assert(
      fc.property(documents, fc.array(fc.string()), fc.string(), (source, junk, value) => {
        let asked = 0;
        const format = formatThat((question) =>
          'encode' in question ? { text: junk[asked++ % junk.length] ?? '' } : answerPairs(question),
        );
        const document = format.scan(source);
        const written = writtenOr(() =>
          render(format, document, new Map(document.slots.map((_, i) => [i, value]))),
        );
        // Nothing is written if a program gives two different answers to the same request.
        if (!written) return;
        const { text } = written;
        const named = pairs().scan(text);
        let at = 0;
        for (const [i, { span }] of document.slots.entries()) {
          const place = named.slots[i]?.span ?? { start: 0, end: 0 };
          const before = source.slice(at, span.start);
          expect(text.slice(place.start - before.length, place.start)).toBe(before);
          at = span.end;
        }
        const rest = source.slice(at);
        expect(text.endsWith(rest)).toBe(true);
      }),
    );
  });

  it.each<readonly [string, Answer, string]>([
    ['nothing', {}, 'has neither "slots" nor "error"'],
    ['slots that are not a list', { slots: {} }, 'has neither'],
    ['a slot that is not an object', { slots: [1] }, 'slots[0] is not an object'],
    ['no key', { slots: [{ value: 'A', start: 3, end: 4 }] }, 'slots[0].key is not a list of strings'],
    ['an empty key', { slots: [{ key: [], value: 'A', start: 3, end: 4 }] }, 'slots[0].key'],
    ['no value', { slots: [{ key: ['a'], start: 3, end: 4 }] }, 'slots[0].value is not a string'],
    ['half a character', { slots: [{ key: ['a'], value: '\ud800', start: 3, end: 4 }] }, 'slots[0].value'],
    [
      'a place after the end',
      { slots: [{ key: ['a'], value: 'A', start: 3, end: 99 }] },
      'names [3, 99) as slots[0]',
    ],
    ['a place within a character', { slots: [{ key: ['a'], value: 'A', start: 4, end: 5 }] }, 'names [4, 5)'],
    ['an end before its start', { slots: [{ key: ['a'], value: 'A', start: 3, end: 1 }] }, 'names [3, 1)'],
    ['a negative place', { slots: [{ key: ['a'], value: 'A', start: -1, end: 1 }] }, 'names [-1, 1)'],
    [
      'places that overlap',
      {
        slots: [
          { key: ['a'], value: 'A', start: 0, end: 3 },
          { key: ['b'], value: 'A', start: 2, end: 3 },
        ],
      },
      'slots[1] overlaps',
    ],
    [
      'an unknown category',
      { slots: [{ key: ['a'], value: 'A', start: 0, end: 1, plural: { group: ['a'], category: 'some' } }] },
      'plural.category',
    ],
    ['an unknown syntax', { slots: [], syntax: 'markup' }, 'has an unknown syntax; known: plain, icu'],
    [
      'an entry beside its slot',
      { slots: [{ key: ['a'], value: 'A', start: 0, end: 1, entry: [1, 3] }] },
      '["a"] lies outside its entry',
    ],
    [
      'entries of only some slots',
      {
        slots: [
          { key: ['a'], value: 'A', start: 0, end: 1, entry: [0, 3] },
          { key: ['b'], value: 'A', start: 3, end: 3 },
        ],
      },
      'the entries of some slots only',
    ],
    ['a refusal without a reason', { error: 1 }, 'an "error" that is not a string'],
    [
      'a refusal at an invalid place',
      { error: 'no', offset: 77 },
      'an "offset" that is not a place in the text: 77',
    ],
  ])('is not read when its program answers %s', (_, answer, problem) => {
    const error = errorOf(() => formatThat(() => answer).scan('a="ü"'));
    expect(error).toMatchObject({ code: 'unreadable_input', at: undefined });
    expect(error.message).toContain(problem);
  });

  it('is refused at the place that its program names', () => {
    expect(errorOf(() => pairs().scan('ü="x"\ny=!!'))).toMatchObject({
      code: 'unreadable_input',
      message: 'two exclamation marks',
      at: { line: 2, column: 3 },
    });
  });

  it('does not blame values that its program did not encode', () => {
    const [slot] = formatThat((question) => ('encode' in question ? {} : answerPairs(question))).scan(
      'a="A"',
    ).slots;
    expect(errorOf(() => slot?.encode('B'))).toMatchObject({ code: 'integrity' });
  });

  it('takes locale, syntax, plural forms and notes from its program, and returns its own data to it', () => {
    const asked: object[] = [];
    const format = formatThat((question) => {
      asked.push(question);
      if ('encode' in question) return { text: 'x' };
      const plural = { group: ['n'], category: 'one' };
      const slot = {
        key: ['n', 'one'],
        value: '%d',
        start: 3,
        end: 5,
        plural,
        comment: 'note',
        data: { q: 1 },
      };
      return {
        slots: [slot, { ...slot, start: 5, end: 6, syntax: 'icu' }],
        syntax: 'c',
        locale: { start: 0, end: 2 },
      };
    });
    const document = format.scan('en:%dx', { locale: 'en' });
    expect(document).toMatchObject({ dialect: 'c', locale: 'en' });
    expect(document.slots).toMatchObject([
      { syntax: 'c', comment: 'note', plural: { group: ['n'], category: 'one' } },
      { syntax: 'icu' },
    ]);
    document.slots[0]?.encode('%d!');
    expect(asked).toEqual([
      { scan: { text: 'en:%dx', locale: 'en' } },
      { encode: { key: ['n', 'one'], raw: '%d', value: '%d!', data: { q: 1 } } },
    ]);
    const options = { locale: 'fr', spelling: 'fr', role: 'new' } as const;
    expect(format.retarget(document, options)).toEqual([{ span: { start: 0, end: 2 }, text: 'fr' }]);
  });
});

function errorOf(action: () => unknown): DragomanError {
  try {
    action();
  } catch (error) {
    if (error instanceof DragomanError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

function writtenOr<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof DragomanError && error.code === 'integrity') return undefined;
    throw error;
  }
}
