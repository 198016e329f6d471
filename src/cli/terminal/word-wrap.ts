import { stripVTControlCharacters } from 'node:util';
import { countCodePoints } from '../../base/code-points.ts';
import type { Terminal } from './terminal.ts';

/** Later lines of a paragraph are aligned with the text of a hint. */
const INDENT = 2;

/** Programs whose commands stay on one line, because a pasted part of a command would be executed. */
const COMMAND = /^["'`(]*(?:dragoman|apt-get|npm|npx)$/;
const LAST_OF_COMMAND = /[.,;:)"'`]$/;

/** A text for people, formatted for its stream: on a terminal, wrapped without splitting words. */
export function fitted(text: string, { isTTY, columns }: Terminal['stderr']): string {
  return isTTY === true && columns !== undefined && columns > 0 ? wrapWords(text, columns) : text;
}

/**
 * The lines of a text with at most `width` characters each, broken between words. A command is broken only if it is
 * longer than a line; a long word, such as a path, is never broken. Colours have no width.
 */
export function wrapWords(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => (lengthOf(line) <= width ? line : wrapLine(line, width)))
    .join('\n');
}

function wrapLine(line: string, width: number): string {
  const given = /^ */.exec(line)?.[0].length ?? 0;
  const indent = ' '.repeat(Math.max(INDENT, given));
  const lines: string[] = [];
  let current = ' '.repeat(given);
  let isEmpty = true;
  const add = (part: string): void => {
    const isBroken = !isEmpty && lengthOf(current) + 1 + lengthOf(part) > width;
    if (isBroken) lines.push(current);
    current = isBroken ? indent + part : `${current}${isEmpty ? '' : ' '}${part}`;
    isEmpty = false;
  };
  for (const part of withWholeCommands(line.slice(given).split(' '))) {
    if (indent.length + lengthOf(part) <= width) add(part);
    else for (const word of part.split(' ')) add(word);
  }
  return [...lines, current].join('\n');
}

/** The words of a text. A command counts as one word, from a program's name to the next punctuation mark. */
function withWholeCommands(words: readonly string[]): readonly string[] {
  const parts: string[] = [];
  let isCommand = false;
  for (const word of words) {
    const plain = stripVTControlCharacters(word);
    if (isCommand) parts.push(`${parts.pop() ?? ''} ${word}`);
    else parts.push(word);
    isCommand = (isCommand || COMMAND.test(plain)) && !LAST_OF_COMMAND.test(plain);
  }
  return parts;
}

function lengthOf(text: string): number {
  return countCodePoints(stripVTControlCharacters(text));
}
