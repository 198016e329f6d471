import type { LengthLimit } from '../../text/length-limit.ts';
import { type Finding, MAX_NOTE, type Provenance, type Reason, type State } from '../protocol.ts';
import type { RowFilter } from './filter.ts';

const number = new Intl.NumberFormat('en');
const pluralize = (n: number, one: string): string => `${number.format(n)} ${n === 1 ? one : `${one}s`}`;

const REASONS: Readonly<Record<Reason, string>> = {
  rejected: 'rejected',
  lint: 'fails checks',
  'source-changed': 'source changed',
  requested: 'review requested',
  marked: 'marked in its file',
  agent: 'decided by an agent',
  imported: 'imported',
  machine: 'machine translation',
};

const STATES: Readonly<Record<State, string>> = {
  initial: 'missing',
  translated: 'translated',
  reviewed: 'approved',
  final: 'final',
};

const SHOWS: Readonly<Record<RowFilter, string>> = {
  open: 'To review',
  all: 'All texts',
  missing: 'Missing',
  errors: 'With errors',
  warnings: 'With warnings',
  unchanged: 'Same as source',
  approved: 'Approved',
  rejected: 'Rejected',
  lint: 'Fails checks',
  'source-changed': 'Source changed',
  requested: 'Review requested',
  marked: 'Marked in its file',
  agent: 'Decided by an agent',
  imported: 'Imported',
  machine: 'Machine translations',
};

const WRITERS: Readonly<Record<Provenance['by'], string>> = {
  engine: 'An engine or the memory',
  memory: "From the memory: a person's translation of the same text",
  person: 'Written or approved by a person',
  agent: 'Written by an agent',
  import: 'Imported',
  unknown: 'In the file before the first sync',
};

const NOTE_LIMITS = `At most ${MAX_NOTE} characters; kept in dragoman.lock. It can stay empty.`;

