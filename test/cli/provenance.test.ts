import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OPENAI_KEY, startOpenAI } from '../engines/servers/openai.ts';
import { dragoman, projectWith, temporaryDirectory } from './harness.ts';

const ENGINE = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, texts } = JSON.parse(line);
  process.stdout.write(JSON.stringify({ id, translations: texts.map((text) => 'es ' + text) }) + '\\n');
});
`;

const text = v.nullable(v.pipe(v.string(), v.nonEmpty()));
/** The object that `docs/exit-codes-and-json.md` describes. */
const PROVENANCE = v.nullable(
  v.strictObject({
    by: v.picklist(['engine', 'memory', 'person', 'import', 'agent', 'unknown']),
    engine: text,
    model: text,
    import: text,
    commit: v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/))),
    author: text,
    time: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
  }),
);

const PATH = process.env['PATH'] ?? '';
const KEYS = ['agent', 'approved', 'engine', 'imported', 'person'] as const;
const CATALOGUE = 'locales/es.json';

class Checkout {
  readonly root: string;
  readonly #home = temporaryDirectory();
  #user: Readonly<Record<string, string>> = {};

  constructor(root: string) {
    this.root = root;
  }

  git(...args: readonly string[]): string {
    const env = { PATH, HOME: this.#home, GIT_CONFIG_NOSYSTEM: '1' };
    const user = ['-c', 'user.name=Anna', '-c', 'user.email=anna@example.org'];
    return execFileSync('git', [...user, ...args], { cwd: this.root, env, encoding: 'utf8' }).trim();
  }

  commit(): string {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', 'change', '--date', '2026-01-02T03:04:05Z');
    return this.git('rev-parse', 'HEAD');
  }

  edit(name: string, from: string | RegExp, to: string): void {
    const path = join(this.root, name);
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
  }

  /** Sets a value as in the user's global git configuration. */
  configureUser(key: string, value: string): void {
    this.#user = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: key, GIT_CONFIG_VALUE_0: value };
  }

  /** Runs a command with a separate memory. */
  run(...argv: readonly string[]): Promise<string> {
    return this.runWith({}, ...argv);
  }

  async runWith(variables: Readonly<Record<string, string>>, ...argv: readonly string[]): Promise<string> {
    const memory = ['--memory', join(this.#home, 'memory.db')];
    const { exitCode, stdout, stderr } = await dragoman([...argv, ...memory], {
      cwd: this.root,
      env: { PATH, ...this.#user, ...variables },
    });
    expect(exitCode, stderr).toBe(0);
    return stdout;
  }

  sync(): Promise<string> {
    return this.run('sync', '--engine-command', `${process.execPath} ${this.root}/engine.cjs`);
  }

  async provenance(): Promise<Readonly<Record<string, unknown>>> {
    const { projects } = JSON.parse(await this.run('status', '--provenance', '--json'));
    const { keys } = projects[0].languages[0].files[0];
    return Object.fromEntries(
      keys.map(({ key, provenance }: { key: readonly string[]; provenance: unknown }) => [
        key.join('.'),
        v.parse(PROVENANCE, provenance),
      ]),
    );
  }
}

async function synced(): Promise<Checkout> {
  const checkout = new Checkout(
    projectWith({
      'engine.cjs': ENGINE,
      'dragoman.config.yaml': 'source: en\ntargets: [es]\n',
      'locales/en.json': JSON.stringify(
        Object.fromEntries([...KEYS, 'before', 'missing'].map((key) => [key, `A text, ${key}`])),
      ),
      [CATALOGUE]: '{"before": "Antes"}',
    }),
  );
  checkout.git('init', '--quiet', '--initial-branch=main');
  await checkout.sync();
  return checkout;
}

describe('status --provenance', () => {
  it('shows for each text who wrote it and which commit recorded it', async () => {
    const checkout = await synced();
    checkout.edit(CATALOGUE, /,?\s*"missing": "[^"]*"/, '');
    const first = checkout.commit();
    checkout.edit(CATALOGUE, 'es A text, person', 'Un texto');
    await checkout.run('review', 'approve', '--key', 'approved');
    await checkout.run('review', 'approve', '--key', 'agent', '--as', 'agent');
    // The line that an import would record.
    checkout.edit(
      'dragoman.lock',
      /^(.*\t\/imported\t.*)$/m,
      '$1\thuman\tneeds-review:import:ana\tlook again',
    );
    const second = checkout.commit();
    const by = (writer: string, commit: string | null, engine: string | null = null) => ({
      by: writer,
      engine,
      model: null,
      import: writer === 'import' ? 'ana' : null,
      commit,
      author: commit === null ? null : 'Anna',
      time: commit === null ? null : '2026-01-02T03:04:05Z',
    });
    const expected = {
      engine: by('engine', first, 'exec'),
      before: by('unknown', first),
      // Not recorded yet: no sync has seen it.
      person: by('person', null),
      approved: by('person', second),
      agent: by('agent', second),
      imported: by('import', second),
      missing: null,
    };
    expect(await checkout.provenance()).toEqual(expected);
    await checkout.run('review', 'needs', '--key', 'engine');
    // A decision that is not committed.
    expect(await checkout.provenance()).toMatchObject({ engine: by('engine', null, 'exec') });
    expect(await checkout.run('status', '--provenance')).toBe(
      'language  exec  person  import  agent  unknown\nes        1     2       1       1      1\n',
    );
  });

  it('does not show commits without a repository, or those that a shallow clone lacks', async () => {
    const checkout = await synced();
    const bare = await dragoman(['status', '--provenance', '--json'], { cwd: checkout.root });
    expect(bare.stderr).toContain('commits are unknown: git is not installed');
    expect(await checkout.provenance()).toMatchObject({ engine: { commit: null, engine: 'exec' } });
    checkout.commit();
    checkout.edit('locales/en.json', 'A text, engine', 'Another text');
    await checkout.sync();
    const last = checkout.commit();
    const clone = new Checkout(temporaryDirectory());
    clone.git('clone', '--quiet', '--depth=1', `file://${checkout.root}`, '.');
    expect(await clone.provenance()).toMatchObject({ engine: { commit: null, engine: null } });
    clone.configureUser('blame.showRoot', 'true');
    expect(await clone.provenance()).toMatchObject({ engine: { commit: null, engine: null } });
    expect(await checkout.provenance()).toMatchObject({ engine: { commit: last, engine: 'exec' } });
  });

  it('reports files that cannot be read, and projects without languages', async () => {
    const cwd = projectWith({ 'locales/en.json': '{"a": "A"}', 'locales/fr.json': '{"a": ' });
    const broken = await dragoman(['status', '--provenance', '-s', 'en', '-t', 'fr'], { cwd });
    expect(broken.exitCode).toBe(2);
    expect(broken.stderr).toMatch(/fr\.json:1:7: .*\(fr\)/);
    const single = projectWith({ 'locales/en.json': '{"a": "A"}' });
    const none = await dragoman(['status', '--provenance', 'locales', '-s', 'en'], { cwd: single });
    expect(none.stdout).toContain('en.json: 1 key in en, and no translation');
  });

  it('names the memory as the origin of a translation that it took from a person', async () => {
    const checkout = await synced();
    checkout.edit(CATALOGUE, 'es A text, person', 'Un texto');
    await checkout.sync();
    checkout.edit('locales/en.json', '"person":', '"again": "A text, person",\n"person":');
    await checkout.sync();
    expect(readFileSync(join(checkout.root, CATALOGUE), 'utf8')).toMatch(/"again": "Un texto"/);
    expect(await checkout.provenance()).toMatchObject({
      again: { by: 'memory', engine: null },
      person: { by: 'person' },
    });
    const lockText = (): string => readFileSync(join(checkout.root, 'dragoman.lock'), 'utf8');
    expect(lockText()).toMatch(/^# dragoman\.lock 1:[^]*\t\/again\tes\t\w{16}\t\w{16}$/m);
    expect(await checkout.run('status', '--provenance')).toMatch(/ memory .*\nes +5 +1 /);
    checkout.edit('locales/en.json', '"again": "A text, person"', '"again": "A text, new"');
    await checkout.sync();
    expect(await checkout.provenance()).toMatchObject({ again: { by: 'engine', engine: 'exec' } });
    expect(await checkout.run('status', '--provenance')).not.toContain('memory');
    // With a decision, the lock also shows it to a user with another memory.
    await checkout.run('review', 'approve', '--key', 'approved');
    checkout.edit('locales/en.json', '"again": "A text, new"', '"again": "A text, person"');
    await checkout.sync();
    expect(lockText()).toMatch(/^# dragoman\.lock 2:[^]*\t\/again\tes\t\w{16}\t\w{16}\tmemory$/m);
    const clone = new Checkout(checkout.root);
    expect(await clone.provenance()).toMatchObject({ again: { by: 'memory', engine: null } });
    // The decision no longer applies when its text changes.
    checkout.edit(CATALOGUE, 'es A text, approved', 'Otro texto');
    await checkout.sync();
    expect(lockText()).toMatch(/^# dragoman\.lock 1:[^]*\t\/again\tes\t\w{16}\t\w{16}$/m);
  });

  it('names the memory as the origin of a text that a person approved elsewhere', async () => {
    const checkout = await synced();
    checkout.edit('locales/en.json', '"person":', '"again": "A text, person",\n"person":');
    await checkout.sync();
    expect(await checkout.provenance()).toMatchObject({ again: { by: 'engine', engine: 'exec' } });
    await checkout.run('review', 'approve', '--key', 'person');
    await checkout.sync();
    expect(await checkout.provenance()).toMatchObject({
      again: { by: 'memory', engine: null },
      person: { by: 'person' },
    });
  });

  it('names the model of an engine that has several', async () => {
    const checkout = await synced();
    const server = await startOpenAI();
    onTestFinished(() => server.close());
    const variables = {
      OPENAI_API_KEY: OPENAI_KEY,
      OPENAI_BASE_URL: `${server.url}/v1`,
      OPENAI_MODEL: 'gpt-x',
    };
    checkout.edit('locales/en.json', 'A text, engine', 'Another text');
    await checkout.runWith(variables, 'sync', '--engine', 'openai');
    expect(await checkout.provenance()).toMatchObject({
      engine: { by: 'engine', engine: 'openai', model: 'gpt-x' },
      person: { by: 'engine', engine: 'exec', model: null },
    });
    expect(await checkout.run('status', '--provenance')).toMatch(/^language +exec +openai:gpt-x /);
    const removed = async (engine: string): Promise<unknown> =>
      JSON.parse(await checkout.run('memory', 'prune', '--engine', engine, '--dry-run', '--json'));
    const one = await removed('openai:gpt-x');
    expect(await removed('openai')).toEqual(one);
    expect(await removed('open')).not.toEqual(one);
  });
});
