import { setImmediate as nextTurn } from 'node:timers/promises';
import { throwIfAborted } from '../../base/interruption.ts';
import type { Engine, EngineOutcome } from '../engine.ts';
import { tokenize, writeTagged, type TaggedText, type Token } from '../../text/tagged.ts';

const PLAIN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ACCENTED = 'ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž';
/** Accented letters by code unit; each is a single code unit. */
const accents = Uint16Array.from({ length: 128 }, (_, code) => {
  const letter = PLAIN.indexOf(String.fromCharCode(code));
  return letter < 0 ? code : ACCENTED.charCodeAt(letter);
});
/** Code units that are converted to a string at once, two bytes each. */
const CHUNK = 4096;
const units = Buffer.alloc(2 * CHUNK);

/**
 * The embedded engine for tests, layout checks and CI: replaces every unaccented Latin letter with a legible accented
 * one. Same input, same output, in every direction.
 */
export function createPseudoEngine(): Engine {
  return {
    id: 'pseudo',
    isPseudo: true,
    isImmediate: true,
    status: () =>
      Promise.resolve({
        id: 'pseudo',
        ready: true,
        detail: 'embedded: accents letters, for tests',
        pairs: 'any',
      }),
    supports: () => Promise.resolve(true),
    translate: async ({ texts }, signal) => {
      throwIfAborted(signal);
      const outcomes: EngineOutcome[] = [];
      for (const text of texts)
        outcomes.push(isLong(text) ? await accentLong(text, signal) : accentText(text));
      return outcomes;
    },
    close: () => Promise.resolve(),
  };
}

/** Code units to process in one turn of the event loop: a single value of a file may be megabytes long. */
const TURN = 64 * CHUNK;

const isLong = (text: TaggedText): boolean => text.length > TURN;

const MALFORMED: EngineOutcome = { failure: 'the text is not well-formed' };

async function accentLong(tagged: TaggedText, signal: AbortSignal): Promise<EngineOutcome> {
  const accented: Token[] = [];
  const tokens = tokenize(tagged);
  if (!tokens) return MALFORMED;
  for (const token of tokens) {
    if (token.type !== 'words') {
      accented.push(token);
      continue;
    }
    let text = '';
    for (let start = 0; start < token.text.length; start += TURN) {
      text += accentLetters(token.text.slice(start, start + TURN));
      if (isLong(token.text)) await nextTurn();
      throwIfAborted(signal);
    }
    accented.push({ type: 'words', text });
  }
  return { translation: writeTagged(accented) };
}

function accentText(tagged: TaggedText): EngineOutcome {
  const tokens = tokenize(tagged);
  if (!tokens) return MALFORMED;
  const accented = tokens.map((token): Token =>
    token.type === 'words' ? { type: 'words', text: accentLetters(token.text) } : token,
  );
  return { translation: writeTagged(accented) };
}

function accentLetters(words: string): string {
  let accented = '';
  for (let start = 0; start < words.length; start += CHUNK) {
    const length = Math.min(CHUNK, words.length - start);
    for (let i = 0; i < length; i++) {
      const code = words.charCodeAt(start + i);
      const unit = accents[code] ?? code;
      units[2 * i] = unit & 0xff;
      units[2 * i + 1] = unit >> 8;
    }
    accented += units.toString('utf16le', 0, 2 * length);
  }
  return accented;
}

/** Whether words are the engine's output for a text. */
export function isAccented(text: string, words: string): boolean {
  return words !== text && withoutAccents(words) === withoutAccents(text);
}

function withoutAccents(words: string): string {
  return words.replace(/[^\x00-\x7f]/g, (letter) => PLAIN[ACCENTED.indexOf(letter)] ?? letter);
}
