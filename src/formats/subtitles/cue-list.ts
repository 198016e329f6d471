import { DragomanError } from '../../base/errors.ts';
import type { Span } from '../../base/span.ts';
import type { ScanOptions, Slot } from '../format.ts';
import { newlineOf } from '../lines.ts';
import {
  type Cue,
  type CueProblem,
  requireCues,
  type SubtitleBlock,
  type SubtitleDocument,
  type SubtitleNotation,
} from './document.ts';
import { findSentences } from './passage.ts';

/** A located cue with its parsed text. */
export interface FoundCue extends Omit<Cue, 'slot' | 'id' | 'settings'> {
  readonly id?: string | undefined;
  readonly settings?: string;
  /** The place of its text; undefined without translatable text. */
  readonly span: Span | undefined;
  /** Shared by as many cues as possible, to save memory. */
  readonly writing: TextWriting;
}

/**
 * Encodes the text of a cue, and decodes it; decoding returns undefined if it is no longer translatable. Encoding
 * throws if it can name the reason.
 */
export interface TextWriting {
  encode(value: string): string;
  decode(raw: string): string | undefined;
}

/** The parts of a file that are not cues. */
export interface CueSurroundings {
  readonly blocks: readonly SubtitleBlock[];
  readonly problems: readonly CueProblem[];
  readonly locale?: string | undefined;
}

/** Passes on the cues of a text in file order; each can be freed before the next is read. */
export type FindCues = (text: string, take: (cue: FoundCue) => void) => CueSurroundings;

/**
 * Creates the document of a format from its cues.
 *
 * @throws DragomanError `unreadable_input` for more problems than cues, and for a file with neither
 */
export function documentOfCues(
  text: string,
  notation: SubtitleNotation,
  find: FindCues,
  { encodable }: ScanOptions,
): SubtitleDocument {
  const slots: Slot[] = [];
  const cues: Cue[] = [];
  let sentences: ReadonlyMap<number, string> | undefined;
  const file: SlotFile = {
    encodable,
    sentenceOf: (number) => (sentences ??= findSentences({ cues, notation })).get(number),
  };
  const { blocks, problems, locale } = find(text, (found) => {
    const { id, head, start, end, settings = '', speaker, text: value, span } = found;
    const slot = span && slots.push(new FoundSlot(cues.length + 1, found, span, file)) - 1;
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
    lineEnd: newlineOf(text),
  };
}

/** The shared data of a file's slots. */
interface SlotFile extends Pick<ScanOptions, 'encodable'> {
  /** The sentence of a cue, by its number, if it runs over several. */
  readonly sentenceOf: (number: number) => string | undefined;
}

class FoundSlot implements Slot {
  readonly value: string;
  readonly span: Span;
  readonly #number: number;
  readonly #writing: TextWriting;
  readonly #file: SlotFile;

  constructor(number: number, { text, writing }: FoundCue, span: Span, file: SlotFile) {
    this.#number = number;
    this.value = text;
    this.span = span;
    this.#writing = writing;
    this.#file = file;
  }

  get key(): readonly [string] {
    return [String(this.#number)];
  }

  get syntax(): 'plain' {
    return 'plain';
  }

  get comment(): string | undefined {
    return this.#file.sentenceOf(this.#number);
  }

  encode(value: string): string {
    const refuse = (what: string): never => {
      throw new DragomanError('unencodable_value', `a subtitle cannot hold ${what}`);
    };
    if (value.trim() === '') refuse('no text');
    if (value.includes('\r')) refuse('a carriage return within a line');
    if (this.#file.encodable?.(value) === false) refuse('characters that the encoding of the file lacks');
    const written = this.#writing.encode(value);
    if (this.#writing.decode(written) !== value) refuse('text that would be read as something else');
    return written;
  }
}
