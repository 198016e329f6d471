import * as v from 'valibot';
import { MAX_NOTE, VERDICTS } from '../project/state/decision.ts';
import type { TextForm, TextRow } from '../project/review/row.ts';
import type { RowContext } from '../project/review/row-context.ts';
import type { BranchPositions, BranchRule } from '../text/choice.ts';

/**
 * The messages between the review page and its source: a server on this computer, or a file that somebody sent.
 * Everything is JSON. Schemas check what the server and `import` receive; the page trusts its source.
 */

export const PROTOCOL_VERSION = 1;

export type State = TextRow['state'];
export type { Finding } from '../project/review/row.ts';
export type { Provenance } from '../project/state/provenance.ts';
export { REVIEW_REASONS as REASONS, type ReviewReason as Reason } from '../project/state/text-counts.ts';
export { MAX_NOTE, type Verdict } from '../project/state/decision.ts';
export type { RowContext, RowTerm } from '../project/review/row-context.ts';

/** Texts of a project, of one language or several. */
export interface Pack {
  readonly version: typeof PROTOCOL_VERSION;
  /** A digest that identifies the project. It reveals no path. */
  readonly project: string;
  /** Of the project, for people. */
  readonly title: string;
  /** Canonical. */
  readonly source: string;
  /** Canonical, of the rows. */
  readonly locales: readonly string[];
  readonly files: readonly PackFile[];
  readonly rows: readonly Row[];
  /** By the ids of rows, in a file that somebody sent: see {@link Source.context}. */
  readonly contexts?: Readonly<Record<string, RowContext>> | undefined;
  /** By name: see {@link Source.screenshot}. */
  readonly screenshots?: Readonly<Record<string, PackedPicture>> | undefined;
  /** See {@link Changes.next}; absent in a file that somebody sent. */
  readonly next?: number | undefined;
}

export interface PackedPicture {
  readonly type: string;
  readonly base64: string;
}

export interface PackFile {
  /** The source file, relative to the root. */
  readonly path: string;
  /** The id of its format. */
  readonly format: string;
  /** The id of the framework that reads it. */
  readonly framework: string;
}

/** One message in one language. */
export interface Row extends Omit<TextRow, 'file' | 'format' | 'key' | 'name' | 'forms'> {
  /** The place of its file in {@link Pack.files}. */
  readonly file: number;
  /** As people know it: the segments joined by dots, or the text where the format makes the keys. */
  readonly key: string;
  /** One, or one for each plural category, in the order of the file. Never empty. */
  readonly forms: readonly Form[];
}

export interface Form extends Omit<TextForm, 'rule'> {
  /** How the application chooses among branches `a | b`, if it has its own rule: see {@link branchRuleOf}. */
  readonly branches?: BranchTable | undefined;
}

/** For a number of branches, from 1: the numbers that select each. At index 0: those of as many as the rule uses. */
export type BranchTable = readonly (BranchPositions | null)[];

/** The rule that a table was made of, for `verify`. */
export function branchRuleOf(table: BranchTable): BranchRule {
  return (_locale, count) => table[count ?? 0] ?? undefined;
}

const MAX_TEXT = 100_000;
const fingerprints = v.pipe(v.array(v.pipe(v.string(), v.maxLength(64))), v.minLength(1), v.maxLength(100));

/**
 * What somebody decided about a row as they saw it, and the new texts. Without values, the texts stay; without a verdict
 * and values, nothing happens.
 */
export const answerSchema = v.object({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  /** {@link Form.sourceHash} of each form: if the source is another one now, the answer is stale. */
  sourceHashes: fingerprints,
  /** {@link Form.base} of each form: if the translation is another one now, there is a conflict. */
  bases: fingerprints,
  /** One for each form. */
  values: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(MAX_TEXT))), v.maxLength(100))),
  verdict: v.optional(v.picklist(VERDICTS)),
  note: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(MAX_NOTE))),
  /**
   * Takes back the answer of this {@link Result} `number` about this row: restores its texts and its decision. Everything
   * else of the answer is ignored. The same again has the same result. Only a source that took that answer can do so.
   */
  undo: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
});
export type Answer = v.InferOutput<typeof answerSchema>;

