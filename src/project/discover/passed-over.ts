import type { AsideReason } from './aside.ts';

/** Why a file that looks like localization is not worked on. */
export type PassedOverReason =
  AsideReason | 'not_supported' | 'without_strings' | 'settings' | 'written_by_i18n' | 'without_source';

/** Files that look like localization and are not worked on, of one kind. */
export interface PassedOver {
  readonly reason: PassedOverReason;
  /** With its dot, in lower case. */
  readonly extension: string;
  readonly count: number;
  /** Whether counting ended early, because the directories are too large. */
  readonly isAtLeast: boolean;
  /** The first of them, relative to the root. */
  readonly example: string;
}

/** In the order in which they are listed. */
const REASONS: Readonly<Record<PassedOverReason, string>> = {
  not_supported: ', not supported',
  test_directory: ' in test directories, passed over',
  build_output: ' in build output, passed over',
  vendored: ' in vendored directories, passed over',
  export: ' in exported catalogues, passed over',
  without_strings: ' without translatable strings, passed over',
  settings: ' with settings instead of texts, passed over',
  written_by_i18n: ' written by dragoman i18n, passed over',
  without_source: ' without a source file, passed over',
};

const ORDER: readonly string[] = Object.keys(REASONS);

/** `52 .wxl files, not supported (for example setup/de.wxl)` */
export function describePassedOver({ reason, extension, count, isAtLeast, example }: PassedOver): string {
  const number = `${isAtLeast ? 'at least ' : ''}${count.toLocaleString('en')}`;
  return `${number} ${extension} file${count === 1 ? '' : 's'}${REASONS[reason]} (for example ${example})`;
}

/** Counts files that are passed over, by reason and extension. */
export class PassedOverCount {
  readonly #kinds = new Map<string, { reason: PassedOverReason; extension: string; paths: Set<string> }>();
  readonly #counts: (path: string) => boolean;
  readonly #cut = new Set<PassedOverReason>();

  /** @param counts whether a path is of interest: one that the configuration excludes is not. */
  constructor(counts: (path: string) => boolean) {
    this.#counts = counts;
  }

  add(reason: PassedOverReason, path: string): void {
    if (!this.#counts(path)) return;
    const extension = /\.[^./]+$/.exec(path)?.[0].toLowerCase() ?? '';
    const id = `${ORDER.indexOf(reason)}${extension}`;
    const kind = this.#kinds.get(id);
    if (kind) kind.paths.add(path);
    else this.#kinds.set(id, { reason, extension, paths: new Set([path]) });
  }

  /** There may be more files of this reason. */
  cutShort(reason: PassedOverReason): void {
    this.#cut.add(reason);
  }

  /** By reason, then extension. */
  list(): readonly PassedOver[] {
    return [...this.#kinds]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { reason, extension, paths }]) => ({
        reason,
        extension,
        count: paths.size,
        isAtLeast: this.#cut.has(reason),
        example: [...paths].reduce((first, path) => (path < first ? path : first)),
      }));
  }
}
