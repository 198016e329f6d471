import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Engine, EngineRequest } from '../../src/engines/engine.ts';
import { decodeWords, encodeWords } from '../../src/text/tagged.ts';
import { journalPath } from '../../src/project/state/journal.ts';
import { openProjects, type Project, type ProjectOptions } from '../../src/project/state/project.ts';
import { checkProject, type SurveyProjectOptions } from '../../src/project/plan/check.ts';
import { syncProject } from '../../src/project/sync/sync.ts';
import type { SyncOptions } from '../../src/project/sync/sync-run.ts';
import type { SyncReport } from '../../src/project/plan/report.ts';

/** A project in its own directory, removed after the test. */
export class ProjectDirectory {
  readonly path: string;
  readonly cache: string;
  /** The user's state directory. */
  readonly state: string;

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.path = mkdtempSync(join(tmpdir(), 'dragoman-project-'));
    this.cache = mkdtempSync(join(tmpdir(), 'dragoman-cache-'));
    this.state = mkdtempSync(join(tmpdir(), 'dragoman-state-'));
    onTestFinished(() => {
      rmSync(this.path, { recursive: true, force: true });
      rmSync(this.cache, { recursive: true, force: true });
      rmSync(this.state, { recursive: true, force: true });
    });
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  write(name: string, text: string): void {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  remove(name: string): void {
    rmSync(join(this.path, name));
  }

  rename(from: string, to: string): void {
    mkdirSync(dirname(join(this.path, to)), { recursive: true });
    renameSync(join(this.path, from), join(this.path, to));
  }

  json(name: string, value: unknown): void {
    this.write(name, `${JSON.stringify(value, null, 2)}\n`);
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), 'utf8');
  }

  readJson(name: string): unknown {
    return JSON.parse(this.read(name));
  }

  /** All files with their times, to see whether anything was written. */
  snapshot(): Readonly<Record<string, string>> {
    const entries = readdirSync(this.path, { recursive: true, encoding: 'utf8' }).sort();
    return Object.fromEntries(
      entries.map((name) => {
        const info = statSync(join(this.path, name), { bigint: true });
        return [name, `${info.mtimeNs} ${info.ctimeNs} ${info.size}`];
      }),
    );
  }

  list(): readonly string[] {
    return readdirSync(this.path, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(this.path, name)).isFile())
      .sort();
  }

  /** The state that the last run stored for the whole project; null if that run found work. */
  cleanState(): unknown {
    const directory = join(this.cache, 'clean');
    const [head = ''] = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
    return (JSON.parse(head.split('\n')[0] ?? '') as { readonly whole?: unknown }).whole ?? null;
  }

  /** The path of this project's journal, whose directory exists. */
  get journal(): string {
    const path = journalPath(realpathSync(this.path), this.state);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  }

  async open(options: ProjectOptions = {}): Promise<Project> {
    const [project] = await openProjects([this.path], options);
    if (!project) throw new Error('no project');
    return project;
  }

  async sync(
    engine: Engine,
    { source, targets, ...options }: Partial<SyncOptions> & ProjectOptions = {},
  ): Promise<SyncReport> {
    return syncProject(await this.open({ source, targets }), {
      signal: new AbortController().signal,
      version: 'test',
      cacheDirectory: this.cache,
      stateDirectory: this.state,
      engine: () => Promise.resolve(engine),
      ...options,
    });
  }

  async check({
    source,
    targets,
    ...options
  }: Partial<SurveyProjectOptions> & ProjectOptions = {}): Promise<SyncReport> {
    return checkProject(await this.open({ source, targets }), {
      signal: new AbortController().signal,
      version: 'test',
      cacheDirectory: this.cache,
      stateDirectory: this.state,
      ...options,
    });
  }
}

/** Writes the target's code before every text: `fr:Save`. Records its requests. */
export class RecordingEngine implements Engine {
  readonly id = 'recording';
  readonly calls: EngineRequest[] = [];
  /** Words that it cannot translate. */
  readonly broken = new Set<string>();
  /** Called before each answer. */
  before: (request: EngineRequest) => void | Promise<void> = () => undefined;

  get texts(): readonly string[] {
    return this.calls.flatMap((call) => call.texts.map((text) => `${call.target} ${decodeWords(text)}`));
  }

  status(): ReturnType<Engine['status']> {
    return Promise.resolve({ id: this.id, ready: true, detail: 'for tests', pairs: 'any' });
  }

  supports(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async translate(request: EngineRequest): ReturnType<Engine['translate']> {
    await this.before(request);
    this.calls.push(request);
    return request.texts.map((text) =>
      [...this.broken].some((word) => text.includes(word))
        ? { failure: 'too hard' }
        : { translation: `${encodeWords(`${request.target}:`)}${text}` },
    );
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
