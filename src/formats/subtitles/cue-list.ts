import { DragomanError } from '../../base/errors.ts';
import type { Span } from '../../base/span.ts';
import type { ScanOptions, Slot } from '../format.ts';
import type { Cue, CueProblem, SubtitleBlock, SubtitleDocument, SubtitleNotation } from './document.ts';
import { problemError } from './problem.ts';

/** A cue whose place is known, with its text as its notation reads it. */
export interface FoundCue extends Omit<Cue, 'slot' | 'id' | 'settings'> {
  readonly id?: string | undefined;
  /** Where its text stands; undefined where there is none to translate. */
  readonly span: Span | undefined;
  readonly writing: TextWriting;
}

/** How the text of a cue is written, and what is read of that; undefined where it is no text to translate any more. */
export interface TextWriting {
  readonly encode: (value: string) => string;
  readonly decode: (raw: string) => string | undefined;
}

export interface FoundCues {
  readonly cues: readonly FoundCue[];
  readonly blocks: readonly SubtitleBlock[];
  readonly problems: readonly CueProblem[];
  readonly locale?: string | undefined;
}

/**
 * The document of a format that finds its cues by itself.
 *
 * @throws DragomanError `unreadable_input` for more problems than cues, and where there are none of both
 */
export function documentOfCues(
  text: string,
  notation: SubtitleNotation,
  { cues, blocks, problems, locale }: FoundCues,
  { encodable }: ScanOptions,
): SubtitleDocument {
  const [first] = problems;
  if (first && problems.length > cues.length) throw problemError(text, first);
  if (cues.length === 0)
    throw new DragomanError('unreadable_input', 'the file has no subtitle', { at: { line: 1, column: 1 } });
  const write = (value: string, { encode, decode }: TextWriting): string => {
    const refuse = (what: string): never => {
      throw new DragomanError('unencodable_value', `a subtitle cannot hold ${what}`);
    };
    if (value.trim() === '') refuse('no text');
    if (value.includes('\r')) refuse('a carriage return within a line');
    if (encodable && !encodable(value)) refuse('characters that the encoding of the file does not have');
    const written = encode(value);
    if (decode(written) !== value) refuse('what would be read as something else');
    return written;
  };
  const slots: Slot[] = [];
  return {
    notation,
    text,
    slots,
    entries: [],
    tree: undefined,
    dialect: notation.title,
    locale,
    warnings: [],
    cues: cues.map(({ span, id, writing, ...cue }, i) => {
      const encode = (value: string): string => write(value, writing);
      const slot = span && slots.push(new FoundSlot(String(i + 1), cue.text, span, encode)) - 1;
      return { ...cue, id, settings: '', slot };
    }),
    blocks,
    problems,
    lineEnd: /\r\n|\n|\r/.exec(text)?.[0] ?? '\n',
  };
}

class FoundSlot implements Slot {
  readonly key: readonly [string];
  readonly value: string;
  readonly span: Span;
  readonly syntax = 'plain';
  readonly #write: (value: string) => string;

  constructor(number: string, value: string, span: Span, write: (value: string) => string) {
    this.key = [number];
    this.value = value;
    this.span = span;
    this.#write = write;
  }

  encode(value: string): string {
    return this.#write(value);
  }
}
