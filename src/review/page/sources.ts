import {
  type AnswerFile,
  type Answer,
  type Changes,
  type Form,
  type Pack,
  PROTOCOL_VERSION,
  type Result,
  type Row,
  SESSION_HEADER,
  type Source,
  type Suggestion,
  type Verdict,
} from '../protocol.ts';
import type { AnswerStore, KeptAnswer } from './answer-store.ts';
import { checkForm } from './checks.ts';
import { wording } from './wording.ts';

/** The server that this page came from. */
export class ServerSource implements Source {
  readonly #session: string;

  private constructor(session: string) {
    this.#session = session;
  }

  /**
   * @param token of the address; undefined for a page that was loaded again, which has a session
   * @throws Error without access
   */
  static async open(token: string | undefined): Promise<ServerSource> {
    const name = 'dragoman-session';
    if (token !== undefined) {
      const { session } = await ask<{ session: string }>('session', { method: 'POST', body: { token } });
      sessionStorage.setItem(name, session);
    }
    const session = sessionStorage.getItem(name);
    if (session === null) throw new Error(wording.noSession);
    return new ServerSource(session);
  }

  rows(locale?: string): Promise<Pack> {
    return ask(locale === undefined ? 'rows' : `rows?locale=${encodeURIComponent(locale)}`, this.#get());
  }

  async save(answers: readonly Answer[]): Promise<readonly Result[]> {
    const { results } = await ask<{ results: readonly Result[] }>('answers', this.#post({ answers }));
    return results;
  }

  changes(since: number, signal: AbortSignal): Promise<Changes> {
    return ask(`changes?since=${since}`, { ...this.#get(), signal });
  }

  async similar(id: string): Promise<readonly Suggestion[]> {
    const { suggestions } = await ask<{ suggestions: readonly Suggestion[] }>('similar', this.#post({ id }));
    return suggestions;
  }

  #get(): Request {
    return { method: 'GET', session: this.#session };
  }

  #post(body: unknown): Request {
    return { method: 'POST', session: this.#session, body };
  }
}

interface Request {
  readonly method: 'GET' | 'POST';
  readonly session?: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

async function ask<T>(path: string, { method, session, body, signal }: Request): Promise<T> {
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
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const answer: T = await response.json();
  return answer;
}

/** A pack in the page itself. Answers are kept in the browser, and nothing leaves it. */
export class FileSource implements Source {
  readonly #pack: Pack;
  readonly #store: AnswerStore;
  /** As they were sent. */
  readonly #sent: ReadonlyMap<string, Row>;
  readonly #answers = new Map<string, KeptAnswer>();
  /** Earlier answers, for undoing. */
  readonly #earlier = new Map<string, (KeptAnswer | undefined)[]>();

  /** @param answers of a copy that was saved with them */
  constructor(pack: Pack, store: AnswerStore, answers: readonly KeptAnswer[]) {
    this.#pack = pack;
    this.#store = store;
    this.#sent = new Map(pack.rows.map((row) => [row.id, row]));
    for (const answer of answers) this.#keepNewer(answer);
  }

  get answers(): readonly KeptAnswer[] {
    return [...this.#answers.values()];
  }

  async rows(): Promise<Pack> {
    for (const answer of await this.#store.load(this.#pack.project)) this.#keepNewer(answer);
    return { ...this.#pack, rows: this.#pack.rows.map((row) => answered(row, this.#answers.get(row.id))) };
  }

  async save(answers: readonly Answer[]): Promise<readonly Result[]> {
    const results = answers.map((answer) => this.#take(answer));
    const kept = results.flatMap((result) => {
      if (result.kind !== 'saved') return [];
      return [{ id: result.id, answer: this.#answers.get(result.id) }];
    });
    await this.#store.save(this.#pack.project, kept);
    return results;
  }

  /** For `dragoman import`. */
  answerFile(): AnswerFile & { readonly dragoman: 'answers' } {
    const answers = this.#pack.rows.flatMap(({ id }) => this.#answers.get(id)?.answer ?? []);
    return { dragoman: 'answers', version: PROTOCOL_VERSION, project: this.#pack.project, answers };
  }

  #take({ id, values, verdict, note, undo }: Answer): Result {
    const sent = this.#sent.get(id);
    if (!sent) return { id, kind: 'foreign' };
    const before = this.#answers.get(id);
    const earlier = this.#earlier.get(id) ?? [];
    let now: KeptAnswer | undefined;
    if (undo) now = earlier.pop();
    else {
      const row = answered(sent, before);
      const texts = values ?? row.forms.map(({ translation }) => translation ?? '');
      const reasons = verdict === 'rejected' ? [] : errorsOf(sent, texts);
      if (reasons.length > 0) return { id, kind: 'refused', reasons };
      earlier.push(before);
      now = { at: Date.now(), answer: answerTo(sent, texts, verdict ?? before?.answer.verdict, note) };
    }
    this.#earlier.set(id, earlier);
    if (now) this.#answers.set(id, now);
    else this.#answers.delete(id);
    return { id, kind: 'saved', row: answered(sent, now) };
  }

  /** Ignores answers about another source or translation than this pack has. */
  #keepNewer(kept: KeptAnswer): void {
    const { id, sourceHashes, bases } = kept.answer;
    const sent = this.#sent.get(id);
    const known = this.#answers.get(id);
    if (!sent || (known && known.at >= kept.at)) return;
    const isSame = (form: Form, i: number): boolean =>
      form.sourceHash === sourceHashes[i] && form.base === bases[i];
    if (sent.forms.length === bases.length && sent.forms.every(isSame)) this.#answers.set(id, kept);
  }
}

function errorsOf(row: Row, values: readonly string[]): readonly string[] {
  return row.forms.flatMap((form, i) =>
    checkForm(row, form, values[i] ?? '').flatMap(({ isError, message }) => (isError ? message : [])),
  );
}

function answerTo(
  { id, forms }: Row,
  texts: readonly string[],
  verdict: Verdict | undefined,
  note: string | undefined,
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

/** The row as it is after an answer. */
function answered(row: Row, kept: KeptAnswer | undefined): Row {
  if (!kept) return row;
  const { values, verdict, note } = kept.answer;
  const forms = row.forms.map((form, i): Form => {
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
  const decided = { verdict, by: 'person', ...(note === undefined ? {} : { note }) };
  if (verdict === 'reviewed' || verdict === 'final') return { ...next, state: verdict, decision: decided };
  const reason = verdict === 'rejected' ? 'rejected' : 'requested';
  return { ...next, state: 'translated', needsReview: reason, decision: decided };
}
