import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Controls } from './controls.ts';
import { Dialogs } from './dialogs.tsx';
import { FilterBar } from './filter-bar.tsx';
import { RowList } from './row-list.tsx';
import { wording } from './wording.ts';

/** Functions that only a page sent as a file needs. */
export interface MailedPage {
  /** Whether the browser keeps answers when the page is closed. */
  readonly isKept: boolean;
  count(): number;
  hasUnkeptAnswers(): boolean;
  sendBack(): void;
  saveCopy(): void;
}

interface AppProps {
  readonly controls: Controls;
  readonly mailed: MailedPage | undefined;
}

export function App({ controls, mailed }: AppProps): JSX.Element {
  const { store } = controls;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || controls.dialog.value !== undefined) return;
      if (isOtherField(event.target) && !event.altKey) return;
      if (controls.press(event, 'list')) event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [controls]);
  const { text, isUrgent } = store.message.value;
  const trouble = store.trouble.value;
  return (
    <>
      <header>
        <TitleBar controls={controls} mailed={mailed} />
        <FilterBar controls={controls} />
        {trouble !== undefined && (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        )}
        {mailed?.isKept === false && <p class="trouble">{wording.noStorage}</p>}
      </header>
      <main>
        <RowList controls={controls} />
      </main>
      <BatchBar controls={controls} />
      <p class="message" role="status" hidden={isUrgent || text === ''}>
        {isUrgent ? '' : text}
      </p>
      <p class="message urgent" role="alert" hidden={!isUrgent}>
        {isUrgent ? text : ''}
      </p>
      <Dialogs controls={controls} />
    </>
  );
}

/** Other fields and buttons handle their own keys. */
function isOtherField(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('input, select, button, textarea, a, dialog, .field') !== null
  );
}

function TitleBar({ controls, mailed }: AppProps): JSX.Element {
  const { store } = controls;
  // Answers kept in the browser are counted too.
  void store.revision.value;
  const all = store.counts.value.get('all') ?? 0;
  const approved = store.counts.value.get('approved') ?? 0;
  return (
    <div class="bar title">
      <h1>{store.pack.value?.title ?? wording.title}</h1>
      <progress value={approved} max={Math.max(1, all)} aria-label={wording.approvedOf(approved, all)} />
      <span class="quiet">{wording.approvedOf(approved, all)}</span>
      <span class="space" />
      {mailed && (
        <>
          <span class="quiet">{wording.answers(mailed.count())}</span>
          <button type="button" onClick={() => mailed.saveCopy()}>
            {wording.saveCopy}
          </button>
          <button
            type="button"
            class="primary"
            title={wording.sendBackHint}
            onClick={() => mailed.sendBack()}
          >
            {wording.sendBack}
          </button>
        </>
      )}
      <button type="button" onClick={() => controls.act('undo')}>
        {wording.undo}
      </button>
      <button type="button" onClick={() => controls.act('replace')}>
        {wording.replace}
      </button>
      <button type="button" onClick={() => controls.act('keys')}>
        {wording.keys}
      </button>
      <label class="check">
        <input
          type="checkbox"
          checked={controls.isPlain.value}
          onChange={(event) => {
            controls.isPlain.value = event.currentTarget.checked;
          }}
        />
        {wording.plainEditor}
      </label>
    </div>
  );
}

function BatchBar({ controls }: { readonly controls: Controls }): JSX.Element | null {
  const { size } = controls.store.selected.value;
  if (size === 0) return null;
  return (
    <section class="bar batch" aria-label={wording.selected(size)}>
      <strong>{wording.selected(size)}</strong>
      <button type="button" class="primary" onClick={() => void controls.approveSelected()}>
        {wording.approveSelected}
      </button>
      <button type="button" onClick={() => controls.selectAll()}>
        {wording.selectAll}
      </button>
      <button
        type="button"
        onClick={() => {
          controls.store.selected.value = new Set();
        }}
      >
        {wording.selectNone}
      </button>
      <span class="quiet">{wording.undoneHint}</span>
    </section>
  );
}
