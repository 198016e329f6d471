import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DragomanError } from '../../src/base/errors.ts';
import { splice } from '../../src/base/span.ts';
import { openBytes, openFile } from '../../src/documents/localization/open-file.ts';
import { translateFile } from '../../src/documents/localization/translate-file.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { describeFormat, FORMAT_IDS, type DescribedFormat, loadFormat } from '../../src/formats/registry.ts';
import { scanEmail } from '../../src/formats/email/email.ts';
import { readPage } from '../../src/formats/html/page.ts';
import { scanSubtitles } from '../../src/formats/subtitles/format.ts';
import { render } from '../../src/formats/render.ts';
import { Caught, Defect, tryEntries } from '../../src/plugins/contract/promises.ts';
import { Random, seedOf } from '../../src/plugins/contract/random.ts';
import { lintProject } from '../../src/project/lint/lint.ts';
import { checkProject } from '../../src/project/plan/check.ts';
import type { SyncReport } from '../../src/project/plan/report.ts';
import { openProjects, type Project } from '../../src/project/state/project.ts';
import { syncProject } from '../../src/project/sync/sync.ts';
import { makeSkeleton } from '../../src/documents/localization/target.ts';
import { slotIds } from '../../src/documents/localization/pairing.ts';
import type { FileKind } from '../../test/combinations/kind.ts';
import { randomFile } from '../../test/combinations/files.ts';
import { FILE_KINDS } from '../../test/combinations/kinds.ts';
import { type Fuzzed, isSubtitleFormat } from './documents.ts';
import type { Found, FoundAgain } from './worker.ts';
import { tryEmail, tryHtml, trySubtitles } from './texts.ts';

/** The problem with a valid file, and the file. */
export interface WholeProblem {
  readonly kind: 'crash' | 'defect' | 'refused';
  readonly detail: string;
  readonly text: string;
}

/** The number of files in one project: opening a project takes longer than most operations on a small file. */
const BATCH = 100;

interface WholeCampaign {
  readonly fuzzed: Fuzzed;
  readonly trials: number;
  readonly seed: number;
  /** Receives the first finding of each kind, and only the kind of later findings. */
  readonly onFound: (found: Found | FoundAgain) => void;
  readonly onProgress: (done: number) => void;
}

/** Tries this many random valid files of all kinds of a format. */
export async function fuzzWhole({ fuzzed, trials, seed, onFound, onProgress }: WholeCampaign): Promise<void> {
  const kinds = FILE_KINDS.filter((kind) => kind.fuzzed === fuzzed);
  const known = new Set<string>();
  for (let from = 0; from < trials; from += BATCH) {
    const kind = kinds[(from / BATCH) % kinds.length];
    if (!kind) return;
    const random = new Random(seedOf(seed, from));
    const texts = Array.from({ length: Math.min(BATCH, trials - from) }, () => randomFile(kind, random));
    const locales = [random.pick(TARGETS)];
    for (const { kind: what, detail, text } of await tryWhole(kind, texts, {
      seed: seedOf(seed, from),
      locales,
    })) {
      const gist = detail.replace(/\d+/g, '…').slice(0, 80);
      onFound(known.has(gist) ? { kind: what } : { trial: from, kind: what, detail, text });
      known.add(gist);
    }
    onProgress(Math.min(trials, from + BATCH));
  }
}

/** Languages with one, two, three, four and six plural forms, and right-to-left languages. */
const TARGETS = ['de', 'pl', 'ja', 'ar', 'sl', 'pt-BR'] as const;

/** How files are tried. The same seed and languages give the same trials, whether one file is tried or many. */
interface Trials {
  readonly seed: number;
  readonly locales: readonly string[];
}

interface Tried {
  readonly text: string;
  readonly seed: number;
}

/**
 * Runs valid files through `check`, `lint`, `i18n` (except subtitles), and `sync` into new files and into files that a
 * person has changed; files of other kinds are only translated.
 */
export async function tryWhole(
  kind: FileKind,
  texts: readonly string[],
  { seed, locales }: Trials,
): Promise<readonly WholeProblem[]> {
  const { fuzzed } = kind;
  const id = isSubtitleFormat(fuzzed) ? fuzzed : FORMAT_IDS.find((one) => one === fuzzed);
  const format = id && describeFormat(id);
  const problems: WholeProblem[] = [];
  const sound: Tried[] = [];
  for (const [i, text] of texts.entries()) {
    const tried = { text, seed: seedOf(seed, i) };
    const problem = await problemOf(text, () => tryAlone({ kind, format, locales }, tried));
    if (problem) problems.push(problem);
    if (!problem || problem.kind === 'refused') sound.push(tried);
  }
  if (format === undefined || sound.length === 0) return problems;
  return [...problems, ...(await tryTogether({ kind, format, locales }, sound))];
}

async function problemOf(text: string, run: () => Promise<void>): Promise<WholeProblem | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    const isKnown = error instanceof Defect || error instanceof DragomanError;
    const detail =
      error instanceof Error ? ((isKnown ? undefined : error.stack) ?? error.message) : String(error);
    return { kind: error instanceof Caught ? 'refused' : isKnown ? 'defect' : 'crash', detail, text };
  }
}

