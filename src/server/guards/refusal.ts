/**
 * A request that HTTP itself or the server's own rules refuse: a status that no {@link ErrorCode} stands for, or headers
 * that go with it. The `detail` is for the client.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.status = status;
    this.headers = headers;
  }
}
