import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DragomanError } from '../../src/base/errors.ts';
import { splice } from '../../src/base/span.ts';
import { openBytes, openFile } from '../../src/documents/localization/open-file.ts';
import { translateFile } from '../../src/documents/localization/translate-file.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { describeFormat, FORMAT_IDS, type FormatId, loadFormat } from '../../src/formats/registry.ts';
import { scanEmail } from '../../src/formats/email/email.ts';
import { readPage } from '../../src/formats/html/page.ts';
import { scanSubtitles } from '../../src/formats/subtitles/format.ts';
import { render } from '../../src/formats/render.ts';
import { Caught, Defect, tryEntries } from '../../src/plugins/contract/entries.ts';
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

/** What is wrong with a valid file, and with which. */
export interface WholeProblem {
  readonly kind: 'crash' | 'defect' | 'refused';
  readonly detail: string;
  readonly text: string;
}

/** So many files are one project: opening one takes longer than most of what is done with a small file. */
const BATCH = 25;

interface WholeCampaign {
  readonly fuzzed: Fuzzed;
  readonly trials: number;
  readonly seed: number;
  /** Gets the first find of its sort; only the kind for another one of it. */
  readonly onFound: (found: Found | FoundAgain) => void;
  readonly onProgress: (done: number) => void;
}

/** Tries so many random valid files of all kinds of a format. */
export async function fuzzWhole({ fuzzed, trials, seed, onFound, onProgress }: WholeCampaign): Promise<void> {
  const kinds = FILE_KINDS.filter((kind) => kind.fuzzed === fuzzed);
  const known = new Set<string>();
  for (let from = 0; from < trials; from += BATCH) {
    const kind = kinds[(from / BATCH) % kinds.length];
    if (!kind) return;
    const random = new Random(seedOf(seed, from));
    const texts = Array.from({ length: Math.min(BATCH, trials - from) }, () => randomFile(kind, random));
    for (const { kind: what, detail, text } of await tryWhole(kind, texts, seedOf(seed, from))) {
      const gist = detail.replace(/\d+/g, '…').slice(0, 80);
      onFound(known.has(gist) ? { kind: what } : { trial: from, kind: what, detail, text });
      known.add(gist);
    }
    onProgress(Math.min(trials, from + BATCH));
  }
}

const TARGETS = ['de', 'pl'];

/**
 * Takes valid files through everything that is done with files: for application texts and Markdown `i18n`, `sync` into new files and
 * into those that a person has changed, `check` and `lint`; for others the translation of the file.
 */