interface Alone {
  readonly kind: FileKind;
  readonly format: DescribedFormat | undefined;
  readonly locales: readonly string[];
}

async function tryAlone({ kind, format, locales }: Alone, { text, seed }: Tried): Promise<void> {
  const random = new Random(seed);
  // Throws if the valid file is refused.
  if (kind.fuzzed === 'html') {
    readPage(text);
    return tryHtml(text, random);
  }
  if (kind.fuzzed === 'email') {
    scanEmail(text);
    return tryEmail(text, random);
  }
  if (isSubtitleFormat(kind.fuzzed)) {
    scanSubtitles(text, kind.fuzzed);
    return trySubtitles(kind.fuzzed, text, random);
  }
  if (format === undefined) return;
  for (const locale of locales) {
    const file = await openBytes(Buffer.from(text), `en.${kind.extension}`, { format, locale: 'en' });
    const target = { locale, spelling: locale };
    const { bytes, failed } = await translateFile(file, target, {
      engine: createPseudoEngine(),
      source: 'en',
      signal: new AbortController().signal,
    });
    if (failed.length > 0) throw new Defect(`i18n: ${failed[0]?.key.join(' › ')}: ${failed[0]?.reason}`);
    const again = await openBytes(bytes, `x.${kind.extension}`, { format, locale, source: file.document });
    requireFrame(makeSkeleton(file, target), again.document);
  }
  tryEntries(await loadFormat(format), text, random);
}

type Framed = Parameters<typeof slotIds>[0];

/** Only texts may differ. Does not compare a skeleton with pending edits, because a translation has more content. */
function requireFrame(skeleton: Framed, after: Framed): void {
  if (skeleton.pending !== undefined || skeleton.slots.length !== after.slots.length) return;
  const frameOf = ({ text, slots }: Framed): string =>
    splice(
      text,
      slots.flatMap(({ span, companions = [] }) => [{ span, text: '' }, ...companions]),
    );
  if (skeleton.slots.some(({ provisional, state }) => provisional === true || state !== undefined)) return;
  if (frameOf(skeleton) !== frameOf(after)) throw new Defect('i18n: something other than texts differs');
}

interface Together extends Alone {
  readonly format: DescribedFormat;
}

async function tryTogether(together: Together, files: readonly Tried[]): Promise<readonly WholeProblem[]> {
  const project = new FuzzedProject(together, files);
  const [first] = files;
  if (!first) return [];
  try {
    const problem = await problemOf(first.text, () => project.run());
    if (!problem) return [];
    if (files.length === 1) return [problem];
  } finally {
    project.remove();
  }
  // Testing the halves separately finds the file with the problem.
  const half = Math.ceil(files.length / 2);
  const problems = [
    ...(await tryTogether(together, files.slice(0, half))),
    ...(await tryTogether(together, files.slice(half))),
  ];
  return problems.length > 0
    ? problems
    : [
        {
          kind: 'defect',
          detail: 'fails only together with the other files',
          text: files.map(({ text }) => text).join('\u0000'),
        },
      ];
}

/** A person's texts, which no run may change. */
interface Kept {
  readonly path: string;
  readonly locale: string;
  readonly values: ReadonlyMap<string, string>;
}

class FuzzedProject {
  readonly #root = mkdtempSync(join(tmpdir(), 'dragoman-fuzz-'));
  readonly #path: string;
  readonly #kind: FileKind;
  readonly #format: DescribedFormat;
  readonly #isOne: boolean;
  readonly #locales: readonly string[];
  readonly #files: readonly Tried[];

