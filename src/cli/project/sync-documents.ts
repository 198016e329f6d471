import { DragomanError } from '../../base/errors.ts';
import type { ListedKey } from '../../project/plan/key-list.ts';
import {
  describeNote,
  type FileReport,
  type LanguageReport,
  type SyncReport,
} from '../../project/plan/report.ts';
import { unescapePath } from '../../project/state/lock-line.ts';
import { errorDocument, type Output } from '../output/output.ts';
import { costDocument } from '../options/prices.ts';
import { provenanceDocument } from './provenance.ts';
import { remainingLanguages, totalPrice } from './sync-price.ts';

/** The remaining work of `sync --dry-run` or an unfinished run, for `--json`. */
export function remainderDocument(reports: readonly SyncReport[], currency: string): unknown {
  const languages = remainingLanguages(reports);
  return {
    keys: languages.reduce((sum, { keys }) => sum + keys, 0),
    ...priceDocument(reports, currency),
    languages: languages.map(({ locale, keys, credits, cost }) => ({
      language_code: locale,
      keys,
      credits,
      ...(cost !== undefined && { cost: costDocument({ money: cost, currency }) }),
    })),
  };
}

export function priceDocument(reports: readonly SyncReport[], currency: string): object {
  const { credits, cost } = totalPrice(reports);
  return {
    ...(credits !== undefined && { credits }),
    ...(cost !== undefined && { cost: costDocument({ money: cost, currency }) }),
  };
}

/** All keys of the files, if requested. */
export type KeyLists = ReadonlyMap<FileReport, readonly ListedKey[]>;

/** The reports for `--json`. Never printed on a terminal, because they list every file. */
export function projectsDocument(
  reports: readonly SyncReport[],
  { json }: Pick<Output, 'json'>,
  details: ReportDetails = {},
): { readonly projects?: unknown } {
  return json ? { projects: reports.map((report) => syncDocument(report, details)) } : {};
}

/** Further fields of the document, apart from a report's counts. */
export interface ReportDetails {
  readonly lists?: KeyLists | undefined;
  /** Whether keys include the origin of their translations. */
  readonly hasProvenance?: boolean;
  /** The currency of the languages' costs. */
  readonly currency?: string;
}

function syncDocument(report: SyncReport, details: ReportDetails): unknown {
  return {
    root: report.root,
    source_language: report.source,
    interrupted: report.interrupted,
    ...(report.prunedFiles && { removed_files: report.prunedFiles }),
    ...(report.removedSources && {
      without_source: report.removedSources.map(({ source, target, locale }) => ({
        source,
        target,
        language_code: locale,
      })),
    }),
    ...(report.sources && {
      sources: [...report.sources].map(([source, keys]) => ({
        source,
        keys: keys instanceof DragomanError ? null : keys,
        error: keys instanceof DragomanError ? errorDocument(keys) : null,
      })),
    }),
    languages: report.languages.map((language) => languageDocument(language, details)),
  };
}

function languageDocument(
  { locale, coverage, changes, credits, cost, memory, engines, allFiles, error }: LanguageReport,
  { lists, hasProvenance = false, currency = '' }: ReportDetails,
): unknown {
  return {
    language_code: locale,
    coverage,
    changes,
    ...(credits !== undefined && { credits }),
    ...(cost !== undefined && { cost: costDocument({ money: cost, currency }) }),
    ...(memory && { memory }),
    engines: Object.fromEntries(engines ?? []),
    error: error ? errorDocument(error) : null,
    files: allFiles().map((file) => ({
      source: file.sourceName ?? file.source,
      target: file.target,
      is_document: file.isDocument,
      written: file.written,
      coverage: file.coverage,
      changes: file.changes,
      failures: file.failures,
      terms: file.terms.map(({ file: name, line, column, key, term, translation }) => ({
        file: name,
        line,
        column,
        key,
        term,
        translation,
      })),
      drift: file.drift,
      notes: (file.notes ?? []).map(describeNote),
      behind: file.isBehind ?? false,
      ...(lists && {
        keys: (lists.get(file) ?? []).map((key) => ({
          ...keyDocument(key),
          ...(hasProvenance && { provenance: provenanceDocument(key.provenance) }),
        })),
      }),
      error: file.error ? errorDocument(file.error) : null,
    })),
  };
}

function keyDocument({ key, status, state, source, value }: ListedKey): object {
  const { by, note } = state?.decision ?? {};
  return {
    key,
    state: status,
    translation_state: state?.state ?? null,
    needs_review: state?.needsReview ?? null,
    decided_by: by ?? null,
    note: note === undefined ? null : unescapePath(note),
    source: source ?? null,
    translation: value ?? null,
  };
}
