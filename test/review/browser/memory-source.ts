import { createHash } from 'node:crypto';
import { verify } from '../../../src/text/verify.ts';
import type {
  Answer,
  ReviewChanges,
  Pack,
  Result,
  Row,
  RowContext,
  RowSource,
} from '../../../src/review/protocol.ts';

/** Serves a page in tests: follows the rules of the protocol for rows in memory. */
export class MemorySource implements RowSource {
  readonly answers: Answer[] = [];
  /** The context of every row. */
  rowContext: RowContext = {};
  readonly screenshots = new Map<string, Blob>();
  /** Answers are saved at once, and confirmed after this. */
  confirms: Promise<unknown> = Promise.resolve();
  #rows: Map<string, Row>;
  readonly #before = new Map<string, Row[]>();
  readonly #pack: Pack;
  #changed: Row[] = [];
  #gone: string[] = [];
  #lastNumber = 0;
  #isChanged: (() => void) | undefined;

  constructor(pack: Pack) {
    this.#pack = pack;
    this.#rows = new Map(pack.rows.map((row) => [row.id, row]));
  }

  async rows(): Promise<Pack> {
    return { ...this.#pack, rows: [...this.#rows.values()] };
  }

  row(key: string): Row {
    const found = [...this.#rows.values()].find((row) => row.key === key);
    if (!found) throw new Error(`no row ${key}`);
    return found;
  }

  async save(answers: readonly Answer[]): Promise<readonly Result[]> {
    this.answers.push(...answers);
    const results = answers.map((answer) => this.#take(answer));
    await this.confirms;
    return results;
  }

  /** Somebody else writes a translation. */
  write(key: string, translation: string, isTold: boolean): void {
    this.writeAll(key, [translation], isTold);
  }

  writeAll(key: string, translations: readonly string[], isTold: boolean): void {
    const row = this.row(key);
    const next = withValues(row, translations);
    this.#rows.set(row.id, next);
    if (!isTold) return;
    this.#changed.push(next);
    this.#isChanged?.();
  }

  /** Somebody else removes a text. */
  remove(key: string): void {
    const { id } = this.row(key);
    this.#rows.delete(id);
    this.#gone.push(id);
    this.#isChanged?.();
  }

  async context(): Promise<RowContext> {
    return this.rowContext;
  }

  async screenshot(name: string): Promise<Blob | undefined> {
    return this.screenshots.get(name);
  }

  async changes(since: number, signal: AbortSignal): Promise<ReviewChanges> {
    if (this.#changed.length + this.#gone.length === 0)
      await new Promise<void>((resolve) => {
        this.#isChanged = resolve;
        signal.addEventListener('abort', () => resolve());
      });
    const [rows, gone] = [this.#changed, this.#gone];
    this.#changed = [];
    this.#gone = [];
    return { next: since + 1, rows, gone };
  }

  #take({ id, sourceHashes, bases, values, verdict, note, undo }: Answer): Result {
    const row = this.#rows.get(id);
    if (!row) return { id, kind: 'foreign' };
    if (row.forms.some(({ sourceHash }, i) => sourceHash !== sourceHashes[i]))
      return { id, kind: 'stale', row };
    if (row.forms.some(({ base }, i) => base !== bases[i])) return { id, kind: 'conflict', row };
    const earlier = this.#before.get(id) ?? [];
    this.#before.set(id, earlier);
    if (undo !== undefined) {
      const before = earlier.pop() ?? row;
      this.#rows.set(id, before);
      return { id, kind: 'saved', row: before };
    }
    const reasons = row.forms.flatMap(({ source, syntax, translation }, i) =>
      verify(source, values?.[i] ?? translation ?? '', { syntax, locale: row.locale }).map(
        ({ detail }) => detail,
      ),
    );
    if (reasons.length > 0 && verdict !== 'rejected') return { id, kind: 'refused', reasons };
    earlier.push(row);
    const { needsReview: _, decision: __, ...rest } = values ? withValues(row, values) : row;
    const decision = verdict && { verdict, by: 'person' as const, ...(note === undefined ? {} : { note }) };
    const isApproval = verdict === 'reviewed' || verdict === 'final';
    const next: Row = {
      ...rest,
      state: isApproval ? verdict : 'translated',
      ...(decision ? { decision } : {}),
      ...(verdict === 'rejected' ? { needsReview: 'rejected' as const } : {}),
      ...(verdict === 'needs-review' ? { needsReview: 'requested' as const } : {}),
    };
    this.#rows.set(id, next);
    return { id, kind: 'saved', row: next, number: ++this.#lastNumber };
  }
}

function withValues(row: Row, values: readonly string[]): Row {
  const forms = row.forms.map((form, i) => {
    const translation = values[i] ?? '';
    const base = createHash('sha256').update(translation).digest('hex').slice(0, 16);
    return { ...form, translation, base };
  });
  return { ...row, state: 'translated', forms };
}