  constructor({ kind, format, locales }: Together, files: readonly Tried[]) {
    this.#kind = kind;
    this.#format = format;
    this.#isOne = format.multilingual !== undefined;
    this.#locales = locales;
    this.#files = files;
    this.#path = join(this.#root, 'project');
    const folder = this.#isOne ? 'all' : '{locale}';
    this.#write(
      'dragoman.config.json',
      JSON.stringify({
        source: 'en',
        targets: locales,
        files: [{ source: `${folder}/*.${kind.extension}`, format: format.id }],
      }),
    );
    for (const [i, { text }] of files.entries()) this.#write(this.#pathOf(i, 'en'), text);
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  async run(): Promise<void> {
    requireDone('sync', await this.#sync());
    requireNoDrift('check', await this.#check());
    await this.#requireNothing('a second sync');
    await lintProject(await this.#open(), new AbortController().signal);
    const kept = await this.#change();
    requireDone('sync of an existing file', await this.#sync());
    for (const { path, locale, values } of kept) {
      const { document } = await this.#read(path, locale);
      const ids = slotIds(document);
      const has = new Map(document.slots.map(({ value }, i) => [ids[i], value]));
      for (const [id, value] of values)
        if (has.get(id) !== value) throw new Defect(`sync changes a person’s text of ${id}`);
    }
    await this.#requireNothing('the last sync');
    await lintProject(await this.#open(), new AbortController().signal);
  }

  /** A person changes some texts of the targets and removes others; some sources change. */
  async #change(): Promise<readonly Kept[]> {
    const kept: Kept[] = [];
    for (const [i, { seed }] of this.#files.entries()) {
      const random = new Random(seed);
      if (this.#format.bilingual === undefined) await this.#changeSource(this.#pathOf(i, 'en'), random);
      for (const locale of this.#locales) {
        const path = this.#pathOf(i, locale);
        // A file without texts gets no target.
        if (existsSync(join(this.#path, path))) kept.push(await this.#changeTarget(path, locale, random));
      }
    }
    return kept;
  }

  async #changeTarget(path: string, locale: string, random: Random): Promise<Kept> {
    const { format, document } = await this.#read(path, locale);
    // Removes nothing from a file with all languages, whose entries also belong to the source, or from a page, which
    // would have different blocks.
    const gone =
      this.#isOne || format.isProse === true
        ? []
        : document.slots.filter(() => random.once(4)).map(({ key }) => key);
    const rest =
      gone.length === 0
        ? document
        : format.scan(splice(document.text, format.remove(document, gone)), { locale });
    const ids = slotIds(rest);
    const own = new Map(
      rest.slots.flatMap(({ value, plural }, i) =>
        plural || value === '' || random.once(2) ? [] : [[i, `Mensch ${i}`] as const],
      ),
    );
    const { text, rejected } = render(format, rest, own, { locale });
    this.#write(path, text);
    const isSure = (i: number): boolean => !rejected.has(i) && ids.filter((id) => id === ids[i]).length === 1;
    const values = [...own].flatMap(([i, value]) => (isSure(i) ? [[ids[i] ?? '', value] as const] : []));
    return { path, locale, values: new Map(values) };
  }

  async #changeSource(path: string, random: Random): Promise<void> {
    const { format, document } = await this.#read(path, 'en');
    const values = new Map(
      document.slots.flatMap(({ value, plural }, i) =>
        plural || value === '' || !random.once(4) ? [] : [[i, `${value} now`] as const],
      ),
    );
    this.#write(path, render(format, document, values, { locale: 'en' }).text);
  }

  async #requireNothing(name: string): Promise<void> {
    const before = this.#contents();
    requireDone(name, await this.#sync());
    const after = this.#contents();
    for (const [path, text] of after)
      if (before.get(path) !== text) throw new Defect(`${name} changes ${path}`);
  }

  #contents(): ReadonlyMap<string, string> {
    return new Map(this.#list().map((path) => [path, readFileSync(join(this.#path, path), 'latin1')]));
  }

  #list(): readonly string[] {
    return readdirSync(this.#path, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith(`.${this.#kind.extension}`))
      .sort();
  }

  #pathOf(index: number, locale: string): string {
    return `${this.#isOne ? 'all' : locale}/f${index}.${this.#kind.extension}`;
  }

  #read(path: string, locale: string): ReturnType<typeof openFile> {
    return openFile(join(this.#path, path), { format: this.#format, locale });
  }

  #write(path: string, text: string): void {
    mkdirSync(dirname(join(this.#path, path)), { recursive: true });
    writeFileSync(join(this.#path, path), text);
  }

  async #open(): Promise<Project> {
    const [project] = await openProjects([this.#path], {});
    if (!project) throw new Error('no project');
    return project;
  }

  async #sync(): Promise<SyncReport> {
    return syncProject(await this.#open(), {
      ...this.#options(),
      engine: () => Promise.resolve(createPseudoEngine()),
    });
  }

  async #check(): Promise<SyncReport> {
    return checkProject(await this.#open(), this.#options());
  }

  #options(): { signal: AbortSignal; version: string; cacheDirectory: string; stateDirectory: string } {
    return {
      signal: new AbortController().signal,
      version: 'fuzz',
      cacheDirectory: join(this.#root, 'cache'),
      stateDirectory: join(this.#root, 'state'),
    };
  }
}

function requireDone(name: string, { languages }: SyncReport): void {
  for (const { locale, error, allFiles } of languages) {
    if (error) throw new Defect(`${name} (${locale}): ${error.message}`);
    for (const file of allFiles()) {
      if (file.error) throw new Defect(`${name} (${file.target}): ${file.error.message}`);
      for (const { key, reason } of file.failures) {
        const isInsertion = reason.startsWith('the entry could not be inserted');
        // If an item is missing, later items in the list have different numbers, so its place is unknown.
        if (isInsertion && key.slice(1).some((part) => /^\d+$/.test(part))) continue;
        const detail = `${name} (${file.target}): ${key.join(' › ')}: ${reason}`;
        throw isInsertion ? new Caught(detail) : new Defect(detail);
      }
    }
  }
}

function requireNoDrift(name: string, { languages }: SyncReport): void {
  for (const { locale, allFiles } of languages)
    for (const { target, drift } of allFiles())
      for (const { kind, key } of drift)
        if (kind === 'missing' || kind === 'stale')
          throw new Defect(`${name} (${locale}, ${target}): ${key.join(' › ')} is ${kind}`);
}