/** All texts of the page, in one place. */
export const wording = {
  title: 'Review translations',
  reasons: REASONS,
  states: STATES,
  shows: SHOWS,
  shownOf: (shown: number, all: number): string =>
    shown === all ? pluralize(all, 'text') : `${number.format(shown)} of ${pluralize(all, 'text')}`,
  approvedOf: (approved: number, all: number): string =>
    `${number.format(approved)} of ${number.format(all)} approved`,
  writtenBy: ({ by, name }: Provenance): string =>
    name === undefined ? WRITERS[by] : `${WRITERS[by]}: ${name}`,
  decidedBy: (by: string): string =>
    by === 'person' ? 'by a person' : by === 'agent' ? 'by an agent' : `by ${by.replace(':', ' ')}`,

  // Filters
  language: 'Language',
  allLanguages: 'All languages',
  show: 'Show',
  file: 'File',
  allFiles: 'All files',
  format: 'Format',
  allFormats: 'All formats',
  framework: 'Framework',
  allFrameworks: 'All frameworks',
  allWriters: 'Any origin',
  search: 'Search',
  searchHint: 'Source, translation, key, comment',
  resetFilter: 'Reset',
  emptyList: 'No texts match this filter.',
  filters: 'Filters',

  // A row
  list: 'Texts',
  openRow: (key: string): string => `Open ${key}`,
  select: (key: string): string => `Select ${key}`,
  noTranslation: 'No translation',
  comment: 'Comment',
  sourceWas: 'The source has changed',
  commentWas: 'The comment has changed',
  sourceUnknown: "The earlier text was not found in git's history.",
  terms: 'Terms',
  keptName: 'stays as it is',
  termMissing: 'missing',
  screenshots: 'Screenshots',
  screenshotOf: (name: string): string => `Screenshot ${name}`,
  similar: 'Similar texts',
  noSimilar: 'The memory has no similar text.',
  match: (similarity: number): string => `${Math.floor(similarity * 100)} %`,
  use: 'Use',
  useSimilar: (translation: string): string => `Use ${translation}`,
  writer: 'Origin',
  note: 'Note',
  unsaved: 'not saved yet',
  saving: 'saving…',
  formFor: (category: string, examples: readonly number[]): string =>
    examples.length === 0
      ? category
      : `${category} (for ${examples.map((n) => number.format(n)).join(', ')})`,
  translationOf: (key: string, category?: string): string =>
    category === undefined ? `Translation of ${key}` : `Translation of ${key}, ${category}`,
  insert: (label: string): string => `Insert ${label}`,
  chip: (kind: string, label: string): string => `${kind} ${label}`,
  placeholders: 'Placeholders: press a number to insert',
  noPlaceholders: 'This text has no placeholders.',
  lengthOf: (length: number, { max, unit }: LengthLimit): string =>
    `${number.format(length)} of ${number.format(max)} ${unit}`,

  // Findings
  emptyTranslation: 'The translation is empty.',
  spacesAtEnds: 'The spaces at the beginning or end differ from the source.',
  finding: ({ isError }: Finding): string => (isError ? 'Error' : 'Warning'),
  fixErrors: 'Not saved: correct the errors first.',
  confirmWarnings: 'Press Enter again to save with this warning.',

  // Decisions
  save: 'Save',
  approve: 'Approve',
  reject: 'Reject…',
  needsReview: 'Ask for review…',
  copySource: 'Copy source',
  revert: 'Revert',
  undo: 'Undo',
  saved: (key: string): string => `Saved ${key}.`,
  approved: (key: string): string => `Approved ${key}.`,
  decided: (n: number): string => `Saved decisions on ${pluralize(n, 'text')}.`,
  leftOut: (n: number): string => `${pluralize(n, 'text')} not saved: see the marked rows.`,
  undone: (n: number): string => `Undone: ${pluralize(n, 'text')}.`,
  nothingToUndo: 'Nothing to undo.',
  nothingLeft: 'Nothing left to review with this filter.',
  nothingToSave: 'Nothing to save: there is no translation.',
  notes: {
    rejected: {
      title: 'Reject this translation',
      label: `Why? The next translator reads this note. ${NOTE_LIMITS}`,
      decide: 'Reject',
      done: (key: string): string => `Rejected ${key}.`,
    },
    'needs-review': {
      title: 'Ask for a review',
      label: `Your question or the reason. ${NOTE_LIMITS} An approval removes it.`,
      decide: 'Ask for review',
      done: (key: string): string => `${key} needs a review.`,
    },
  },
  cancel: 'Cancel',

  // Selected rows
  selected: (n: number): string => `${pluralize(n, 'text')} selected`,
  selectAll: 'Select all shown',
  selectNone: 'Select none',
  approveSelected: 'Approve selected',
  notApproved: (n: number): string =>
    `Skipped ${pluralize(n, 'text')} without a translation, or with errors, warnings or unsaved changes.`,

  // Search and replace
  replace: 'Replace…',
  replaceTitle: 'Search and replace',
  replaceFind: 'Find in translations',
  replaceBy: 'Replace by',
  replaceCase: 'Match case',
  replaceHits: (n: number): string => `${pluralize(n, 'text')} in this list would change.`,
  replaceMore: (n: number): string => `The first ${number.format(n)} are shown.`,
  replaceRefused: (n: number): string => `${pluralize(n, 'text')} would fail checks and stay as they are.`,
  replaceNow: (n: number): string => `Replace in ${pluralize(n, 'text')}`,

  // Terms
  termTitle: 'Make this a term',
  termWords: 'Select the words, for example with Shift and the arrow keys',
  termSource: 'Term in the source language',
  termTranslation: (locale: string): string => `Translation (${locale})`,
  termHint: 'Texts with this term must have this translation, in one of its forms.',
  termAdd: 'Add to the glossary',
  termAdded: (term: string): string => `Added “${term}” to the glossary.`,

  // Conflicts
  conflict: 'Someone else changed this translation in the meantime.',
  mine: 'Mine',
  theirs: 'In the file now',
  base: 'Before both',
  keepMine: 'Keep mine',
  takeTheirs: 'Take theirs',
  outcomes: {
    refused: 'not saved',
    conflict: 'conflict',
    stale: 'source changed meanwhile',
    foreign: 'gone',
  },
  refused: 'Not saved:',
  stale: 'The source has changed in the meantime. Check the new source, then save again.',
  foreign: 'The project no longer has this text.',
  lookAgain: 'Continue',

  // The page itself
  undoneHint: 'Decisions and saved texts can be undone.',
  keys: 'Keys',
  keysTitle: 'Keyboard',
  inEditor: 'In a translation',
  inList: 'In the list (Esc leaves the translation)',
  anywhere: 'Anywhere',
  close: 'Close',
  plainEditor: 'Plain text fields',
  noAnswer: 'no answer',
  notSaved: (n: number, why: string): string =>
    `${pluralize(n, 'answer')} could not be saved${why === '' ? '' : ` (${why})`}. The page tries again every 3 seconds; keep it open.`,
  unreachable: 'dragoman does not answer. Is “dragoman review” still running?',
  noSession: 'This page has no access. Open the address that “dragoman review” prints.',
  failed: (why: string): string => `The texts could not be loaded: ${why}`,

  // A page sent as a file
  answers: (n: number): string => `${pluralize(n, 'answer')} in this browser`,
  sendBack: 'Send back',
  saveCopy: 'Save a copy with my answers',
  sendBackHint: 'Downloads a file with your answers. Send it to the person who sent you this page.',
  noStorage:
    'This browser cannot keep your answers when the page is closed. Use “Save a copy with my answers” before you close it.',
} as const;
