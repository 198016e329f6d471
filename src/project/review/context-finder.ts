import { fallbackCodes } from '../../engines/chain-rules.ts';
import { SUBTITLE_NAMES } from '../../formats/subtitles/names.ts';
import type { GitCaller } from '../../git/program.ts';
import type { TranslationMemory } from '../../pipeline/memory.ts';
import { termsFor } from '../../pipeline/terms/terms.ts';
import { parseMessage } from '../../text/message.ts';
import type { GlossaryFile } from '../glossary/glossary-file.ts';
import type { Fingerprint } from '../state/lock-line.ts';
import type { Project } from '../state/project.ts';
import { findEarlierSources, type SearchedHistory } from './earlier-sources.ts';
import type { RowContext, RowTerm, SimilarText } from './row-context.ts';
import type { Screenshots } from './screenshots.ts';
import { findSimilarTexts, type SearchedText } from './similar-texts.ts';
import type { TextForm } from './row.ts';

/** The parts of a row that determine its context. */
export interface ContextRequest {
  /** The name of the key as people know it. */
  readonly name: string;
  /** The source file, relative to the root. */
  readonly file: string;
  /** Canonical. */
  readonly locale: string;
  readonly forms: readonly (SearchedText & Pick<TextForm, 'madeOf'>)[];
}

export interface ContextFinderOptions extends GitCaller {
  readonly memory?: TranslationMemory | undefined;
  readonly terms?: Pick<GlossaryFile, 'read'> | undefined;
  readonly screenshots?: Screenshots | undefined;
}

/** By source file. */
type Histories = ReadonlyMap<string, SearchedHistory>;

const keyOf = (file: string, madeOf: Fingerprint): string => `${file}\n${madeOf}`;

/** Finds the context of rows. Writes nothing and keeps no handles open. */
export class ContextFinder {
  readonly #project: Project;
  readonly #options: ContextFinderOptions;
  /** By source file: fingerprints for which its history has not been searched yet. */
  readonly #expected = new Map<string, Set<Fingerprint>>();
  /** By file and fingerprint, because files with the same text have different histories. */
  readonly #searched = new Map<string, Promise<Histories>>();

  constructor(project: Project, options: ContextFinderOptions) {
    this.#project = project;
    this.#options = options;
  }

  /** Announces rows, so that one search of a file's history covers all of them. */
  expect({
    file,
    forms,
  }: Pick<ContextRequest, 'file'> & { readonly forms: readonly Pick<TextForm, 'madeOf'>[] }) {
    for (const { madeOf } of forms) {
      if (madeOf === undefined || this.#searched.has(keyOf(file, madeOf))) continue;
      const expected = this.#expected.get(file) ?? new Set();
      this.#expected.set(file, expected.add(madeOf));
    }
  }

  /**
   * Searches the histories of all files at once for the expected rows. {@link find} only searches one file.
   *
   * @throws DragomanError `interrupted`
   */
  async searchExpected(): Promise<void> {
    await this.#search(this.#takeExpected([...this.#expected.keys()]));
  }

  /** @throws DragomanError `interrupted` */
  async find(row: ContextRequest): Promise<RowContext> {
    const [before, similar, terms] = await Promise.all([
      this.#findBefore(row),
      this.#findSimilar(row),
      this.#findTerms(row),
    ]);
    const screenshots = this.#options.screenshots?.namesFor(row.name) ?? [];
    return {
      ...(before && { before }),
      ...(similar && { similar }),
      ...(terms && { terms }),
      ...(screenshots.length > 0 && { screenshots }),
    };
  }

  async #findBefore(row: ContextRequest): Promise<RowContext['before']> {
    if (row.forms.every(({ madeOf }) => madeOf === undefined)) return undefined;
    this.expect(row);
    const wanted = this.#takeExpected([row.file]);
    this.#search(wanted).then(
      (histories) => this.#forgetUnfinished(wanted, histories),
      // Callers may receive the error later, or never.
      () => undefined,
    );
    return Promise.all(
      row.forms.map(async ({ madeOf = '' }) => {
        const histories = await this.#searched.get(keyOf(row.file, madeOf));
        return histories?.get(row.file)?.found.get(madeOf) ?? null;
      }),
    );
  }

  #takeExpected(files: readonly string[]): ReadonlyMap<string, ReadonlySet<Fingerprint>> {
    const taken = new Map<string, ReadonlySet<Fingerprint>>();
    for (const file of files) {
      const ids = this.#expected.get(file);
      if (ids) taken.set(file, ids);
      this.#expected.delete(file);
    }
    return taken;
  }

  async #search(wanted: ReadonlyMap<string, ReadonlySet<Fingerprint>>): Promise<Histories> {
    if (wanted.size === 0) return new Map();
    const search = findEarlierSources(this.#project, wanted, this.#options);
    for (const [file, ids] of wanted) for (const id of ids) this.#searched.set(keyOf(file, id), search);
    return search;
  }

  /** Forgets unfinished searches, so that the next request searches again. */
  #forgetUnfinished(wanted: ReadonlyMap<string, ReadonlySet<Fingerprint>>, histories: Histories): void {
    for (const [file, { found, isOutOfTime }] of histories)
      for (const id of wanted.get(file) ?? [])
        if (isOutOfTime && !found.has(id)) this.#searched.delete(keyOf(file, id));
  }

  async #findTerms({ file, forms, locale }: ContextRequest): Promise<RowContext['terms']> {
    const glossary = await this.#options.terms?.read();
    const terms = glossary && termsFor(glossary, this.#project.source, locale);
    const resource = this.#project.resources.find(({ source }) => source === file);
    // In subtitles, another cue of the sentence may contain the term.
    if (!terms || !resource || resource.format.id in SUBTITLE_NAMES) return undefined;
    const segments = forms.flatMap(({ source, syntax, rule }) =>
      parseMessage(source, syntax, rule).segments(locale),
    );
    const found = terms.foundIn(segments).map(({ term, note, ...one }): RowTerm => {
      const code = fallbackCodes(locale).find((candidate) => one.translations.has(candidate));
      return {
        term,
        translations: one.doNotTranslate ? [] : (one.translations.get(code ?? '') ?? []),
        isCaseSensitive: one.caseSensitive,
        ...(note !== undefined && { note }),
      };
    });
    return found.length > 0 ? found : undefined;
  }

  async #findSimilar({ forms, locale }: ContextRequest): Promise<RowContext['similar']> {
    const { memory } = this.#options;
    if (!memory) return undefined;
    const pair = { source: this.#project.source, target: locale };
    const similar: (readonly SimilarText[])[] = [];
    for (const form of forms) similar.push(await findSimilarTexts(form, memory, pair));
    return similar.some(({ length }) => length > 0) ? similar : undefined;
  }
}
