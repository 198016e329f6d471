import { basename, join } from 'node:path/posix';
import { writeAtomically } from '../../base/atomic-file.ts';
import { readIfThere } from '../../base/bounded-read.ts';
import { DragomanError } from '../../base/errors.ts';
import { requireUnreserved } from '../../base/inside.ts';

const LIMIT = 1 << 16;

interface ListedLanguage {
  /** The path of the list, relative to the root. */
  readonly list: string;
  readonly language: string;
}

/**
 * Adds the language of a new catalogue to the list next to it that build rules use (gettext's `LINGUAS`), in the layout
 * of that file. Does nothing without a list, or if the list is a link to something else.
 *
 * @param onWrite called before the list is written
 * @returns the path of the list, if the language was added
 * @throws DragomanError `unwritable_output`: the list is unchanged
 */
export async function extendList(
  root: string,
  { list, language }: ListedLanguage,
  onWrite: () => Promise<void>,
): Promise<string | undefined> {
  const options = { limit: LIMIT, code: 'unwritable_output' } as const;
  // A checkout may contain a link to any file here.
  if (basename(requireUnreserved(root, list, 'unwritable_output')) !== basename(list)) return undefined;
  const bytes = await readIfThere(join(root, list), options);
  const before = bytes?.toString('latin1');
  const after = before === undefined ? undefined : addLanguage(before, language);
  if (after === before || after === undefined) return undefined;
  await onWrite();
  try {
    await writeAtomically(join(root, list), Buffer.from(after, 'latin1'));
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    throw new DragomanError(error.code, error.message, {
      hint: `Make it writable, or add ${language} to it.`,
      cause: error,
    });
  }
  return list;
}

interface Word {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Adds a language to a list: on a separate line if the others are, otherwise on the line of its neighbour; in
 * alphabetical order if the others are, otherwise at the end. Comments stay where they are.
 */
export function addLanguage(text: string, language: string): string {
  const lines = wordsByLine(text);
  const words = lines.flat();
  if (words.some(({ name }) => name === language)) return text;
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const isSorted = words.every(({ name }, i) => i === 0 || (words[i - 1]?.name ?? '') < name);
  const next = isSorted ? words.find(({ name }) => name > language) : undefined;
  const previous = next ? words[words.indexOf(next) - 1] : words.at(-1);
  const neighbour = previous ?? next;
  if (!neighbour) return text + (text === '' || text.endsWith('\n') ? '' : newline) + language + newline;
  const isShared = lines.some(({ length }) => length > 1);
  const indentation = isShared
    ? ''
    : text.slice(text.lastIndexOf('\n', neighbour.start - 1) + 1, neighbour.start);
  const separator = isShared ? gapOf(text, lines) : newline + indentation;
  if (!previous) return insertAt(text, neighbour.start, language + separator);
  if (isShared) return insertAt(text, previous.end, separator + language);
  const feed = text.indexOf('\n', previous.end);
  const lineEnd = feed < 0 ? text.length : text.charAt(feed - 1) === '\r' ? feed - 1 : feed;
  return insertAt(text, lineEnd, separator + language);
}

/** The languages of each line, without `#` comments. */
function wordsByLine(text: string): readonly (readonly Word[])[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const from = start;
    start += line.length + 1;
    const [content = ''] = line.split('#', 1);
    return [...content.matchAll(/\S+/g)].map(({ 0: name, index }) => ({
      name,
      start: from + index,
      end: from + index + name.length,
    }));
  });
}

/** The text between two languages on a line. */
function gapOf(text: string, lines: readonly (readonly Word[])[]): string {
  const [first, second] = lines.find(({ length }) => length > 1) ?? [];
  return first && second ? text.slice(first.end, second.start) : ' ';
}

function insertAt(text: string, offset: number, added: string): string {
  return text.slice(0, offset) + added + text.slice(offset);
}
