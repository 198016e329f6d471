import {
  type AddedTerm,
  type AnswerFile,
  type Answer,
  type ReviewChanges,
  type RowForm,
  type Pack,
  PROTOCOL_VERSION,
  type Result,
  type Row,
  type RowContext,
  SESSION_HEADER,
  type RowSource,
  type TermResult,
  NO_TEXT,
  STALE_TEXT,
} from '../protocol.ts';
import type { UnsavedAnswerStore, KeptAnswer } from './answer-store.ts';
import { checkForm } from './checks.ts';
import { wording } from './wording.ts';

/** The server understood a request and will never accept it, so sending it again is useless. */
export class RefusedRequest extends Error {}

/** The server that sent this page. */
export class ServerSource implements RowSource {
  #session: string;

  private constructor(session: string) {
    this.#session = session;
  }

  /**
   * @param token the token in the address; undefined for a reloaded page, which has a session
   * @throws Error without access
   */
  static async open(token: string | undefined): Promise<ServerSource> {
    const session = token === undefined ? sessionStorage.getItem(SESSION) : await exchange(token);
    if (session === null) throw new Error(wording.noSession);
    return new ServerSource(session);
  }

  /**
   * Continues with a server that was restarted on the same port.
   *
   * @throws Error if the token is invalid; the session then stays unchanged
   */
  async reopen(token: string): Promise<void> {
    this.#session = await exchange(token);
  }

