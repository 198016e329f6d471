import type { FileTranslator } from '../../engines/file-translator.ts';
import type { Money } from '../../engines/price.ts';
import { messageKeys, slotFinder } from '../../documents/localization/pairing.ts';
import { segmentsOfCues } from '../../documents/subtitles/wanted-cues.ts';
import { hasCues, type SubtitleDocument } from '../../formats/subtitles/document.ts';
import type { TranslationMemory } from '../../pipeline/memory.ts';
import { lookUp, prepareUnit } from '../../pipeline/prepared-unit.ts';
import type { TranslationResources } from '../../pipeline/unit.ts';
import { termsFor } from '../../pipeline/terms/terms.ts';
import type { TaggedText } from '../../text/tagged.ts';
import { type JournalContent, isJournalled } from '../state/journal.ts';
import type { PlannedKey } from './plan.ts';
import { actionFor, keysToConsider, type Selection, unitOf } from './key-action.ts';
import type { Survey } from './survey.ts';
import { hash } from 'node:crypto';
import type { OpenFile } from '../../documents/localization/open-file.ts';

/** The indexes of keys among the slots of their source. */
export function cueSlots(document: SubtitleDocument, keys: readonly PlannedKey[]): readonly number[] {
  const find = slotFinder(document);
  return keys.map(({ id }) => find(id) ?? -1);
}

/** The price of a sync, known before any request. */
export type Pricing =
  | {
      /** The price applies to each distinct segment of a language. */
      readonly via: 'strings';
      /** The id of the engine; its answers in the journal are already paid for. */
      readonly engine: string;
      /** The credits that a service charges. */
      readonly creditsOf?: (segment: TaggedText, source: string, target: string) => number;
      /** The price of engines that have one. */
      readonly costOf?: (segment: TaggedText, source: string, target: string) => Money;
      /** Whether other engines may do a part of the work, in which case this is the maximum cost. */
      readonly isLimit?: boolean;
    }
  /** The price is 1 credit for each key of a file and language. */
  | ({ readonly via: 'jobs' } & Pick<FileTranslator, 'refusal'>);

/** The keys of a file that a sync would have translated. */
export function wantedKeys({ plan }: Survey, selection: Selection): readonly PlannedKey[] {
  return keysToConsider(plan, selection).filter((key) => actionFor(key, selection) === 'translate');
}

/** The number of these keys of one file as users count them: the forms of a plural are one. */
export function countKeys(keys: readonly PlannedKey[]): number {
  return new Set(keys.map(({ entry }) => entry)).size;
}

/** The translation memory of a sync. When retranslating, it only returns translations by people. */
export function usedMemory({
  force,
  memory,
}: Selection & Pick<TranslationResources, 'memory'>): TranslationMemory | undefined {
  if (!force || !memory) return memory;
  return {
    find: async (messages, pair) => {
      const found = await memory.find(messages, pair);
      return found.map((translation) => (translation?.origin === 'human' ? translation : undefined));
    },
    hasSimilar: (pair) => memory.hasSimilar(pair),
    findSimilar: (...query) => memory.findSimilar(...query),
    store: (...entries) => memory.store(...entries),
  };
}

/** The cost of a sync for a language. */
export interface LanguagePrice {
  readonly credits?: number | undefined;
  readonly cost?: Money | undefined;
}

/** The price of a language without any work. */
export function freePrice(pricing: Pricing): LanguagePrice {
  if (pricing.via === 'jobs') return { credits: 0 };
  return { ...(pricing.creditsOf && { credits: 0 }), ...(pricing.costOf && { cost: 0n }) };
}

export interface PriceInput extends Pick<TranslationResources, 'memory' | 'glossary'> {
  /** The files of one language with work to do, each with the keys to translate. */
  readonly files: ReadonlyMap<Survey, readonly PlannedKey[]>;
  /** Canonical. */
  readonly source: string;
  readonly target: string;
  readonly journal: JournalContent | undefined;
}

/**
 * The cost of translating a language. Translations in the translation memory, in the journal and in jobs of an earlier
 * run are free. Exact if no answer is damaged: it does not include repeated requests for the words between
 * placeholders.
 */
export async function priceLanguage(pricing: Pricing, input: PriceInput): Promise<LanguagePrice> {
  if (pricing.via === 'jobs') return { credits: priceJobs(pricing, input) };
  const { files, source, target, journal, glossary } = input;
  const units = [...files].flatMap(([{ source: file }, keys]) =>
    hasCues(file.document) ? [] : keys.map((key) => unitOf({ key })),
  );
  const prepared = units.map((unit) => prepareUnit(unit, input));
  const known = await lookUp(prepared, input);
  const ofUnits = prepared.filter((one) => !known.has(one)).flatMap(({ segments }) => segments);
  const ofCues = [...files].flatMap(([{ source: file }, keys]) =>
    hasCues(file.document) ? segmentsOfCues(file.document, cueSlots(file.document, keys)) : [],
  );
  const asked = [...ofUnits, ...ofCues];
  const terms = glossary && termsFor(glossary, source, target);
  let [credits, cost] = [0, 0n];
  for (const segment of new Set(asked.map((text) => terms?.protect(text).tagged ?? text))) {
    if (journal && isJournalled(journal, pricing.engine, source, target, segment)) continue;
    credits += pricing.creditsOf?.(segment, source, target) ?? 0;
    cost += pricing.costOf?.(segment, source, target) ?? 0n;
  }
  return { ...(pricing.creditsOf && { credits }), ...(pricing.costOf && { cost }) };
}

function priceJobs(
  translator: Pick<FileTranslator, 'refusal'>,
  { files, target, journal }: PriceInput,
): number {
  let credits = 0;
  for (const [{ sourcePath, source }, keys] of files) {
    if (keys.length === 0) continue;
    const bytes = source.encode(source.document.text);
    if (refusalOf(sourcePath, source, bytes, translator) !== undefined) continue;
    const digest = digestOf(bytes);
    const paid = journal?.jobs.some(
      (job) =>
        job.id !== undefined &&
        job.file === sourcePath &&
        job.digest === digest &&
        job.locales.includes(target),
    );
    if (paid !== true) credits += messageKeys(source.document).size;
  }
  return credits;
}

/** Why a file cannot be translated as a job; undefined if it can. */
export function refusalOf(
  path: string,
  { document }: OpenFile,
  bytes: Uint8Array,
  translator: Pick<FileTranslator, 'refusal'>,
): string | undefined {
  // Jobs translate the msgid (specification), but a sync translates the source file's text for it.
  const differs = document.slots.some(
    ({ source, value }) => source !== undefined && value !== '' && value !== source,
  );
  const reason = differs
    ? 'the file has its own values for its msgids'
    : translator.refusal(path, bytes.length);
  return reason && `${reason}: use --via strings`;
}

/** The digest of a source file's bytes. */
export function digestOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex').slice(0, 32);
}
