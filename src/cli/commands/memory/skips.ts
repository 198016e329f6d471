import type { Skip, SkipReason } from '../../../memory/exchange/exchange.ts';
import type { Output } from '../../output/output.ts';
import { oneLine } from '../../terminal/terminal.ts';

/** More examples show nothing new; `--verbose` lists all. */
const LISTED = 20;
const LONGEST = 120;

/** Harmless reasons, which are counted but not listed. */
const ORDINARY: ReadonlySet<SkipReason> = new Set<SkipReason>([
  'untranslated',
  'wordless',
  'copied',
  'outdated',
]);

const NAMES: Readonly<Record<SkipReason, string>> = {
  untranslated: 'without a translation',
  wordless: 'without words',
  copied: 'the same as their source',
  outdated: 'of a source that has changed',
  unsound: 'not sound',
  unaligned: 'structured differently from their source',
  language: 'in unknown or missing languages',
  damaged: 'damaged',
  unwritable: 'that the format cannot hold',
};

/** Counts skipped entries, and keeps only as many as it lists. */
export class SkipCounter {
  readonly #counts = new Map<SkipReason, number>();
  readonly #listed: { readonly skip: Skip; readonly file: string | undefined }[] = [];
  readonly #all: boolean;
  #unlisted = 0;

  constructor({ verbose }: { readonly verbose: boolean }) {
    this.#all = verbose;
  }

  /** @param file the file with the entry */
  add(skip: Skip, file?: string): void {
    this.#counts.set(skip.reason, (this.#counts.get(skip.reason) ?? 0) + 1);
    if (!this.#all && ORDINARY.has(skip.reason)) return;
    if (this.#all || this.#listed.length < LISTED) this.#listed.push({ skip, file });
    else this.#unlisted++;
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Reports the skips on standard error. */
  tell(output: Output): void {
    for (const { skip, file } of this.#listed) {
      const place = skip.at && file !== undefined ? `${file}:${skip.at.line}:${skip.at.column}: ` : '';
      output.message(`${place}skipped: ${shorten(skip.detail)}`);
    }
    if (this.#unlisted > 0) output.message(`… and ${this.#unlisted} more; --verbose lists all`);
    const reasons = [...this.#counts].map(([reason, count]) => `${count} ${NAMES[reason]}`);
    if (reasons.length > 0) output.message(`skipped: ${reasons.join(', ')}`);
  }

  /** The report for `--json`. */
  document(): { readonly skipped: object; readonly skips: readonly object[] } {
    return {
      skipped: Object.fromEntries(this.#counts),
      skips: this.#listed.map(({ skip: { reason, detail, at }, file }) => ({
        reason,
        detail: shorten(detail),
        file: file ?? null,
        line: at?.line ?? null,
        column: at?.column ?? null,
      })),
    };
  }
}

/** Shortens a detail to one readable line. */
export function shorten(detail: string): string {
  const line = oneLine(detail);
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