/** What became of an answer. */
export type Result = { readonly id: string } & (
  | {
      readonly kind: 'saved';
      readonly row: Row;
      /** Everything was as the answer wants it before. */
      readonly isRepeated?: true | undefined;
      /** For {@link Answer} `undo`: the answer that left the row like this, if this source took it and remembers it. */
      readonly number?: number | undefined;
    }
  /** Nothing of it was saved. */
  | { readonly kind: 'refused'; readonly reasons: readonly string[] }
  /** Somebody changed the translation, or the decision that is to be undone: nothing was saved. */
  | { readonly kind: 'conflict'; readonly row: Row }
  /** Somebody changed the source: nothing was saved. */
  | { readonly kind: 'stale'; readonly row: Row }
  /** The project has no such row. */
  | { readonly kind: 'foreign' }
);

/** `POST /answers`, answered with `{ results }`, one for each answer, in order. */
export const answersSchema = v.object({
  answers: v.pipe(v.array(answerSchema), v.minLength(1), v.maxLength(1_000)),
});

/** The file that "Send back" makes, and `dragoman import` reads. */
export const answerFileSchema = v.object({
  version: v.literal(PROTOCOL_VERSION),
  /** {@link Pack.project}. */
  project: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  answers: v.pipe(v.array(answerSchema), v.maxLength(200_000)),
});
export type AnswerFile = v.InferOutput<typeof answerFileSchema>;

/** `POST /terms`: a term for the glossary, in the language of a row. */
export const addedTermSchema = v.object({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  term: v.string(),
  translation: v.string(),
});
export type AddedTerm = v.InferOutput<typeof addedTermSchema>;

/** The result. */
export type TermResult =
  /** The glossary has it. The context is that of the row now. */
  | { readonly kind: 'added'; readonly context: RowContext }
  /** Nothing was written. */
  | { readonly kind: 'refused'; readonly reason: string };

/** `GET /changes?since=N`: answered when something changed outside of this page, or after 25 seconds. */
export interface Changes {
  /** The `since` of the next request. */
  readonly next: number;
  readonly rows: readonly Row[];
  /** Ids of rows that are gone. */
  readonly gone: readonly string[];
  /** Too much has changed, or `since` is unknown: ask for the rows again. */
  readonly isReset?: true | undefined;
}

/**
 * `POST /session` with the token of the address's fragment. The answer's `session` is the header
 * {@link SESSION_HEADER} of all other requests. A token is good for one exchange; the page keeps the session in
 * sessionStorage.
 */
export const sessionSchema = v.object({ token: v.pipe(v.string(), v.maxLength(128)) });
export const SESSION_HEADER = 'x-dragoman-session';

/** Where the page's rows come from, and where its answers go. */
export interface Source {
  rows(locale?: string): Promise<Pack>;
  save(answers: readonly Answer[]): Promise<readonly Result[]>;
  /** `GET /context?id=ID`: what helps with a row, asked for when it is opened. Undefined for an unknown row. */
  context(id: string): Promise<RowContext | undefined>;
  /** `GET /screenshot?name=NAME`: a picture that a context names. Undefined for any other. */
  screenshot(name: string): Promise<Blob | undefined>;
  /** Absent: the source cannot write a glossary. */
  addTerm?(term: AddedTerm): Promise<TermResult>;
  /** Absent: nothing changes outside of the page. Waits until something does. */
  changes?(since: number, signal: AbortSignal): Promise<Changes>;
}

/** In the page: `<script type="application/json" id="dragoman-pack">` has a Pack, or `null` where a server answers. */
export const PACK_ELEMENT = 'dragoman-pack';
