import { DragomanError } from '../../base/errors.ts';
import type { Span } from '../../base/span.ts';
import type { ScanOptions, Slot } from '../format.ts';
import {
  type Cue,
  type CueProblem,
  type ReadCue,
  requireCues,
  type SubtitleBlock,
  type SubtitleDocument,
  type SubtitleNotation,
} from './document.ts';

/** A cue whose place is known, with its text as its notation reads it. */
export interface FoundCue extends Omit<Cue, 'slot' | 'id' | 'settings'> {
  readonly id?: string | undefined;
  readonly settings?: string;
  /** Where its text stands; undefined where there is none to translate. */
  readonly span: Span | undefined;
  /** One for as many cues as can share it. */
  readonly writing: TextWriting;
}

/**
 * How the text of a cue is written, and what is read of that; undefined where it is no text to translate any more. The
 * former throws for what it can name.
 */
export interface TextWriting {
  encode(value: string): string;
  decode(raw: string): string | undefined;
}

/** What a format finds beside cues. */
export interface FoundAround {
  readonly blocks: readonly SubtitleBlock[];
  readonly problems: readonly CueProblem[];
  readonly locale?: string | undefined;
}

/** Gets the cues of a text, in file order: what is not kept of them is gone before the next one is read. */
export type FindCues = (text: string, take: (cue: FoundCue) => void) => FoundAround;

/**
 * The document of a format that finds its cues by itself.
 *
 * @throws DragomanError `unreadable_input` for more problems than cues, and where there are none of both
 */
export function documentOfCues(
  text: string,
  notation: SubtitleNotation,
  find: FindCues,
  { encodable }: ScanOptions,
): SubtitleDocument {
  const slots: Slot[] = [];
  const cues: Cue[] = [];
  const { blocks, problems, locale } = find(text, (found) => {
    const { id, head, start, end, settings = '', speaker, text: value, span } = found;
    const slot = span && slots.push(new FoundSlot(cues.length + 1, found, span, encodable)) - 1;
    cues.push({ id, head, start, end, settings, speaker, text: value, slot });
  });
  requireCues(text, cues.length, problems, notation.mayBeEmpty);
  return {
    notation,
    text,
    slots,
    entries: [],
    tree: undefined,
    dialect: notation.title,
    locale,
    warnings: [],
    cues,
    blocks,
    problems,
    lineEnd: /\r\n|\n|\r/.exec(text)?.[0] ?? '\n',
  };
}

/** Reads the cues alone, and keeps nothing of them. @throws DragomanError as {@link documentOfCues}. */
export function readFoundCues(
  text: string,
  find: FindCues,
  visit: ReadCue,
  { mayBeEmpty }: { readonly mayBeEmpty?: boolean } = {},
): void {
  let count = 0;
  const { problems } = find(text, ({ head, span, text: value }) => {
    count++;
    visit({ head, key: [String(count)], text: span && value });
  });
  requireCues(text, count, problems, mayBeEmpty);
}

class FoundSlot implements Slot {
  readonly value: string;
  readonly span: Span;
  readonly #number: number;
  readonly #writing: TextWriting;
  readonly #encodable: ScanOptions['encodable'];

  constructor(number: number, { text, writing }: FoundCue, span: Span, encodable: ScanOptions['encodable']) {
    this.#number = number;
    this.value = text;
    this.span = span;
    this.#writing = writing;
    this.#encodable = encodable;
  }

  get key(): readonly [string] {
    return [String(this.#number)];
  }

  get syntax(): 'plain' {
    return 'plain';
  }

  encode(value: string): string {
    const refuse = (what: string): never => {
      throw new DragomanError('unencodable_value', `a subtitle cannot hold ${what}`);
    };
    if (value.trim() === '') refuse('no text');
    if (value.includes('\r')) refuse('a carriage return within a line');
    if (this.#encodable && !this.#encodable(value))
      refuse('characters that the encoding of the file does not have');
    const written = this.#writing.encode(value);
    if (this.#writing.decode(written) !== value) refuse('what would be read as something else');
    return written;
  }
}
