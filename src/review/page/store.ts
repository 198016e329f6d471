import { computed, signal } from '@preact/signals';
import type { Pack, Row, RowContext, RowSource } from '../protocol.ts';
import { countByFilter, type Filter, isOpen, NO_FILTER, placesOf } from './filter.ts';
import { wording } from './wording.ts';

/** The user's unsaved text, and the row as they saw it. */
export interface Draft {
  readonly row: Row;
  readonly values: readonly string[];
}

/** The result of the last answer about a row, unless it was saved. */
export type AnswerResult =
  | { readonly kind: 'saving' }
  | { readonly kind: 'refused'; readonly reasons: readonly string[] }
  /** The draft contains the row from which both changes started. */
  | { readonly kind: 'conflict'; readonly draft: Draft }
  | { readonly kind: 'stale' }
  | { readonly kind: 'foreign' };

/** Milliseconds for which a message is shown; its row continues to show it. */
const MESSAGE_TIME = 10_000;

/** The rows, the visible ones, and the work on them. Components read its signals. */
export class ReviewStore {
  readonly source: RowSource;
  readonly pack = signal<Pack | undefined>(undefined);
  /** Incremented whenever a row, a draft or an outcome changes. */
  readonly revision = signal(0);
  readonly filter = signal<Filter>(NO_FILTER);
  /** Indexes of the listed rows. Rows that no longer match stay until the filter is applied again. */
  readonly shown = signal<readonly number[]>([]);
  /** The id of the current row. */
  readonly current = signal<string | undefined>(undefined);
  readonly selected = signal<ReadonlySet<string>>(new Set());
  /** For the live region that screen readers announce. */
  readonly message = signal<{ readonly text: string; readonly isUrgent: boolean }>({
    text: '',
    isUrgent: false,
  });
  /** The reason why work is impossible: no connection, or no storage for answers. */
  readonly trouble = signal<string | undefined>(undefined);
  /** The context of the current row, once it has arrived. */
  readonly context = signal<RowContext>({});
  /** The words last selected in the current row's source. */
  selectedSource = '';
  readonly drafts = new Map<string, Draft>();
  readonly outcomes = new Map<string, AnswerResult>();
  readonly counts = computed(() => {
    void this.#rowRevision.value;
    return countByFilter(this.rows, this.filter.value.locale);
  });
  readonly writers = computed(() => {
    void this.#rowRevision.value;
    return new Set(this.rows.map(({ provenance }) => provenance?.by));
  });
  /** Incremented when rows change, because counting them takes a while. */
  readonly #rowRevision = signal(0);
  #silence: ReturnType<typeof setTimeout> | undefined;
  #rows: Row[] = [];
  #places = new Map<string, number>();

  constructor(source: RowSource) {
    this.source = source;
  }

  get rows(): readonly Row[] {
    return this.#rows;
  }

  async load(): Promise<void> {
    this.take(await this.source.rows());
  }

