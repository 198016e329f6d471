import * as v from 'valibot';
import { MAX_NOTE, VERDICTS } from '../project/state/decision.ts';
import type { TextForm, TextRow } from '../project/review/row.ts';
import type { RowContext } from '../project/review/row-context.ts';
import type { BranchPositions, BranchRule } from '../text/choice.ts';

/**
 * The messages between the review page and its source, which is a server on this computer or a file that somebody sent.
 * Everything is JSON. Schemas check what the server and `import` receive; the page trusts its source.
 */

export const PROTOCOL_VERSION = 1;

export type State = TextRow['state'];
export type { RowFinding as Finding } from '../project/review/row.ts';
export type { Provenance } from '../project/state/provenance.ts';
export { REVIEW_REASONS as REASONS, type ReviewReason as Reason } from '../project/state/text-counts.ts';
export { MAX_NOTE, NO_TEXT, STALE_TEXT, type Verdict } from '../project/state/decision.ts';
export type { RowContext, RowTerm } from '../project/review/row-context.ts';

/** Texts of a project, in one or more languages. */
export interface Pack {
  readonly version: typeof PROTOCOL_VERSION;
  /** A digest that identifies the project without revealing a path. */
  readonly project: string;
  /** The project's name for people. */
  readonly title: string;
  /** Canonical. */
  readonly source: string;
  /** The languages of the rows, canonical. */
  readonly locales: readonly string[];
  readonly files: readonly PackFile[];
  readonly rows: readonly Row[];
  /** In a sent file: contexts by row id (see {@link RowSource.context}). */
  readonly contexts?: Readonly<Record<string, RowContext>> | undefined;
  /** By name: see {@link RowSource.screenshot}. */
  readonly screenshots?: Readonly<Record<string, PackedPicture>> | undefined;
  /** See {@link ReviewChanges.next}; undefined in a sent file. */
  readonly next?: number | undefined;
}

export interface PackedPicture {
  readonly type: string;
  readonly base64: string;
}

export interface PackFile {
  /** The source file, relative to the root. */
  readonly path: string;
  /** The id of the file's format. */
  readonly format: string;
  /** The id of the framework that reads the file. */
  readonly framework: string;
}

/** One message in one language. */
export interface Row extends Omit<TextRow, 'file' | 'format' | 'key' | 'name' | 'forms'> {
  /** The index of its file in {@link Pack.files}. */
  readonly file: number;
  /** The name that people know: the segments joined by dots, or the text if the format generates keys. */
  readonly key: string;
  /** One form, or one per plural category, in file order. Never empty. */
  readonly forms: readonly RowForm[];
}

export interface RowForm extends Omit<TextForm, 'rule'> {
  /** How the application chooses among branches `a | b`, if it has its own rule: see {@link branchRuleOf}. */
  readonly branches?: BranchTable | undefined;
}

/**
 * By number of branches, from 1: the numbers that select each branch. Index 0 is for as many branches as the rule uses.
 */
export type BranchTable = readonly (BranchPositions | null)[];

/** The rule from which a table was made, for `verify`. */
export function branchRuleOf(table: BranchTable): BranchRule {
  return (_locale, count) => table[count ?? 0] ?? undefined;
}

const MAX_TEXT = 100_000;
const fingerprints = v.pipe(v.array(v.pipe(v.string(), v.maxLength(64))), v.minLength(1), v.maxLength(100));

/**
 * A decision about a row as its reader saw it, with the new texts. Without values, the texts are kept; without a
 * verdict and values, nothing happens.
 */
export const answerSchema = v.object({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  /** {@link RowForm.sourceHash} of each form. If the source has changed, the answer is stale. */
  sourceHashes: fingerprints,
  /** {@link RowForm.base} of each form. If the translation has changed, there is a conflict. */
  bases: fingerprints,
  /** One value per form. */
  values: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(MAX_TEXT))), v.maxLength(100))),
  verdict: v.optional(v.picklist(VERDICTS)),
  note: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(MAX_NOTE))),
  /**
   * Undoes the answer with this {@link Result} `number` about this row: restores its texts and its decision. All other
   * fields are ignored. Repeating it gives the same result. Only the source that received the answer can undo it.
   */
  undo: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
});
export type Answer = v.InferOutput<typeof answerSchema>;

/** The result of an answer. */
export type Result = { readonly id: string } & (
  | {
      readonly kind: 'saved';
      readonly row: Row;
      /** Set if nothing had to change for the answer. */
      readonly isRepeated?: true | undefined;
      /**
       * For {@link Answer} `undo`: the answer that left the row in this state, if this source received and remembers
       * it.
       */
      readonly number?: number | undefined;
    }
  /** No part of the answer was saved. */
  | { readonly kind: 'refused'; readonly reasons: readonly string[] }
  /** The translation, or the decision to undo, has changed: nothing was saved. */
  | { readonly kind: 'conflict'; readonly row: Row }
  /** The source has changed: nothing was saved. */
  | { readonly kind: 'stale'; readonly row: Row }
  /** The project has no such row. */
  | { readonly kind: 'foreign' }
);

/** `POST /answers`. The response is `{ results }`, with one result per answer, in order. */
export const answersSchema = v.object({
  answers: v.pipe(v.array(answerSchema), v.minLength(1), v.maxLength(1_000)),
});

/** The file that "Send back" creates and `dragoman import` reads. */
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
  /** The glossary has the term. `context` is the row's new context. */
  | { readonly kind: 'added'; readonly context: RowContext }
  /** Nothing was written. */
  | { readonly kind: 'refused'; readonly reason: string };

/** `GET /changes?since=N`: answered when something changed outside this page, or after 25 seconds. */
export interface ReviewChanges {
  /** The value of `since` for the next request. */
  readonly next: number;
  readonly rows: readonly Row[];
  /** Ids of removed rows. */
  readonly gone: readonly string[];
  /** Too much has changed, or `since` is unknown: request all rows again. */
  readonly isReset?: true | undefined;
}

/**
 * `POST /session` with the token in the address's fragment. All other requests send the response's `session` in the
 * header {@link SESSION_HEADER}. A token can be exchanged once; the page keeps the session in sessionStorage.
 */
export const sessionSchema = v.object({ token: v.pipe(v.string(), v.maxLength(128)) });
export const SESSION_HEADER = 'x-dragoman-session';

/** Where the page gets its rows and sends its answers. */
export interface RowSource {
  rows(locale?: string): Promise<Pack>;
  save(answers: readonly Answer[]): Promise<readonly Result[]>;
  /** `GET /context?id=ID`: information about a row, requested when the row is opened. Undefined for an unknown row. */
  context(id: string): Promise<RowContext | undefined>;
  /** `GET /screenshot?name=NAME`: a picture named in a context. Undefined for other names. */
  screenshot(name: string): Promise<Blob | undefined>;
  /** Undefined if the source cannot write a glossary. */
  addTerm?(term: AddedTerm): Promise<TermResult>;
  /** Waits for changes outside the page. Undefined if there can be none. */
  changes?(since: number, signal: AbortSignal): Promise<ReviewChanges>;
}

/**
 * In the page, `<script type="application/json" id="dragoman-pack">` contains a Pack, or `null` if a server sends it.
 */
export const PACK_ELEMENT = 'dragoman-pack';
