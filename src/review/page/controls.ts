import { batch, computed, signal } from '@preact/signals';
import { missingTermText } from '../../pipeline/terms/terms.ts';
import type { Finding, Row } from '../protocol.ts';
import { checkForm } from './checks.ts';
import { type Chip, chipsOf, insertable } from './chips.ts';
import { Decisions, type RowDecision, mayApprove, type NoteRequest, valuesOf } from './decisions.ts';
import type { TextEditor } from './editor.ts';
import { isApproved, isMissing } from './filter.ts';
import { type ShortcutAction, actionOf } from './keys.ts';
import type { ReviewStore } from './store.ts';
import { missingIn, type MissingTerm, termsOfRow } from './terms.ts';
import { wording } from './wording.ts';

/** The placeholders that can be inserted at the moment. */
interface Choice {
  readonly chips: readonly Chip[];
  readonly at: number;
  /** The typed character that the placeholder replaces; empty if a key opened the list. */
  readonly typed: string;
}

/** The actions of the page's keys and buttons. One instance per page. */
export class Controls {
  readonly store: ReviewStore;
  readonly decisions: Decisions;
  readonly nonce: string;
  readonly choice = signal<Choice | undefined>(undefined);
  readonly dialog = signal<'keys' | 'replace' | 'term' | NoteRequest | undefined>(undefined);
  /** Incremented when the fields must show texts other than those typed. */
  readonly generation = signal(0);
  readonly isPlain = signal(matchMedia('(pointer: coarse), (max-width: 40rem)').matches);
  /** The values in the fields of the current row. */
  readonly values = signal<readonly string[]>([]);
  readonly #terms = computed(() => {
    const { context, pack } = this.store;
    const row = this.store.currentRow();
    return row && termsOfRow(context.value.terms ?? [], pack.value?.source ?? '', row.locale);
  });
  /** The glossary terms that the current row's fields lack, by form. */
  readonly missingTerms = computed<readonly (readonly MissingTerm[])[]>(() => {
    const row = this.store.currentRow();
    const values = this.values.value;
    return row && this.#terms.value ? missingIn(this.#terms.value, row, values) : [];
  });
  readonly findings = computed<readonly (readonly Finding[])[]>(() => {
    void this.store.revision.value;
    const row = this.store.currentRow();
    const values = this.values.value;
    const missing = this.missingTerms.value;
    return row
      ? row.forms.map((form, i) => [
          ...checkForm(row, form, values[i] ?? ''),
          ...(missing[i] ?? []).map((one) => ({ message: missingTermText(one), isError: false })),
        ])
      : [];
  });
  /** The fields of the current row, by form. */
  readonly #editors = new Map<number, TextEditor>();
  readonly #focused = signal(0);
  /** The values whose warnings the user has seen. */
  #confirmed: string | undefined;
  /** The index of the similar text that was used last. */
  #suggestion = -1;
  focusList: () => void = () => {};
  focusSearch: () => void = () => {};

  constructor(store: ReviewStore, nonce: string) {
    this.store = store;
    this.nonce = nonce;
    this.decisions = new Decisions(store);
  }

  /** Call this before the fields of another row are shown. */
  show(row: Row | undefined): void {
    batch(() => {
      this.values.value = row ? valuesOf(this.store, row) : [];
      this.choice.value = undefined;
    });
    this.#confirmed = undefined;
    this.#suggestion = -1;
  }

  addEditor(form: number, editor: TextEditor): () => void {
    this.#editors.set(form, editor);
    return () => {
      // Otherwise the next typed letters would act as commands of the list.
      this.wantsFocus ||= editor.hasFocus;
      editor.destroy();
      if (this.#editors.get(form) === editor) this.#editors.delete(form);
    };
  }

  focusEditor(form = 0): void {
    this.#editors.get(form)?.focus();
  }

  /** Moves the focus to the first field if the shown row should have it. */
  takeFocus(): void {
    if (this.wantsFocus) this.focusEditor();
    this.wantsFocus = false;
  }

  get focusedForm(): number {
    return this.#focused.value;
  }

  focused(form: number): void {
    this.#focused.value = form;
  }

  /** Discards the draft. */
  revert(row: Row): void {
    this.#continueFrom(row, undefined);
  }

  type(row: Row, form: number, value: string): void {
    const values = this.values.value.with(form, value);
    this.values.value = values;
    this.store.setDraft(row, values);
    this.#confirmed = undefined;
    if (this.store.message.peek().isUrgent) this.store.hush();
  }

  /** Opens the list if the typed character starts a placeholder that the text lacks. */
  typed(row: Row, form: number, character: string): void {
    if (/[\p{L}\p{N}\s]/u.test(character)) {
      this.choice.value = undefined;
      return;
    }
    const text = this.values.value[form] ?? '';
    const chips = placeholdersOf(row, form).filter(
      ({ raw }) => raw.startsWith(character) && raw.length > 1 && !text.includes(raw),
    );
    this.choice.value = chips.length === 0 ? undefined : { chips, at: 0, typed: character };
  }

  insert(chip: Chip): void {
    const typed = this.choice.value?.typed ?? '';
    this.choice.value = undefined;
    this.#editors.get(this.#focused.peek())?.insert(chip.raw, typed);
  }

  get selectedText(): string {
    return this.#editors.get(this.#focused.peek())?.selectedText ?? '';
  }

  replaceText(text: string): void {
    this.#editors.get(this.#focused.peek())?.replace(text);
    this.focusEditor(this.#focused.peek());
  }

  /** @returns whether the key was used */
  press(event: KeyboardEvent, scope: 'editor' | 'list'): boolean {
    if (event.isComposing || event.keyCode === 229) return false;
    if (scope === 'editor' && this.#pressInChoice(event)) return true;
    const action = actionOf(event, scope);
    if (action === undefined || action === 'newline') return false;
    // The field itself undoes typing.
    const editor = this.#editors.get(this.#focused.peek());
    if (action === 'undo' && scope === 'editor' && editor?.isTouched === true) return false;
    this.act(action);
    return true;
  }

  #pressInChoice(event: KeyboardEvent): boolean {
    const choice = this.choice.value;
    if (!choice || event.ctrlKey || event.altKey || event.metaKey) return false;
    const { chips, at } = choice;
    const digit = /^[1-9]$/.test(event.key) ? chips[Number(event.key) - 1] : undefined;
    if (digit) this.insert(digit);
    else if (event.key === 'Enter' || event.key === 'Tab') {
      const chip = chips[at];
      if (chip) this.insert(chip);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      this.choice.value = { ...choice, at: (at + step + chips.length) % chips.length };
    } else if (event.key === 'Escape') this.choice.value = undefined;
    else return false;
    return true;
  }

  act(action: ShortcutAction): void {
    const { store } = this;
    const row = store.currentRow();
    switch (action) {
      case 'confirm':
        return this.confirm();
      case 'next':
      case 'previous':
        return this.#move(() => store.move(action === 'next' ? 1 : -1));
      case 'placeholders':
        return this.#listPlaceholders();
      case 'copy-source':
        return this.replaceText(row?.forms[this.#focused.peek()]?.source ?? '');
      case 'next-similar':
      case 'previous-similar':
        return this.#useSimilar(action === 'next-similar' ? 1 : -1);
      case 'rejected':
      case 'needs-review':
        if (row && !isMissing(row)) this.dialog.value = { verdict: action, row };
        else store.announce(wording.nothingToSave);
        return undefined;
      case 'leave':
        return this.focusList();
      case 'edit':
        return this.focusEditor();
      case 'select':
        return row && this.select(row.id);
      case 'select-all':
        return this.selectAll();
      case 'undo':
        return void this.undo();
      case 'search':
        return this.focusSearch();
      case 'replace':
      case 'keys':
        this.dialog.value = action;
        return undefined;
      case 'term':
        if (row && store.source.addTerm) this.dialog.value = action;
        return undefined;
      case 'newline':
        return undefined;
    }
  }

  /** Moves to another row. If a field had the focus, one of the new row gets it. */
  #move(go: () => unknown): void {
    const wasInEditor = isInEditor();
    go();
    if (wasInEditor) this.wantsFocus = true;
  }

  /** Whether the next row's fields take the focus. Initially true, unless that would open an on-screen keyboard. */
  wantsFocus = !this.isPlain.value;

  /** Saves the draft, approves an unchanged text, or confirms a warning. */
  confirm(): void {
    const { store } = this;
    const row = store.currentRow();
    if (!row || store.outcomes.get(row.id)?.kind === 'saving') return;
    if (store.outcomes.get(row.id)?.kind === 'conflict') return store.announce(wording.conflict, true);
    const draft = store.drafts.get(row.id);
    const values = valuesOf(store, row);
    const goOn = (): void => this.#move(() => store.moveToOpen());
    if (!draft && values.every((value) => value === '')) {
      store.announce(wording.nothingToSave);
      return goOn();
    }
    if (!draft && isApproved(row) && row.needsReview === undefined) return goOn();
    const findings = this.findings.value.flat();
    const error = findings.find(({ isError }) => isError);
    if (error) return store.announce(`${wording.fixErrors} ${error.message}`, true);
    const seen = JSON.stringify(values);
    if (findings.length > 0 && this.#confirmed !== seen) {
      this.#confirmed = seen;
      return store.announce(`${wording.confirmWarnings} ${findings[0]?.message}`, true);
    }
    const decision: RowDecision = draft
      ? { values: draft.values, verdict: 'reviewed' }
      : { verdict: 'reviewed' };
    void this.#decide(row, decision, draft ? wording.saved(row.key) : wording.approved(row.key));
    goOn();
  }

  decideWithNote({ verdict, row }: NoteRequest, text: string): void {
    const note = text.trim();
    const decision: RowDecision = note === '' ? { verdict } : { verdict, note };
    void this.#decide(row, decision, wording.notes[verdict].done(row.key));
    // After a decision in the list, the focus stays there.
    this.wantsFocus = document.activeElement?.closest('.row.open') != null;
    if (this.store.current.value === row.id) this.store.moveToOpen();
  }

  async #decide(row: Row, decision: RowDecision, done: string): Promise<void> {
    const [result] = await this.decisions.decide([row], () => decision);
    if (result?.kind === 'saved') this.store.announce(done);
    else if (result) this.store.announce(wording.leftOut(1), true);
    if (result && row.id === this.store.current.value) this.refresh();
  }

  /** Approves the selected rows without errors or warnings. */
  async approveSelected(): Promise<void> {
    const { store } = this;
    const rows = [...store.selected.value].flatMap((id) => store.rowOf(id) ?? []);
    const good = rows.filter((row) => !store.drafts.has(row.id) && mayApprove(row));
    store.selected.value = new Set();
    const skipped = rows.length - good.length;
    await this.decideTogether(
      good,
      () => ({ verdict: 'reviewed' }),
      skipped > 0 ? wording.notApproved(skipped) : '',
    );
  }

  async decideTogether(
    rows: readonly Row[],
    decisionOf: (row: Row) => RowDecision,
    skipped: string,
  ): Promise<void> {
    const results = await this.decisions.decide(rows, decisionOf);
    const saved = results.filter(({ kind }) => kind === 'saved').length;
    const left = results.length - saved;
    const parts = [wording.decided(saved), left > 0 ? wording.leftOut(left) : '', skipped];
    this.store.announce(parts.filter((part) => part !== '').join(' '));
    this.refresh();
  }

  async undo(): Promise<void> {
    const { store } = this;
    if (this.decisions.isIdle && !this.decisions.canUndo) return store.announce(wording.nothingToUndo);
    const wasInEditor = isInEditor();
    const rows = await this.decisions.undo();
    store.announce(wording.undone(rows.length));
    const [first] = rows;
    if (first) store.current.value = first.id;
    this.wantsFocus ||= wasInEditor;
    this.refresh();
  }

  select(id: string): void {
    const selected = new Set(this.store.selected.value);
    if (!selected.delete(id)) selected.add(id);
    this.store.selected.value = selected;
  }

  /** Selects the rows from the current one to this one. */
  selectTo(id: string): void {
    const { store } = this;
    const ids = store.shown.value.map((_, index) => store.shownRow(index)?.id ?? '');
    const [from, to] = [ids.indexOf(store.current.value ?? ''), ids.indexOf(id)].sort((a, b) => a - b);
    store.selected.value = new Set([...store.selected.value, ...ids.slice(from, (to ?? 0) + 1)]);
  }

  selectAll(): void {
    const { store } = this;
    store.selected.value = new Set(store.shown.value.flatMap((_, index) => store.shownRow(index)?.id ?? []));
  }

  /** Continues from the text in the file, with or without the draft. */
  settleConflict(row: Row, keepsMine: boolean): void {
    const outcome = this.store.outcomes.get(row.id);
    this.#continueFrom(row, keepsMine && outcome?.kind === 'conflict' ? outcome.draft.values : undefined);
  }

  /** Keeps the draft as an answer to the new source. */
  lookAgain(row: Row): void {
    this.#continueFrom(row, this.store.drafts.get(row.id)?.values);
  }

  #continueFrom(row: Row, values: readonly string[] | undefined): void {
    const { drafts, outcomes } = this.store;
    outcomes.delete(row.id);
    if (values) drafts.set(row.id, { row, values });
    else drafts.delete(row.id);
    this.store.touch();
    this.wantsFocus = true;
    this.refresh();
  }

  /** Shows the row's texts again after they changed. */
  refresh(): void {
    const row = this.store.currentRow();
    this.show(row);
    // New fields have their cursor before the text, so old ones stay if they show the same values; but after saving, an
    // old field would undo typing instead of the answer.
    const isTyping = row && this.store.drafts.has(row.id);
    const isShown = this.values.peek().every((value, form) => {
      const editor = this.#editors.get(form);
      return editor?.value === value && (isTyping || !editor.isTouched);
    });
    if (isShown) this.takeFocus();
    else this.generation.value++;
  }

  #listPlaceholders(): void {
    const row = this.store.currentRow();
    const chips = row ? placeholdersOf(row, this.#focused.peek()) : [];
    if (chips.length === 0) this.store.announce(wording.noPlaceholders);
    else this.choice.value = { chips, at: 0, typed: '' };
  }

  #useSimilar(step: 1 | -1): void {
    const texts = this.store.context.peek().similar?.[this.#focused.peek()] ?? [];
    if (texts.length === 0) return this.store.announce(wording.noSimilar);
    // The first step backwards goes to the last suggestion.
    const from = this.#suggestion < 0 && step < 0 ? 0 : this.#suggestion;
    this.#suggestion = (from + step + texts.length) % texts.length;
    this.replaceText(texts[this.#suggestion]?.translation ?? '');
  }
}

export function placeholdersOf(row: Row, form: number): readonly Chip[] {
  const { source, syntax } = row.forms[form] ?? {};
  return source === undefined || syntax === undefined ? [] : insertable(chipsOf(source, syntax));
}

export function isInEditor(): boolean {
  return document.activeElement?.closest('.field') != null;
}
