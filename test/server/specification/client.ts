import { fieldsOf, send, type Answer, type Fields, type Sent } from './answer.ts';

export interface Form {
  readonly filename?: string;
  readonly content?: string | Uint8Array<ArrayBuffer>;
  readonly source_language?: string | undefined;
  readonly target_languages?: string | undefined;
  readonly webhook_url?: string | undefined;
}

export const CREATE = '/v2/translate/i18n';
export const JOBS = '/v2/translate/i18n/jobs';

/** A client with an account and a key, over HTTP. */
export class Client {
  readonly url: string;
  readonly accountId: string;
  readonly email: string;
  readonly key: string;

  constructor(url: string, { accountId, email, key }: Pick<Client, 'accountId' | 'email' | 'key'>) {
    this.url = url;
    this.accountId = accountId;
    this.email = email;
    this.key = key;
  }

  /** The same account over another server, or with another key. */
  with(other: Partial<Pick<Client, 'url' | 'key'>>): Client {
    const { accountId, email } = this;
    return new Client(other.url ?? this.url, { accountId, email, key: other.key ?? this.key });
  }

  send(path: string, { headers, ...rest }: Sent = {}): Promise<Answer> {
    return send(this.url + path, { ...rest, headers: { 'X-API-KEY': this.key, ...headers } });
  }

  get(path: string): Promise<Answer> {
    return this.send(path);
  }

  post(path: string, body: unknown): Promise<Answer> {
    const headers = { 'Content-Type': 'application/json' };
    return this.send(path, {
      method: 'POST',
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  translate(body: object = {}): Promise<Answer> {
    return this.post('/v2/translate', { text: 'Hello', source: 'en', target: 'fr', ...body });
  }

  /** Sends a form as a browser would; undefined fields are omitted. */
  async upload(form: Form = {}): Promise<Answer> {
    const { filename = 'messages.json', content = MESSAGES, ...fields } = form;
    const data = new FormData();
    for (const [name, value] of Object.entries({
      source_language: 'en',
      target_languages: 'fr',
      ...fields,
    })) {
      if (value !== undefined) data.append(name, value);
    }
    data.append('file', new Blob([content]), filename);
    const { type, body } = await encodeForm(data);
    return this.send(CREATE, { method: 'POST', headers: { 'Content-Type': type }, body });
  }

  /** Creates a job, and returns its id. */
  async createJob(form: Form = {}): Promise<string> {
    return String((await this.upload(form)).object(201)['job_id']);
  }

  async status(id: string): Promise<Fields> {
    return (await this.get(`${JOBS}/${id}/status`)).object();
  }

  download(id: string, code = 'fr'): Promise<Answer> {
    return this.get(`${JOBS}/${id}/download?language_code=${encodeURIComponent(code)}`);
  }

  remove(id: string): Promise<Answer> {
    return this.send(`${JOBS}/${id}`, { method: 'DELETE' });
  }

  async summary(): Promise<Fields> {
    return (await this.get('/v2/account/summary')).object();
  }

  /** The request counts of the account's summary. */
  async requests(): Promise<Fields> {
    return fieldsOf((await this.summary())['summary']);
  }

  /** Sends all requests of a window at once. */
  async fillWindow(): Promise<void> {
    await Promise.all(Array.from({ length: 60 }, () => this.get('/v2/supported-languages')));
  }

  /** The credits that some work takes, according to the account summary. */
  async spent(work: () => Promise<unknown>): Promise<number> {
    const before = Number((await this.summary())['credits_used']);
    await work();
    return Number((await this.summary())['credits_used']) - before;
  }
}

/** Two keys that can be translated. */
export const MESSAGES = '{"greeting": "Hello {name}", "farewell": "Goodbye"}\n';

export async function encodeForm(data: FormData): Promise<{ readonly type: string; readonly body: Buffer }> {
  const encoded = new Response(data);
  return {
    type: encoded.headers.get('content-type') ?? '',
    body: Buffer.from(await encoded.arrayBuffer()),
  };
}
