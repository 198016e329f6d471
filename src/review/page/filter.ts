import { REASONS, type Pack, type Provenance, type Reason, type Row } from '../protocol.ts';

/** The kinds of rows that the list can show, besides the reasons for a review. */
const KINDS = ['open', 'all', 'missing', 'errors', 'warnings', 'unchanged', 'approved'] as const;

export type RowFilter = (typeof KINDS)[number] | Reason;
export const ROW_FILTERS: readonly RowFilter[] = [...KINDS, ...REASONS];

export const WRITERS: readonly Provenance['by'][] = [
  'engine',
  'memory',
  'person',
  'import',
  'agent',
  'unknown',
];

export interface Filter {
  readonly show: RowFilter;
  /** Empty for all languages. */
  readonly locale: string;
  /** A path in {@link Pack.files}; empty for all files. */
  readonly file: string;
  /** The id of a format; empty for all formats. */
  readonly format: string;
  /** The id of a framework; empty for all frameworks. */
  readonly framework: string;
  /** The writer of the translation; empty for any. */
  readonly writer: Provenance['by'] | '';
  /** Searched for in source, translation, key, file, comment and note, ignoring case. */
  readonly text: string;
}

export const NO_FILTER: Filter = {
  show: 'open',
  locale: '',
  file: '',
  format: '',
  framework: '',
  writer: '',
  text: '',
};

export function isApproved({ state }: Row): boolean {
  return state === 'reviewed' || state === 'final';
}

/** Whether the row still needs a person's decision. */
export function isOpen(row: Row): boolean {
  return row.decision?.verdict !== 'rejected' && (!isApproved(row) || row.needsReview !== undefined);
}

export function isMissing({ forms }: Row): boolean {
  return forms.some(({ translation }) => translation === undefined || translation === '');
}

const hasFinding = ({ forms }: Row, isError: boolean): boolean =>
  forms.some(({ findings }) => findings.some((finding) => finding.isError === isError));

const KIND_TESTS: Readonly<Record<(typeof KINDS)[number], (row: Row) => boolean>> = {
  open: isOpen,
  all: () => true,
  missing: isMissing,
  errors: (row) => hasFinding(row, true),
  warnings: (row) => hasFinding(row, false),
  unchanged: ({ isUnchanged }) => isUnchanged === true,
  approved: (row) => isApproved(row) && row.needsReview === undefined,
};

function isShown(row: Row, show: RowFilter): boolean {
  const kind = KINDS.find((one) => one === show);
  return kind === undefined ? row.needsReview === show : KIND_TESTS[kind](row);
}

function isChosen(choice: string, value: string): boolean {
  return choice === '' || choice === value;
}

/** The indexes of the matching rows in the pack, in order. */
export function placesOf(rows: readonly Row[], files: Pack['files'], filter: Filter): readonly number[] {
  const text = filter.text.trim().toLowerCase();
  const inFile = files.map(
    ({ path, format, framework }) =>
      isChosen(filter.file, path) && isChosen(filter.format, format) && isChosen(filter.framework, framework),
  );
  const isNamed = files.map(({ path }) => text !== '' && path.toLowerCase().includes(text));
  const places: number[] = [];
  rows.forEach((row, place) => {
    if (inFile[row.file] !== true || (filter.locale !== '' && filter.locale !== row.locale)) return;
    if (!isShown(row, filter.show) || (filter.writer !== '' && filter.writer !== row.provenance?.by)) return;
    if (text === '' || isNamed[row.file] === true || hasText(row, text)) places.push(place);
  });
  return places;
}

function hasText({ key, comment, decision, forms }: Row, text: string): boolean {
  const contains = (value: string | undefined): boolean =>
    value !== undefined && value.toLowerCase().includes(text);
  return (
    contains(key) ||
    contains(comment) ||
    contains(decision?.note) ||
    forms.some(({ source, translation }) => contains(source) || contains(translation))
  );
}

/** The number of one language's rows for each choice of {@link RowFilter}. */
export function countByFilter(rows: readonly Row[], locale: string): ReadonlyMap<RowFilter, number> {
  const counts = new Map<RowFilter, number>();
  const add = (show: RowFilter): void => {
    counts.set(show, (counts.get(show) ?? 0) + 1);
  };
  for (const row of rows) {
    if (locale !== '' && row.locale !== locale) continue;
    for (const kind of KINDS) if (KIND_TESTS[kind](row)) add(kind);
    if (row.needsReview !== undefined) add(row.needsReview);
  }
  return counts;
}

/** The filter as the fragment of the address. */
export function writeFilter(filter: Filter, row: string | undefined): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filter, row: row ?? '' }))
    if (value !== '' && !(name === 'show' && value === NO_FILTER.show)) fields.set(name, value);
  return fields.toString();
}

/** Reads the result of {@link writeFilter}. Ignores other fields. */
export function readFilter(fragment: string): { readonly filter: Filter; readonly row: string | undefined } {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const show = ROW_FILTERS.find((one) => one === fields.get('show')) ?? NO_FILTER.show;
  const field = (name: string): string => fields.get(name) ?? '';
  return {
    filter: {
      show,
      locale: field('locale'),
      file: field('file'),
      format: field('format'),
      framework: field('framework'),
      writer: WRITERS.find((one) => one === field('writer')) ?? '',
      text: field('text'),
    },
    row: fields.get('row') ?? undefined,
  };
}
