import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { MAX_NOTE, type Row, type TermResult } from '../protocol.ts';
import { checkForm } from './checks.ts';
import type { Controls } from './controls.ts';
import type { NoteRequest } from './decisions.ts';
import { KEYS, writeCombo } from './keys.ts';
import { Difference } from './row-context.tsx';
import { wording } from './wording.ts';

interface DialogProps {
  readonly controls: Controls;
}

export function Dialogs({ controls }: DialogProps): JSX.Element | null {
  const dialog = controls.dialog.value;
  if (dialog === 'keys') return <KeysDialog controls={controls} />;
  if (dialog === 'replace') return <ReplaceDialog controls={controls} />;
  if (dialog === 'term') return <TermDialog controls={controls} />;
  return dialog ? <NoteDialog controls={controls} request={dialog} /> : null;
}

/**
 * Closes a dialog and returns the focus at once, because the browser reports the `close` event late and would ignore
 * the next key.
 */
function closeNow(controls: Controls, dialog: HTMLDialogElement | null): void {
  dialog?.close();
  controls.dialog.value = undefined;
}

interface FrameProps extends DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

function Frame({ controls, title, children }: FrameProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  // Runs before the next key press, which the dialog must receive.
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.isComposing) return;
        event.preventDefault();
        closeNow(controls, event.currentTarget);
      }}
      onClose={({ currentTarget }) => {
        // The event may arrive when this dialog is gone and another one is open.
        if (currentTarget.isConnected) controls.dialog.value = undefined;
      }}
    >
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}

