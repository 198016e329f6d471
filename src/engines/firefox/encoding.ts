import { decodeWords, encodeWords, type Token } from '../../text/tagged.ts';
import type { Element } from './elements.ts';
import { chooseStandIns, findStandIns } from './stand-ins.ts';
import type { ModelText } from './worker/messages.ts';

/**
 * How atoms travel. `copied`: as numbers among the words. `aligned`: as tags, which the model does not see, and which
 * are put where attention says their neighbours went. Pairs around words always are tags.
 */
export type Style = 'copied' | 'aligned';

/** A text as a model gets it, with the way back. */
export interface EncodedText {
  readonly text: ModelText;
  /** The tokens of an answer; undefined when it is damaged: an atom lost or doubled, a tag that was not sent. */
  decode(answer: string): Token[] | undefined;
}

/** Undefined when there are more atoms than numbers to stand for them. */
export function encodeElements(elements: readonly Element[], style: Style): EncodedText | undefined {
  const atoms = elements.flatMap((element) => (element.type === 'atom' ? [element.tokens] : []));
  const words = elements.map((element) => (element.type === 'words' ? element.text : ' ')).join('');
  const standIns = style === 'copied' ? chooseStandIns(words, atoms.length) : [];
  if (!standIns) return undefined;
  const html = elements.some(({ type }) => type === 'open' || (type === 'atom' && style === 'aligned'));
  let atom = 0;
  const write = (element: Element): string => {
    if (element.type === 'words') return html ? encodeWords(element.text) : element.text;
    if (element.type === 'open') return `<b id="${element.id}">`;
    if (element.type === 'close') return '</b>';
    const i = atom++;
    return style === 'copied' ? String(standIns[i]) : `<img id="${i}">`;
  };
  return {
    text: { text: elements.map(write).join(''), html },
    decode(answer) {
      const pieces = html ? readMarkup(answer) : [{ words: answer }];
      return pieces && restore(pieces, atoms, standIns);
    },
  };
}

type Piece = { readonly words: string } | { readonly atom: number } | { readonly open: number } | 'close';

/** Reads the markup of an answer; undefined when there is any that was not sent. */
function readMarkup(answer: string): Piece[] | undefined {
  const pieces: Piece[] = [];
  let at = 0;
  const addWords = (end: number): boolean => {
    const raw = answer.slice(at, end);
    if (raw !== '') pieces.push({ words: decodeWords(raw) });
    return !/[<>]/.test(raw);
  };
  for (const match of answer.matchAll(/<(?:(b|img) id="(\d+)"|\/b)>/g)) {
    if (!addWords(match.index)) return undefined;
    at = match.index + match[0].length;
    const id = Number(match[2]);
    pieces.push(match[1] === undefined ? 'close' : match[1] === 'b' ? { open: id } : { atom: id });
  }
  return addWords(answer.length) ? pieces : undefined;
}

function restore(
  pieces: readonly Piece[],
  atoms: readonly (readonly Token[])[],
  standIns: readonly number[],
): Token[] | undefined {
  const tokens: Token[] = [];
  const missing = new Set(atoms.keys());
  const open: number[] = [];
  const addAtom = (i: number): boolean => {
    tokens.push(...(atoms[i] ?? []));
    return missing.delete(i);
  };
  for (const piece of pieces) {
    if (piece === 'close') {
      const id = open.pop();
      if (id === undefined) return undefined;
      tokens.push({ type: 'close', id });
    } else if ('open' in piece) {
      open.push(piece.open);
      tokens.push({ type: 'open', id: piece.open });
    } else if ('atom' in piece) {
      if (!addAtom(piece.atom)) return undefined;
    } else {
      for (const part of findStandIns(piece.words, standIns)) {
        if (typeof part === 'string') tokens.push({ type: 'words', text: part });
        else if (!addAtom(part)) return undefined;
      }
    }
  }
  return missing.size === 0 && open.length === 0 ? joinParts(tokens) : undefined;
}

/** A pair that comes back in parts with nothing but space between them is one. */
function joinParts(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    const space = last?.type === 'words' && last.text.trim() === '' ? 1 : 0;
    const before = joined.at(-1 - space);
    if (token.type === 'open' && before?.type === 'close' && before.id === token.id) {
      joined.splice(joined.length - 1 - space, 1);
    } else joined.push(token);
  }
  return joined;
}
