import type { LanguagePair } from '../../engines/engine.ts';
import type { MemoryOrigin } from '../../pipeline/memory.ts';
import { alignTranslation } from '../../text/align.ts';
import { parseMessage } from '../../text/message.ts';
import type { Syntax } from '../../text/syntax.ts';
import { verify } from '../../text/verify.ts';
import type { NewEntry } from '../stored-memory.ts';
import type { Skip } from './exchange.ts';

/** A value and its translation, as written in a file. */
export interface ImportedTranslation {
  readonly source: string;
  readonly target: string;
  readonly syntax: Syntax;
  readonly pair: LanguagePair;
  /** All source forms of the plural. The translation may use their placeholders. */
  readonly forms?: readonly string[] | undefined;
  readonly context: string;
  readonly category?: string | undefined;
  readonly origin: MemoryOrigin;
  readonly engine?: string | undefined;
  readonly changed?: Date | undefined;
}

/** Converts a translation to a memory entry, or returns the reason to skip it: only valid translations are stored. */
export function entryOf(translation: ImportedTranslation): NewEntry | Omit<Skip, 'at'> {
  const { source, target, syntax, pair, forms, context, category = '', origin } = translation;
  if (target.trim() === '') return { reason: 'untranslated', detail: 'it has no translation' };
  const message = parseMessage(source, syntax);
  if (message.problem !== undefined) {
    return { reason: 'unsound', detail: `the source is malformed: ${message.problem}` };
  }
  const segments = message.segments(pair.target);
  if (segments.length === 0) return { reason: 'wordless', detail: 'it has no words' };
  const problem = verify(forms ?? source, target, { syntax, locale: pair.target })[0];
  if (problem) return { reason: 'unsound', detail: problem.detail };
  const translations = alignTranslation(message, target, pair.target, { keep: 'reading' });
  if (!translations) return { reason: 'unaligned', detail: 'its structure differs from its source' };
  const placeholders = message.placeholders(pair.target);
  const { engine, changed } = translation;
  return { pair, segments, placeholders, category, context, translations, origin, engine, changed };
}

export function isSkip(entry: NewEntry | Omit<Skip, 'at'>): entry is Omit<Skip, 'at'> {
  return 'reason' in entry;
}