function KeysDialog({ controls }: DialogProps): JSX.Element {
  const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);
  const keys = controls.store.source.addTerm ? KEYS : KEYS.filter(({ action }) => action !== 'term');
  const scopes = [
    ['editor', wording.inEditor],
    ['list', wording.inList],
    ['anywhere', wording.anywhere],
  ] as const;
  return (
    <Frame controls={controls} title={wording.keysTitle}>
      <form method="dialog" class="corner">
        <button type="submit">{wording.close}</button>
      </form>
      {scopes.map(([scope, name]) => (
        <section key={scope}>
          <h3>{name}</h3>
          <dl class="keys">
            {keys
              .filter((key) => key.scope === scope)
              .map(({ combo, does }) => (
                <div key={combo}>
                  <dt>
                    <kbd>{writeCombo(combo, isMac)}</kbd>
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </Frame>
  );
}

/** Asks for the note of a decision, starting with the row's current note. */
function NoteDialog({ controls, request }: DialogProps & { readonly request: NoteRequest }): JSX.Element {
  const [note, setNote] = useState(request.row.decision?.note ?? '');
  const { title, label, decide } = wording.notes[request.verdict];
  const submit = (event: Event & { readonly currentTarget: HTMLElement }): void => {
    closeNow(controls, event.currentTarget.closest('dialog'));
    controls.decideWithNote(request, note);
  };
  return (
    <Frame controls={controls} title={title}>
      <label class="stacked">
        {label}
        <textarea
          rows={3}
          maxLength={MAX_NOTE}
          value={note}
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => setNote(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            submit(event);
          }}
        />
      </label>
      <form method="dialog" class="actions">
        <button type="button" class="primary" onClick={submit}>
          {decide}
        </button>
        <button type="submit">{wording.cancel}</button>
      </form>
    </Frame>
  );
}

/** Up to this length, in characters, a whole text can be a term. */
const MAX_WHOLE = 60;

interface WordChooserProps {
  readonly source: string;
  readonly lang: string;
  readonly onChoose: (words: string) => void;
}

/** A copy of the source as a field, because keys can select words only in fields. */
function WordChooser({ source, lang, onChoose }: WordChooserProps): JSX.Element {
  return (
    <label class="stacked">
      {wording.termWords}
      <textarea
        aria-readonly
        // Chromium does not show a caret in a read-only field, and keys cannot select text there.
        onBeforeInput={(event) => event.preventDefault()}
        dir="auto"
        lang={lang}
        value={source}
        onSelect={({ currentTarget: { value, selectionStart, selectionEnd } }) => {
          if (selectionStart < selectionEnd) onChoose(value.slice(selectionStart, selectionEnd).trim());
        }}
      />
    </label>
  );
}

/** Both sides of a new term: the selected words, or the whole text if it is short. */
function TermDialog({ controls }: DialogProps): JSX.Element | null {
  const { store, focusedForm: form } = controls;
  const [row] = useState(() => store.currentRow());
  const whole = (text = ''): string => (text.length <= MAX_WHOLE ? text : '');
  const source = row?.forms[form]?.source ?? '';
  const [term, setTerm] = useState(() => store.selectedSource.trim() || whole(source));
  const [isChoosing] = useState(() => term === '');
  const [translation, setTranslation] = useState(
    () => controls.selectedText.trim() || whole(controls.values.peek()[form]),
  );
  const sourceLanguage = store.pack.value?.source ?? '';
  const [trouble, setTrouble] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  if (!row) return null;
  const add = async (dialog: HTMLDialogElement | null): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    const refused = (reason: string): TermResult => ({ kind: 'refused', reason });
    const result = await store.source
      .addTerm?.({ id: row.id, term, translation })
      .catch((error: unknown) => refused(error instanceof Error ? error.message : String(error)));
    setIsBusy(false);
    if (result?.kind !== 'added') return setTrouble(result?.reason ?? '');
    if (store.current.value === row.id) store.context.value = result.context;
    store.announce(wording.termAdded(term.trim()));
    closeNow(controls, dialog);
  };
  return (
    <Frame controls={controls} title={wording.termTitle}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void add(event.currentTarget.closest('dialog'));
        }}
      >
        {isChoosing && <WordChooser source={source} lang={sourceLanguage} onChoose={setTerm} />}
        <label class="stacked">
          {wording.termSource}
          <input
            type="text"
            dir="auto"
            lang={sourceLanguage}
            value={term}
            onFocus={(event) => event.currentTarget.select()}
            onInput={(event) => setTerm(event.currentTarget.value)}
          />
        </label>
        <label class="stacked">
          {wording.termTranslation(row.locale)}
          <input
            type="text"
            dir="auto"
            lang={row.locale}
            value={translation}
            onFocus={(event) => event.currentTarget.select()}
            onInput={(event) => setTranslation(event.currentTarget.value)}
          />
        </label>
        <p class="quiet">{wording.termHint}</p>
        <p class="trouble" role="alert" hidden={trouble === ''}>
          {trouble}
        </p>
        <div class="actions">
          <button type="submit" class="primary">
            {wording.termAdd}
          </button>
          <button
            type="button"
            onClick={(event) => closeNow(controls, event.currentTarget.closest('dialog'))}
          >
            {wording.cancel}
          </button>
        </div>
      </form>
    </Frame>
  );
}

interface Replacement {
  readonly row: Row;
  readonly values: readonly string[];
  readonly before: string;
  readonly after: string;
}

/** How many replacements are previewed. */
const MAX_PREVIEW = 50;

function ReplaceDialog({ controls }: DialogProps): JSX.Element {
  const { store } = controls;
  const [find, setFind] = useState('');
  const [by, setBy] = useState('');
  const [isExact, setIsExact] = useState(true);
  const { good, refused } = useMemo(() => {
    const rows = store.shown.value.flatMap((_, index) => store.shownRow(index) ?? []);
    const all = rows.flatMap((row) => (store.drafts.has(row.id) ? [] : replacedIn(row, find, by, isExact)));
    const passes = all.filter(({ row, values }) =>
      row.forms.every((form, i) => !checkForm(row, form, values[i] ?? '').some(({ isError }) => isError)),
    );
    return { good: passes, refused: all.length - passes.length };
  }, [store, find, by, isExact, store.shown.value, store.revision.value]);
  const replace = (): void => {
    controls.dialog.value = undefined;
    const valuesOf = new Map(good.map(({ row, values }) => [row.id, values]));
    const rows = good.map(({ row }) => row);
    const skipped = refused > 0 ? wording.replaceRefused(refused) : '';
    void controls.decideTogether(rows, ({ id }) => ({ values: valuesOf.get(id) ?? [] }), skipped);
  };
  return (
    <Frame controls={controls} title={wording.replaceTitle}>
      <label class="stacked">
        {wording.replaceFind}
        <input type="text" value={find} onInput={(event) => setFind(event.currentTarget.value)} />
      </label>
      <label class="stacked">
        {wording.replaceBy}
        <input type="text" value={by} onInput={(event) => setBy(event.currentTarget.value)} />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={isExact}
          onChange={(event) => setIsExact(event.currentTarget.checked)}
        />
        {wording.replaceCase}
      </label>
      {find !== '' && (
        <div class="preview" role="status">
          <p>
            {wording.replaceHits(good.length)} {refused > 0 && wording.replaceRefused(refused)}{' '}
            {good.length > MAX_PREVIEW && wording.replaceMore(MAX_PREVIEW)}
          </p>
          <ul>
            {good.slice(0, MAX_PREVIEW).map(({ row, before, after }) => (
              <li key={row.id}>
                <bdi class="place">{row.key}</bdi>
                <p dir="auto" lang={row.locale}>
                  <Difference before={before} after={after} />
                </p>
              </li>
            ))}
          </ul>
        </div>
      )}
      <form method="dialog" class="actions">
        <button type="button" class="primary" disabled={good.length === 0} onClick={replace}>
          {wording.replaceNow(good.length)}
        </button>
        <button type="submit">{wording.cancel}</button>
      </form>
    </Frame>
  );
}

function replacedIn(row: Row, find: string, by: string, isExact: boolean): readonly Replacement[] {
  if (find === '') return [];
  const pattern = new RegExp(find.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), isExact ? 'gu' : 'giu');
  const before = row.forms.map(({ translation }) => translation ?? '');
  const values = before.map((text) => text.replace(pattern, () => by));
  const changed = values.findIndex((value, i) => value !== before[i]);
  if (changed < 0) return [];
  return [{ row, values, before: before[changed] ?? '', after: values[changed] ?? '' }];
}