export async function tryWhole(
  kind: FileKind,
  texts: readonly string[],
  seed: number,
): Promise<readonly WholeProblem[]> {
  const format = FORMAT_IDS.find((id) => id === kind.fuzzed);
  const problems: WholeProblem[] = [];
  const sound: string[] = [];
  for (const [i, text] of texts.entries()) {
    const problem = await problemOf(text, () => tryAlone(kind, format, text, new Random(seed + i)));
    if (problem) problems.push(problem);
    if (!problem || problem.kind === 'refused') sound.push(text);
  }
  if (format === undefined || sound.length === 0) return problems;
  return [...problems, ...(await tryTogether(kind, format, sound, seed))];
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

async function tryAlone(
  kind: FileKind,
  format: FormatId | undefined,
  text: string,
  random: Random,
): Promise<void> {
  // A valid file is not refused.
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
  for (const locale of TARGETS) {
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

/** Only texts may differ. Where edits stand in front of them, a translation has more than its skeleton. */
function requireFrame(skeleton: Framed, after: Framed): void {
  if (skeleton.pending !== undefined || skeleton.slots.length !== after.slots.length) return;
  const frameOf = ({ text, slots }: Framed): string =>
    splice(
      text,
      slots.flatMap(({ span, companions = [] }) => [{ span, text: '' }, ...companions]),
    );
  if (skeleton.slots.some(({ provisional, state }) => provisional === true || state !== undefined)) return;
  if (frameOf(skeleton) !== frameOf(after)) throw new Defect('i18n: more than texts differ');
}

async function tryTogether(
  kind: FileKind,
  format: FormatId,
  texts: readonly string[],
  seed: number,
): Promise<readonly WholeProblem[]> {
  const project = new FuzzedProject(kind, format, texts);
  const [first = ''] = texts;
  try {
    const problem = await problemOf(first, () => project.run(new Random(seed)));
    if (!problem) return [];
    if (texts.length === 1) return [problem];
  } finally {
    project.remove();
  }
  // One after the other shows which it is.
  const problems: WholeProblem[] = [];
  for (const text of texts) problems.push(...(await tryTogether(kind, format, [text], seed)));
  return problems.length > 0
    ? problems
    : [{ kind: 'defect', detail: 'only together with others', text: texts.join('\u0000') }];
}

class FuzzedProject {
  readonly #root = mkdtempSync(join(tmpdir(), 'dragoman-fuzz-'));
  readonly #path: string;
  readonly #kind: FileKind;
  readonly #format: FormatId;
  readonly #isOne: boolean;

  constructor(kind: FileKind, format: FormatId, texts: readonly string[]) {
    this.#kind = kind;
    this.#format = format;
    this.#isOne = describeFormat(format).multilingual !== undefined;
    this.#path = join(this.#root, 'project');
    const folder = this.#isOne ? 'all' : '{locale}';
    this.#write(
      'dragoman.config.json',
      JSON.stringify({
        source: 'en',
        targets: TARGETS,
        files: [{ source: `${folder}/*.${kind.extension}`, format }],
      }),
    );
    for (const [i, text] of texts.entries())
      this.#write(`${this.#isOne ? 'all' : 'en'}/f${i}.${kind.extension}`, text);
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  async run(random: Random): Promise<void> {
    requireDone('sync', await this.#sync());
    requireNoDrift('check', await this.#check());
    await this.#requireNothing('a second sync');
    await lintProject(await this.#open(), new AbortController().signal);
    const kept = await this.#change(random);
    requireDone('sync of an existing file', await this.#sync());
    for (const [path, values] of kept) {
      const { document } = await this.#read(path);
      const ids = slotIds(document);
      const has = new Map(document.slots.map(({ value }, i) => [ids[i], value]));
      for (const [id, value] of values)
        if (has.get(id) !== value) throw new Defect(`sync changes a person’s text of ${id}`);
    }
    await this.#requireNothing('the last sync');
    await lintProject(await this.#open(), new AbortController().signal);
  }

  /** A person changes some texts of the targets and removes others; some sources change. */
  async #change(random: Random): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
    const kept = new Map<string, ReadonlyMap<string, string>>();
    if (this.#isOne || describeFormat(this.#format).isProse === true) return kept;
    for (const path of this.#list().filter((one) => one.startsWith('en/')))
      if (describeFormat(this.#format).bilingual === undefined) await this.#changeSource(path, random);
    for (const path of this.#list().filter((one) => /^(?:de|pl)\//.test(one))) {
      const { format, document } = await this.#read(path);
      const gone = document.slots.filter(() => random.once(4)).map(({ key }) => key);
      const text = splice(document.text, format.remove(document, gone));
      const rest = format.scan(text, { locale: path.slice(0, 2) });
      const ids = slotIds(rest);
      const own = new Map(
        rest.slots.flatMap(({ value, plural }, i) =>
          plural || value === '' || random.once(2) ? [] : [[i, `Mensch ${i}`] as const],
        ),
      );
      const { text: changed, rejected } = render(format, rest, own, { locale: path.slice(0, 2) });
      this.#write(path, changed);
      kept.set(
        path,
        new Map(
          [...own].flatMap(([i, value]) =>
            rejected.has(i) || ids.filter((id) => id === ids[i]).length > 1
              ? []
              : [[ids[i] ?? '', value] as const],
          ),
        ),
      );
    }
    return kept;
  }

  async #changeSource(path: string, random: Random): Promise<void> {
    const { format, document } = await this.#read(path);
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

  #read(path: string): ReturnType<typeof openFile> {
    return openFile(join(this.#path, path), { format: this.#format, locale: path.slice(0, 2) });
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
        const detail = `${name} (${file.target}): ${key.join(' › ')}: ${reason}`;
        throw reason.startsWith('the entry could not be inserted') ? new Caught(detail) : new Defect(detail);
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