  /** Replaces all rows, but keeps drafts and the current row. */
  take(pack: Pack): void {
    const files = this.pack.value?.files;
    const ids = new Set(pack.rows.map(({ id }) => id));
    const held = this.#rows.flatMap((row): Row[] => {
      if (ids.has(row.id) || !this.#isHeld(row.id)) return [];
      const path = files?.[row.file]?.path;
      return [{ ...row, file: pack.files.findIndex((file) => file.path === path) }];
    });
    this.pack.value = pack;
    this.#setRows([...pack.rows, ...held]);
    for (const { id } of held) this.outcomes.set(id, { kind: 'foreign' });
    const current = this.#places.get(this.current.value ?? '');
    this.applyFilter(this.filter.value, current);
  }

  #setRows(rows: readonly Row[]): void {
    this.#rows = [...rows];
    this.#places = new Map(this.#rows.map(({ id }, place) => [id, place]));
    this.#rowRevision.value++;
  }

  /** Whether the user is working on the row: removing it would put typed text into another row. */
  #isHeld(id: string): boolean {
    return id === this.current.value || this.drafts.has(id);
  }

  rowOf(id: string | undefined): Row | undefined {
    const place = id === undefined ? undefined : this.#places.get(id);
    return place === undefined ? undefined : this.#rows[place];
  }

  /** The current row in its present state. */
  currentRow(): Row | undefined {
    return this.rowOf(this.current.value);
  }

  replace(rows: readonly Row[]): void {
    for (const row of rows) {
      const place = this.#places.get(row.id);
      if (place === undefined) {
        this.#places.set(row.id, this.#rows.length);
        this.#rows.push(row);
      } else this.#rows[place] = row;
    }
    this.#rowRevision.value++;
    this.touch();
  }

  /** Updates rows that others changed. If the user has typed into one, it is in conflict immediately. */
  takeChanges(rows: readonly Row[]): void {
    for (const row of rows) {
      if (this.outcomes.get(row.id)?.kind === 'foreign') this.outcomes.delete(row.id);
      const draft = this.drafts.get(row.id);
      const isSame = draft?.row.forms.every(({ base }, i) => base === row.forms[i]?.base) ?? true;
      if (draft && !isSame && !this.outcomes.has(row.id))
        this.outcomes.set(row.id, { kind: 'conflict', draft });
    }
    this.replace(rows);
  }

  /**
   * Removes rows that the project no longer has, except those that the user is working on. The rest of the list is
   * kept.
   */
  remove(ids: readonly string[]): void {
    if (ids.length === 0) return;
    const gone = new Set(ids.filter((id) => !this.#isHeld(id)));
    const listed = new Set(this.shown.value.flatMap((place) => this.#rows[place]?.id ?? []));
    this.#setRows(this.#rows.filter(({ id }) => !gone.has(id)));
    for (const id of ids) if (this.#places.has(id)) this.outcomes.set(id, { kind: 'foreign' });
    this.shown.value = this.#rows.flatMap(({ id }, place) => (listed.has(id) ? place : []));
    this.selected.value = new Set([...this.selected.value].filter((id) => !gone.has(id)));
    this.touch();
  }

  /** Subscribes a component to {@link revision}, like {@link outcomeOf}. */
  draftOf(id: string): Draft | undefined {
    void this.revision.value;
    return this.drafts.get(id);
  }

  outcomeOf(id: string): AnswerResult | undefined {
    void this.revision.value;
    return this.outcomes.get(id);
  }

  touch(): void {
    this.revision.value++;
  }

  /** @param kept the index of a row that stays listed even if it does not match */
  applyFilter(filter: Filter, kept?: number): void {
    const pack = this.pack.value;
    this.filter.value = filter;
    if (!pack) return;
    const places = placesOf(this.#rows, pack.files, filter);
    this.shown.value =
      kept === undefined || places.includes(kept) ? places : [...places, kept].sort((a, b) => a - b);
    this.selected.value = new Set();
    this.touch();
    const place = this.#places.get(this.current.value ?? '');
    if (place !== undefined && this.shown.value.includes(place)) return;
    const rows = this.shown.value.flatMap((place) => this.#rows[place] ?? []);
    this.current.value = (rows.find(isOpen) ?? rows[0])?.id;
  }

  /** The index of the current row in the list; -1 if the list does not contain it. */
  currentIndex(): number {
    const place = this.#places.get(this.current.value ?? '');
    return place === undefined ? -1 : this.shown.value.indexOf(place);
  }

  shownRow(index: number): Row | undefined {
    const place = this.shown.value[index];
    return place === undefined ? undefined : this.#rows[place];
  }

  move(by: 1 | -1): void {
    const row = this.shownRow(this.currentIndex() + by);
    if (row) this.current.value = row.id;
  }

  /** Moves to the next row of the list that needs a decision, continuing at the top after the last one. */
  moveToOpen(): boolean {
    const from = this.currentIndex();
    const count = this.shown.value.length;
    for (let step = 1; step < count; step++) {
      const row = this.shownRow((from + step) % count);
      if (!row || !isOpen(row) || this.outcomes.has(row.id)) continue;
      this.current.value = row.id;
      return true;
    }
    this.announce(wording.nothingLeft);
    return false;
  }

  /** Shows a message for a while, and announces it to screen readers. */
  announce(text: string, isUrgent = false): void {
    clearTimeout(this.#silence);
    this.message.value = { text, isUrgent };
    this.#silence = setTimeout(() => this.hush(), MESSAGE_TIME);
  }

  hush(): void {
    this.message.value = { text: '', isUrgent: false };
  }

  setDraft(row: Row, values: readonly string[]): void {
    const seen = this.drafts.get(row.id)?.row ?? row;
    const isChanged = values.some((value, i) => value !== (seen.forms[i]?.translation ?? ''));
    const isNew = isChanged !== this.drafts.has(row.id);
    if (isChanged) this.drafts.set(row.id, { row: seen, values });
    else this.drafts.delete(row.id);
    const outcome = this.outcomes.get(row.id);
    if (outcome?.kind === 'refused') this.outcomes.delete(row.id);
    if (isNew || outcome?.kind === 'refused') this.touch();
  }
}
