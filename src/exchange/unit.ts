import { DragomanError } from '../base/errors.ts';
import type { Position } from '../base/span.ts';
import type { Reason, State, Verdict } from '../review/protocol.ts';
import type { LengthLimit } from '../text/length-limit.ts';
import type { Syntax } from '../text/syntax.ts';

/** A text in a file for translators: a row of the project, or one plural form of a row. */
export interface ExchangeUnit {
  /** See {@link writeUnitId}. */
  readonly id: string;
  /** The key in readable form. */
  readonly key: string;
  /** The source file, relative to the project's root. */
  readonly file: string;
  /** The plural category, and numbers that select it. */
  readonly category?: string | undefined;
  readonly examples?: readonly number[] | undefined;
  /** The developer's note. */
  readonly comment?: string | undefined;
  readonly source: string;
  /** The source of the existing translation, if it has changed since. */
  readonly sourceBefore?: string | undefined;
  readonly syntax: Syntax;
  /** Undefined or empty if not translated yet. */
  readonly translation?: string | undefined;
  readonly state: State;
  readonly needsReview?: Reason | undefined;
  /** A reviewer's note. */
  readonly note?: string | undefined;
  readonly limit?: LengthLimit | undefined;
}

/** The content of a file for translators: one language of a project. */
export interface ExchangeDocument {
  /** Canonical. */
  readonly source: string;
  readonly target: string;
  /** Texts of one source file are consecutive. */
  readonly units: readonly ExchangeUnit[];
  /** The version of this program. */
  readonly version: string;
  /** Receives each unit that the format cannot represent, with the reason. */
  readonly onSkip: (unit: ExchangeUnit, reason: string) => void;
}

/** A text that a translator returned. */
export interface ReturnedUnit {
  readonly at: Position;
  /** The name of the cell in a sheet, which has no lines: `C12`. */
  readonly cell?: string | undefined;
  readonly id: string;
  /** Undefined or empty if not translated. */
  readonly value?: string | undefined;
  /** The state that the file declares. */
  readonly verdict?: Verdict | undefined;
  readonly note?: string | undefined;
  /** Whether the file marks the text as unfinished. */
  readonly isDraft?: boolean | undefined;
  /** Why the text is unreadable, for messages. */
  readonly fault?: string | undefined;
}

/** Identifies a text and the versions that its translator saw. */
export interface UnitId {
  readonly project: string;
  /** Canonical. */
  readonly locale: string;
  readonly row: string;
  /** The index among the forms of the row, from 0. */
  readonly form: number;
  /** Fingerprints of the source and the previous translation. */
  readonly source: string;
  readonly base: string;
}

/** Marks files that dragoman exported: their texts belong to a project, so they are not catalogues. */
export const EXPORT_NAME = 'dragoman-export';

const PREFIX = 'dragoman';

const UNIT_ID = new RegExp(
  `^${PREFIX}${String.raw`\.([\w-]{1,64})\.([\w-]{1,64})\.([\w-]{1,64})\.(\d{1,2})\.([\w-]{1,64})\.([\w-]{0,64})$`}`,
);

/**
 * Writes an id that contains everything an import checks, because translation programs keep the ids of texts, while
 * some drop unknown attributes.
 */
export function writeUnitId({ project, locale, row, form, source, base }: UnitId): string {
  const id = [PREFIX, project, locale, row, form, source, base].join('.');
  if (!UNIT_ID.test(id)) throw new DragomanError('integrity', `invalid fingerprint in ${id}`);
  return id;
}

/** Undefined for anything that {@link writeUnitId} does not write. */
export function readUnitId(id: string): UnitId | undefined {
  const [, project, locale, row, form, source, base] = UNIT_ID.exec(id) ?? [];
  if (
    project === undefined ||
    locale === undefined ||
    row === undefined ||
    source === undefined ||
    base === undefined
  )
    return undefined;
  return { project, locale, row, form: Number(form), source, base };
}
