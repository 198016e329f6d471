/** A piece of words: prose goes to the stages, a literal passes them by in a numbered blank. */
export interface Piece {
  readonly literal: boolean;
  readonly text: string;
}

/**
 * Characters that mean something in the stream format or mark a word there, that a stage would drop or change, or that
 * no dictionary has. With every one of them in a blank, such a character in an answer outside the blanks is a mark.
 */
const LITERAL =
  / {2,}|[*#~+@^$\\{}<>[\]|_=%]+|[^\S ]+|[\p{C}\u20e3\ufe0f\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]+/gu;

const PLAIN = /^[A-Za-z0-9 .,;:!?'"()-]*$/;

/** Cuts words into prose and literals; joined they are the words again. Linear in the length. */
export function splitLiterals(words: string): Piece[] {
  // Most segments are like this, and looking at every chunk of them takes as long as all else that is done here.
  if (PLAIN.test(words) && !words.includes('  ')) return [{ literal: false, text: words }];
  const pieces: Piece[] = [];
  const add = (text: string, literal: boolean): void => {
    if (text === '') return;
    const last = pieces.at(-1);
    if (last?.literal === literal) pieces[pieces.length - 1] = { literal, text: last.text + text };
    else pieces.push({ literal, text });
  };
  for (const chunk of words.split(/(\s+)/)) {
    const end = chunk.length - trailingPunctuation(chunk);
    if (isCode(chunk.slice(0, end))) {
      add(chunk.slice(0, end), true);
      addProse(chunk.slice(end), add);
    } else addProse(chunk, add);
  }
  return pieces;
}

function addProse(text: string, add: (text: string, literal: boolean) => void): void {
  let at = 0;
  for (const match of text.matchAll(LITERAL)) {
    add(text.slice(at, match.index), false);
    add(match[0], true);
    at = match.index + match[0].length;
  }
  add(text.slice(at), false);
}

function trailingPunctuation(chunk: string): number {
  let count = 0;
  while (count < chunk.length && '.,;:!?)]}"\'»”’…'.includes(chunk.charAt(chunk.length - 1 - count))) count++;
  return count;
}

/** Beyond it the shape is not looked at: the expressions below take longer than the chunk is long. */
const LONGEST_CODE = 300;

/** Addresses, paths and identifiers: one unit, whose parts are no words. */
function isCode(chunk: string): boolean {
  if (/^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(chunk)) return true;
  if (chunk.length < 3 || chunk.length > LONGEST_CODE) return false;
  return (
    /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(chunk) ||
    /^(?:\.{1,2}|~)?\/[\w.-]/.test(chunk) ||
    /^[\w.]*[A-Za-z0-9]_[\w.]*$/.test(chunk)
  );
}
