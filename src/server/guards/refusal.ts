/**
 * A request refused by HTTP or by the server's own rules, with a status that has no {@link ErrorCode}, or with extra
 * headers. The client sees `detail`.
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