  rows(locale?: string): Promise<Pack> {
    return ask(locale === undefined ? 'rows' : `rows?locale=${encodeURIComponent(locale)}`, this.#get());
  }

  async save(answers: readonly Answer[]): Promise<readonly Result[]> {
    const { results } = await ask<{ results: readonly Result[] }>('answers', this.#post({ answers }));
    return results;
  }

  addTerm(term: AddedTerm): Promise<TermResult> {
    return ask('terms', this.#post(term));
  }

  context(id: string): Promise<RowContext> {
    return ask(`context?id=${encodeURIComponent(id)}`, this.#get());
  }

  screenshot(name: string): Promise<Blob> {
    return ask(`screenshot?name=${encodeURIComponent(name)}`, this.#get(), (response) => response.blob());
  }

  changes(since: number, signal: AbortSignal): Promise<ReviewChanges> {
    return ask(`changes?since=${since}`, { ...this.#get(), signal });
  }

  #get(): Request {
    return { method: 'GET', session: this.#session };
  }

  #post(body: unknown): Request {
    return { method: 'POST', session: this.#session, body };
  }
}

/** The key in sessionStorage. */
const SESSION = 'dragoman-session';

async function exchange(token: string): Promise<string> {
  const { session } = await ask<{ session: string }>('session', { method: 'POST', body: { token } });
  sessionStorage.setItem(SESSION, session);
  return session;
}

interface Request {
  readonly method: 'GET' | 'POST';
  readonly session?: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

async function ask<T>(
  path: string,
  { method, session, body, signal }: Request,
  read: (response: Response) => Promise<T> = (response) => response.json(),
): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: {
        ...(session === undefined ? {} : { [SESSION_HEADER]: session }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ?? null,
      credentials: 'omit',
      cache: 'no-store',
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new Error(wording.unreachable, { cause: error });
  }
  if (response.status === 401 || response.status === 403) throw new Error(wording.noSession);
  if (!response.ok) {
    const { error }: { readonly error?: unknown } = await response.json().catch(() => ({}));
    if (typeof error !== 'string') throw new Error(`HTTP ${response.status}`);
    throw response.status < 500 ? new RefusedRequest(error) : new Error(error);
  }
  return read(response);
}

/** A pack embedded in the page. Answers are kept in the browser, and nothing leaves it. */
export class FileSource implements RowSource {
  readonly #pack: Pack;
  readonly #store: UnsavedAnswerStore;
  /** The rows as sent. */
  readonly #sent: ReadonlyMap<string, Row>;
  /** All answers about a row since the page was opened. The last one is valid; the others are kept for undo. */
  readonly #answers = new Map<string, readonly KeptAnswer[]>();
  #revision = 0;
  #lastNumber = 0;

  /** @param answers those stored in a saved copy */
  constructor(pack: Pack, store: UnsavedAnswerStore, answers: readonly KeptAnswer[]) {
    this.#pack = pack;
    this.#store = store;
    this.#sent = new Map(pack.rows.map((row) => [row.id, row]));
    for (const answer of answers) this.#keepNewer(answer);
  }

  get answers(): readonly KeptAnswer[] {
    return [...this.#answers.values()].flatMap((answers) => answers.at(-1) ?? []);
  }

  /** Incremented whenever answers are kept or removed. */
  get revision(): number {
    return this.#revision;
  }

  async rows(): Promise<Pack> {
    for (const answer of await this.#store.load(this.#pack.project)) this.#keepNewer(answer);
    return { ...this.#pack, rows: this.#pack.rows.map((row) => answered(row, this.#lastAbout(row.id))) };
  }

  /** If it fails, nothing has changed, and the same answers can be sent again. */
  async save(answers: readonly Answer[]): Promise<readonly Result[]> {
    const taken = new Map<string, readonly KeptAnswer[]>();
    const results = answers.map((answer) => this.#take(answer, taken));
    const kept = [...taken].map(([id, about]) => ({ id, answer: about.at(-1) }));
    await this.#store.save(this.#pack.project, kept);
    for (const [id, about] of taken) this.#answers.set(id, about);
    this.#revision++;
    return results;
  }

  async context(id: string): Promise<RowContext | undefined> {
    return this.#pack.contexts?.[id];
  }

  async screenshot(name: string): Promise<Blob | undefined> {
    const picture = this.#pack.screenshots?.[name];
    if (!picture) return undefined;
    const bytes = Uint8Array.from(atob(picture.base64), (character) => character.charCodeAt(0));
    return new Blob([bytes], { type: picture.type });
  }

  /** The file for `dragoman import`. */
  answerFile(): AnswerFile & { readonly dragoman: 'answers' } {
    const answers = this.#pack.rows.flatMap(({ id }) => this.#lastAbout(id)?.answer ?? []);
    return { dragoman: 'answers', version: PROTOCOL_VERSION, project: this.#pack.project, answers };
  }

  #lastAbout(id: string): KeptAnswer | undefined {
    return this.#answers.get(id)?.at(-1);
  }

  /** @param taken receives the answers about the row */
  #take({ id, values, verdict, note, undo }: Answer, taken: Map<string, readonly KeptAnswer[]>): Result {
    const sent = this.#sent.get(id);
    if (!sent) return { id, kind: 'foreign' };
    let about = taken.get(id) ?? this.#answers.get(id) ?? [];
    if (undo !== undefined) about = about.slice(0, -1);
    else {
      const before = about.at(-1);
      const row = answered(sent, before);
      const texts = values ?? row.forms.map(({ translation }) => translation ?? '');
      const isDoubt = values === undefined && (verdict === 'rejected' || verdict === 'needs-review');
      const reasons = isDoubt ? undecidable(sent, texts) : errorsOf(sent, texts);
      if (reasons.length > 0) return { id, kind: 'refused', reasons };
      const answer = answerTo(sent, texts, verdict === undefined ? before?.answer : { verdict, note });
      about = [...about, { at: Date.now(), answer }];
    }
    taken.set(id, about);
    const row = answered(sent, about.at(-1));
    return undo === undefined
      ? { id, kind: 'saved', row, number: ++this.#lastNumber }
      : { id, kind: 'saved', row };
  }

  /** Ignores answers about a source or translation other than the one in this pack. */
  #keepNewer(kept: KeptAnswer): void {
    const { id, sourceHashes, bases } = kept.answer;
    const sent = this.#sent.get(id);
    const known = this.#lastAbout(id);
    if (!sent || (known && known.at >= kept.at)) return;
    const isSame = (form: RowForm, i: number): boolean =>
      form.sourceHash === sourceHashes[i] && form.base === bases[i];
    if (sent.forms.length === bases.length && sent.forms.every(isSame)) this.#answers.set(id, [kept]);
  }
}

/** Why a rejection or request for review of these texts cannot be recorded, by the rules of the project. */
function undecidable({ forms }: Row, texts: readonly string[]): readonly string[] {
  const reasons = forms.flatMap(({ translation, isStale }, i) => {
    if ((translation ?? '') !== texts[i]) return [];
    return translation === undefined ? NO_TEXT : isStale ? STALE_TEXT : [];
  });
  return [...new Set(reasons)];
}

function errorsOf(row: Row, values: readonly string[]): readonly string[] {
  return row.forms.flatMap((form, i) =>
    checkForm(row, form, values[i] ?? '').flatMap(({ isError, message }) => (isError ? message : [])),
  );
}

function answerTo(
  { id, forms }: Row,
  texts: readonly string[],
  { verdict, note }: Pick<Answer, 'verdict' | 'note'> = {},
): Answer {
  const isChanged = forms.some(({ translation }, i) => (translation ?? '') !== texts[i]);
  return {
    id,
    sourceHashes: forms.map(({ sourceHash }) => sourceHash),
    bases: forms.map(({ base }) => base),
    ...(isChanged ? { values: [...texts] } : {}),
    ...(verdict === undefined ? {} : { verdict }),
    ...(note === undefined || note === '' ? {} : { note }),
  };
}

/** The row after an answer. */
function answered(row: Row, kept: KeptAnswer | undefined): Row {
  if (!kept) return row;
  const { values, verdict, note } = kept.answer;
  const forms = row.forms.map((form, i): RowForm => {
    const translation = values?.[i] ?? form.translation;
    if (translation === undefined || translation === form.translation) return form;
    return { ...form, translation, findings: checkForm(row, form, translation) };
  });
  const { needsReview, decision, isUnchanged: _, ...rest } = row;
  const isUnchanged = forms.every(({ source, translation }) => source === translation);
  const next: Row = { ...rest, forms, ...(isUnchanged ? { isUnchanged } : {}) };
  if (verdict === undefined)
    return {
      ...next,
      state: values ? 'translated' : row.state,
      ...(values ? {} : { needsReview, decision }),
    };
  const decided: Row['decision'] = { verdict, by: 'person', ...(note === undefined ? {} : { note }) };
  if (verdict === 'reviewed' || verdict === 'final') return { ...next, state: verdict, decision: decided };
  const reason = verdict === 'rejected' ? 'rejected' : 'requested';
  return { ...next, state: 'translated', needsReview: reason, decision: decided };
}
