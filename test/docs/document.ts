import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';

export const ROOT = join(import.meta.dirname, '../..');

/** A fenced block of a document, with the notes in HTML comments directly above it. */
export interface Block {
  readonly language: string;
  readonly text: string;
  readonly line: number;
  /** `<!-- exit: 8 -->` is `exit` with `8`, and `<!-- output -->` is `output` with an empty text. */
  readonly notes: ReadonlyMap<string, string>;
}

/** README and the chapters of `docs`, without the generated ones: paths from the root of the checkout. */
export const DOCUMENTS: readonly string[] = [
  'README.md',
  ...fastGlob.sync('docs/*.md', { cwd: ROOT }).sort(),
];

export function readDocument(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

const FENCE = /^(`{3,})(\w*)\n([^]*?)^\1$/gm;

export function blocksOf(text: string): readonly Block[] {
  let end = 0;
  return [...text.matchAll(FENCE)].map((match) => {
    const [whole, , language = '', content = ''] = match;
    const notes = notesAtEndOf(text.slice(end, match.index));
    end = match.index + whole.length;
    return { language, text: content, line: text.slice(0, match.index).split('\n').length, notes };
  });
}

function notesAtEndOf(text: string): ReadonlyMap<string, string> {
  const notes = new Map<string, string>();
  const lines = text.trimEnd().split('\n');
  for (let line = lines.pop(); line !== undefined; line = lines.pop()) {
    if (line.trim() === '') continue;
    const note = /^<!-- ([a-z ]+?)(?:: (.+))? -->$/.exec(line);
    if (!note) break;
    notes.set(note[1] ?? '', note[2] ?? '');
  }
  return notes;
}

/** The commands of a document in order: everything that a reader would type. */
export function commandsOf(path: string): readonly string[] {
  return blocksOf(readDocument(path))
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text);
}
