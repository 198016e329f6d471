import { render } from 'preact';
import { ANSWERS_ELEMENT, type PageParts, pageDocument, SCRIPT_ELEMENT, STYLE_ELEMENT } from '../document.ts';
import { PACK_ELEMENT, type Pack } from '../protocol.ts';
import { type KeptAnswer, NO_ANSWER_STORE, openAnswerStore } from './answer-store.ts';
import { App, type MailedPage } from './app.tsx';
import { Controls } from './controls.ts';
import { readFilter, writeFilter } from './filter.ts';
import { FileSource, ServerSource } from './sources.ts';
import { ReviewStore } from './store.ts';
import { wording } from './wording.ts';

const nonce = document.getElementById(SCRIPT_ELEMENT)?.nonce ?? '';
const root = document.getElementById('app');
if (root) void start(root);

async function start(root: HTMLElement): Promise<void> {
  try {
    const pack: Pack | null = JSON.parse(textIn(PACK_ELEMENT));
    const { store, mailed } = pack
      ? await openMailed(pack)
      : { store: await openServed(), mailed: undefined };
    const controls = new Controls(store, nonce);
    await store.load();
    followAddress(store);
    render(<App controls={controls} mailed={mailed} />, root);
    window.addEventListener('beforeunload', (event) => {
      if (store.drafts.size > 0 || !controls.decisions.isIdle || mailed?.hasUnkeptAnswers() === true)
        event.preventDefault();
    });
    void followChanges(store);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    render(<p class="trouble alone">{wording.failed(reason)}</p>, root);
    // An address with another token differs only in the fragment, so the page must be reloaded.
    window.addEventListener('hashchange', () => location.reload());
  }
}

async function openServed(): Promise<ReviewStore> {
  const source = await ServerSource.open(takeToken());
  const store = new ReviewStore(source);
  window.addEventListener('hashchange', (event) => {
    const token = takeToken();
    if (token === undefined) return;
    // Keeps other listeners from changing the filter.
    event.stopImmediatePropagation();
    history.replaceState(null, '', event.oldURL);
    void reopen(store, source, token);
  });
  return store;
}

/** Continues with a restarted server, which receives the waiting answers. */
async function reopen(store: ReviewStore, source: ServerSource, token: string): Promise<void> {
  try {
    await source.reopen(token);
    await store.load();
    store.trouble.value = undefined;
  } catch (error) {
    store.trouble.value = error instanceof Error ? error.message : String(error);
  }
}

/** Removes the token from the address, so that it cannot be read there later. */
function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;
  if (token !== undefined) history.replaceState(null, '', location.pathname);
  return token;
}

async function openMailed(pack: Pack): Promise<{ readonly store: ReviewStore; readonly mailed: MailedPage }> {
  const answers = await openAnswerStore();
  const saved: KeptAnswer[] | null = JSON.parse(textIn(ANSWERS_ELEMENT));
  const source = new FileSource(pack, answers ?? NO_ANSWER_STORE, saved ?? []);
  const store = new ReviewStore(source);
  let savedRevision = source.revision;
  const parts: PageParts = {
    style: document.getElementById(STYLE_ELEMENT)?.textContent ?? '',
    script: document.getElementById(SCRIPT_ELEMENT)?.textContent ?? '',
  };
  const name = pack.title.replace(/[^\p{L}\p{N}._-]+/gu, '-');
  const mailed: MailedPage = {
    isKept: answers !== undefined,
    count: () => source.answers.length,
    hasUnkeptAnswers: () => answers === undefined && source.revision !== savedRevision,
    sendBack: () =>
      download(`${name}.answers.json`, 'application/json', `${JSON.stringify(source.answerFile())}\n`),
    saveCopy: () => {
      const embedded = { pack, answers: source.answers };
      download(
        `${name}.html`,
        'text/html',
        pageDocument({ ...parts, nonce, title: document.title, embedded }),
      );
      savedRevision = source.revision;
    },
  };
  return { store, mailed };
}

function textIn(id: string): string {
  return document.getElementById(id)?.textContent ?? 'null';
}

function download(name: string, type: string, content: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  // By then, the download has started and has its own copy of the content.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Keeps the filter and the row in the address's fragment, so that a reload continues there. */
function followAddress(store: ReviewStore): void {
  const read = (): void => {
    const { filter, row } = readFilter(location.hash);
    store.applyFilter(filter);
    if (store.rowOf(row)) store.current.value = row;
  };
  read();
  window.addEventListener('hashchange', read);
  const write = (): void => {
    const fragment = writeFilter(store.filter.value, store.current.value);
    history.replaceState(null, '', fragment === '' ? location.pathname + location.search : `#${fragment}`);
  };
  store.filter.subscribe(write);
  store.current.subscribe(write);
}

/** Milliseconds to wait after a failed request. */
const PAUSE = 3_000;

async function followChanges(store: ReviewStore): Promise<void> {
  const { source } = store;
  if (!source.changes) return;
  const leaving = new AbortController();
  window.addEventListener('pagehide', () => leaving.abort());
  let pack = store.pack.value;
  let since = pack?.next ?? 0;
  while (!leaving.signal.aborted) {
    try {
      const { rows, gone, next, isReset } = await source.changes(since, leaving.signal);
      if (isReset) await store.load();
      // All rows were reloaded, so the earlier answer is about old rows.
      if (store.pack.value !== pack) {
        pack = store.pack.value;
        since = pack?.next ?? next;
        continue;
      }
      since = next;
      if (rows.length > 0) store.takeChanges(rows);
      store.remove(gone);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}
