import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeRecord, readItems, splitLiterals } from '../../src/engines/apertium/record.ts';
import { joinItems, rebuildPairs, restoreCase } from '../../src/engines/apertium/text.ts';
import { FrameReader } from '../../src/workers/conversation.ts';
import { printable } from '../../src/workers/printable.ts';
import { encodeWords, tokenize, writeTagged, type Token } from '../../src/text/tagged.ts';
import { processorTime } from '../processor-time.ts';
import { codePoint } from '../code-point.ts';

const tagged = fc
  .array(
    fc.oneof(
      fc.string({ unit: codePoint, maxLength: 8 }).map((text) => ({ text })),
      fc.constantFrom('the house', ' a_b ', '50%', '[b0]', '$x', ']]').map((text) => ({ text })),
      fc.constant('placeholder' as const),
      fc.constant('open' as const),
      fc.constant('close' as const),
    ),
    { maxLength: 12 },
  )
  .map((parts) => {
    let text = '';
    let id = 0;
    let depth = 0;
    for (const part of parts) {
      if (part === 'placeholder') text += `<x id="${++id}"/>`;
      else if (part === 'open') {
        text += `<x id="${++id}">`;
        depth++;
      } else if (part !== 'close') text += encodeWords(part.text.normalize('NFC'));
      else if (depth > 0) {
        text += '</x>';
        depth--;
      }
    }
    return text + '</x>'.repeat(depth);
  });

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}

function literals(words: string): string[] {
  return splitLiterals(words).flatMap((piece) => (piece.literal ? [piece.text] : []));
}

function words(text: string): Token[] {
  return [{ type: 'words', text }];
}

describe('the stream format', () => {
  it('carries every balanced text unchanged, with loose and bound pairs', () => {
    fc.assert(
      fc.property(tagged, (text) => {
        const tokens = tokenize(text)!;
        const loose = encodeRecord(tokens, 'loose');
        expect(writeTagged(joinItems(readItems(loose.stream, loose.blanks)!))).toBe(text);
        const bound = encodeRecord(tokens, 'bound');
        const pairs = tokens.flatMap((token) => (token.type === 'open' ? [token.id] : []));
        const back = rebuildPairs(readItems(bound.stream, bound.blanks)!, pairs);
        // Space at the edges of a pair may move outside of it; nothing else may move.
        expect(withoutSpace(writeTagged(back!))).toBe(withoutSpace(text));
      }),
      { numRuns: 500 },
    );
  });

  it('escapes everything that would end a pipeline', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (words) => {
        const { stream } = encodeRecord([{ type: 'words', text: words }], 'loose');
        expect(stream.replace(/\[b\d+\]/g, '').replace(/\\./g, '')).not.toMatch(/[\\^$<>{}@[\]\0\n]/);
      }),
    );
  });

  it.each(['[b1]', '[b0][b0]', '', '[b0', '[[t:x:1]][b0]^a$', '[[t:y:1]]a[[/]][b0]', '[bx][b0]'])(
    'detects a damaged answer: %s',
    (stream) => {
      const blanks = [{ tokens: [{ type: 'placeholder', id: 1 } as const], owners: [] }];
      expect(readItems(stream, blanks)).toBeUndefined();
    },
  );
});

describe('splitLiterals', () => {
  it('treats addresses and identifiers as literals, but not prose', () => {
    expect(literals('see http://a.b/c_d?e=f, or (a@b.com).')).toEqual(['http://a.b/c_d?e=f', '(a@b.com']);
    expect(literals('set max_length and/or /etc/x.conf to A_1')).toEqual([
      'max_length',
      '/etc/x.conf',
      'A_1',
    ]);
    expect(literals("Don't delete it, John!")).toEqual([]);
    expect(literals('two  spaces * 5')).toEqual(['  ', '*']);
  });

  it.each(['_a', 'a.', 'a@', ' ', '/', "'", '😀', 'x://'])('is linear for many %s', (unit) => {
    const started = processorTime();
    expect(splitLiterals(unit.repeat(500_000)).length).toBeGreaterThan(0);
    expect(processorTime() - started).toBeLessThan(5000);
  });
});

describe('restoreCase', () => {
  it.each([
    ['files selected', 'Archivos seleccionados', 'archivos seleccionados'],
    ['Files selected', 'Archivos seleccionados', 'Archivos seleccionados'],
    ['the URL', 'URL la', 'URL la'],
    ['open Foo', 'Foo abierto', 'Foo abierto'],
    ['élan', 'Élan', 'élan'],
    ['5 files', '5 Archivos', '5 archivos'],
    ['five', '5', '5'],
  ])('%s: %s → %s', (source, answer, expected) => {
    expect(restoreCase(words(source), words(answer))).toEqual(words(expected));
  });
});

describe('FrameReader', () => {
  it('yields the same frames no matter where the bytes are split', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: codePoint })), fc.integer({ min: 1, max: 7 }), (texts, size) => {
        const frames = texts.map((text) => text.replaceAll('\n', ''));
        const bytes = Buffer.from(frames.map((frame) => `${frame}\n`).join(''));
        const reader = new FrameReader(10, 10_000);
        const read: string[] = [];
        for (let at = 0; at < bytes.length; at += size) {
          for (const frame of reader.push(bytes.subarray(at, at + size))!) read.push(frame.toString());
        }
        expect(read).toEqual(frames.map((frame) => Buffer.from(frame).toString()));
      }),
    );
  });

  it('refuses a frame over its limit, complete or not', () => {
    expect(new FrameReader(10, 4).push(Buffer.from('12345\n'))).toBeUndefined();
    const reader = new FrameReader(10, 4);
    expect(reader.push(Buffer.from('1234'))).toEqual([]);
    expect(reader.push(Buffer.from('5'))).toBeUndefined();
  });
});

describe('printable', () => {
  it('escapes everything that would control a terminal', () => {
    expect(printable(' a\u001b[31m\u202eb\nc\t\ud800 ', 100)).toBe('a\\u{1b}[31m\\u{202e}b\\nc\\t\\u{d800}');
    expect(printable('abcdef', 3)).toBe('abc…');
  });
});
