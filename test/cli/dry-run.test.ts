import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isGroup, type CommandEntry } from '../../src/cli/output/command.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { writeCollection } from '../../scripts/firefox/collection.ts';
import { makeModelSet } from '../../scripts/firefox/model-set.ts';
import { startMirror, type Mirror } from '../engines/firefox/mirror.ts';
import { sharedDirectory } from '../engines/firefox/models.ts';
import { addAccount, addJob, openStore } from '../webhooks/store.ts';
import { dragoman, projectWith, temporaryDirectory, type Result } from './harness.ts';
import { fakeService, sendJson } from './service.ts';

const JOB = '1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b';
const KEY = 'sk-test-0123456789';
const DAY_MS = 24 * 60 * 60 * 1000;

/** Commands without `--dry-run`, with the reason: most change nothing except their output. */
const READING: Readonly<Record<string, string>> = {
  translate: 'prints',
  batch: 'prints',
  detect: 'prints',
  lint: 'prints',
  check: 'prints',
  status: 'prints; a page or a badge only where --report or --badge names it',
  languages: 'prints',
  account: 'prints',
  health: 'prints',
  config: 'prints',
  eval: 'prints',
  doctor: 'prints',
  version: 'prints',
  completion: 'prints',
  help: 'prints',
  'jobs list': 'prints',
  'jobs status': 'prints',
  'jobs watch': 'prints',
  'formats list': 'prints',
  'formats check': 'prints',
  'engines status': 'prints',
  'engines list': 'prints',
  'engines path': 'prints',
  'memory stats': 'prints',
  'keys list': 'prints',
  'keys usage': 'prints',
  'keys webhook-secret': 'prints',
  export: 'prints; a file only where -o names it',
  import: 'takes a file that was exported: see exchange.test.ts',
  'review page': 'a server; a file only where --to names it',
  serve: 'a server',
  'store migrate': 'a database that is elsewhere: see store.test.ts',
  'store copy': 'a database that is elsewhere: see store-copy.test.ts',
  'webhooks listen': 'a server',
};

/** Command lines of all other commands, and the output of `--dry-run`. */
const WRITING: Readonly<Record<string, readonly [argv: string, says: RegExp]>> = {
  sync: ['sync -t de', /^de +66 % .*\n/m],
  i18n: [
    'i18n locales/en.json -t fr -o out',
    /^out\/en_fr\.json\n[^]*would write 1 translation: 3 texts, 11 characters$/m,
  ],
  html: [
    'html page.html -s en -t fr -o out',
    /^out\/page\.fr\.html\n[^]*1 translation: 1 text, 5 characters$/m,
  ],
  markdown: [
    'markdown page.md -s en -t fr -o out',
    /^out\/page\.fr\.md\n[^]*1 translation: 1 text, 5 characters$/m,
  ],
  email: ['email mail.eml -s en -t fr -o out/', /^out\/mail\.fr\.eml\n[^]*1 translation: 2 texts, /m],
  subtitles: [
    'subtitles a.srt -s en -t fr -o out',
    /^out\/a\.fr\.srt\n[^]*1 translation: 1 text, 5 characters$/m,
  ],
  init: ['init bare', /^source: "en"$/m],
  login: ['login --base-url SERVICE', /^would store the key of anna@example\.org for /m],
  logout: [
    'logout --base-url https://stored.example',
    /^would delete the key for https:\/\/stored\.example/m,
  ],
  'jobs create': [
    'jobs create locales/en.json -t fr,es',
    /^locales\/en\.json: 3 keys into fr, es: 6 credits$/m,
  ],
  'jobs download': [`jobs download ${JOB} -o out`, /^out\/en_fr\.json$/m],
  'jobs delete': [`jobs delete ${JOB} --yes`, /^1b4e28ba.* en\.json: completed/m],
  'engines install': ['engines install en-es', /^en-es 3\.0: \d+ kB$/m],
  'engines remove': ['engines remove en-fr', /^en-fr: would be removed$/m],
  'memory import': ['memory import new.csv -s en -t de', /^new\.csv: 1 would be imported$/m],
  'memory export': ['memory export out.tmx', /^\d entr(?:y|ies) would be written to out\.tmx$/m],
  'memory prune': ['memory prune --origin human -t de', /^2 entries would be removed$/m],
  'memory repair': ['memory repair', /0 entries would be removed|nothing/m],
  'keys create': [
    'keys create --email b@example.org --credits 5',
    /^b@example\.org: would get an account with 5 credits$/m,
  ],
  'keys reset': ['keys reset', /^a@example\.org: all keys would be revoked, and a new one created$/m],
  'keys revoke': ['keys revoke', /^a@example\.org: all keys would be revoked$/m],
  'keys credit': ['keys credit --add 7', /^a@example\.org: would get 7 more credits$/m],
  'keys glossary': ['keys glossary terms.csv', /^a@example\.org: would get a glossary of 1 term$/m],
  'keys memory': ['keys memory on', /^a@example\.org: translations would be kept$/m],
  'keys limit': ['keys limit --jobs 3', /^a@example\.org: the limits would change$/m],
  'review approve': ['review approve --key a', /^1 text would be approved$/m],
  'review reject': ['review reject --key a', /^1 text would be rejected$/m],
  'review needs': ['review needs --key a', /^1 text would be marked for review$/m],
  'webhooks redeliver': ['webhooks redeliver HOOK', /^The server would call the webhook again\.$/m],
};

/** Commands with nothing to do in this project; the tests in test/memory cover their work. */
const IDLE = new Set(['memory repair']);

const FILES = {
  'dragoman.config.yaml': 'source: en\ntargets: [de]\nengine: pseudo\n',
  'locales/en.json': '{"a": "One", "b": "Two"}',
  'locales/de.json': '{"a": "Eins"}',
  'bare/l10n/en.json': '{"a": "One"}',
  'bare/.git/HEAD': '',
  'page.html': '<p>Hello</p>',
  'page.md': 'Hello\n',
  'mail.eml': 'Subject: Hello\r\n\r\nOne text\r\n',
  'a.srt': '1\n00:00:01,000 --> 00:00:02,000\nHello\n',
  'known.csv': 'en,de\nThree,Drei\n',
  'new.csv': 'en,de\nFour,Vier\n',
  'terms.csv': 'term,de\nhouse,Haus\n',
};

const collection = sharedDirectory();
let mirror: Mirror;

beforeAll(async () => {
  const set = makeModelSet('syllables', 7);
  writeCollection(collection, [
    { source: 'en', target: 'es', set },
    { source: 'en', target: 'fr', set },
  ]);
  mirror = await startMirror(collection);
});

afterAll(() => mirror.close());

/** All commands without subcommands, as they are called. */
async function leaves(entries: readonly CommandEntry[], above = ''): Promise<readonly string[]> {
  const names = await Promise.all(
    entries.map(async (entry) => {
      const { name } = entry;
      const module = await entry.load();
      return isGroup(module) ? leaves(module.commands, `${above}${name} `) : [`${above}${name}`];
    }),
  );
  return names.flat();
}

/** Every file below the directories, with its bytes. */
function snapshot(directories: readonly string[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  // SQLite's table of readers, and an empty log: they are removed with the process.
  const isContent = (path: string): boolean => !path.endsWith('.db-shm') && !path.endsWith('.db-wal');
  for (const directory of directories) {
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const bytes = entry.isFile() ? readFileSync(path, 'latin1') : 'directory';
      if (isContent(path) || (bytes !== '' && path.endsWith('-wal'))) files.set(path, bytes);
    }
  }
  return files;
}

/** A project with a memory, a lock, models, accounts, keys and a service, all of which a command may change. */
async function makeWorld(): Promise<{
  readonly run: (argv: string, extra?: readonly string[]) => Promise<Result>;
  readonly look: () => ReadonlyMap<string, string>;
  readonly sent: () => readonly string[];
}> {
  const { url, requests } = await fakeService((request, response) => {
    const job = {
      id: JOB,
      job_id: JOB,
      status: 'completed',
      original_filename: 'en.json',
      file_type: 'json',
      source_language: 'en',
      target_languages: ['fr'],
      total_keys: 2,
      translated_keys: 2,
      failed_keys: 0,
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
      error_message: null,
      completed_at: '2026-01-01T00:00:00Z',
      translated_files: [
        {
          id: JOB,
          language_code: 'fr',
          file_url: 'https://a.example/x',
          file_size: 2,
          created_at: '2026-01-01T00:00:00Z',
        },
      ],
    };
    const account = {
      email: 'anna@example.org',
      full_name: 'Anna',
      total_credits: 10,
      credits_used: 0,
      credits_remaining: 10,
      credits_percentage: 0,
      summary: { total_requests: 0, successful_requests: 0, failed_requests: 0, success_rate: 0 },
    };
    if (request.url?.includes('/account')) sendJson(response, account);
    else if (request.url?.includes('/download')) response.end('{}');
    else if (request.method === 'DELETE') sendJson(response, { message: 'deleted' });
    else if (request.method === 'POST')
      sendJson(response, { job_id: JOB, status: 'pending', message: 'created' }, 201);
    else sendJson(response, job);
  });
  const cwd = projectWith(FILES);
  const { database, directory } = await openStore();
  const accountId = await addAccount(database);
  const hook = await addJob(database, { accountId, url: 'https://hooks.example/', now: 1 });
  await database.sql.updateTable('accounts').set({ email: 'a@example.org' }).execute();
  await database.close();
  const stored = JSON.stringify({ keys: [{ baseUrl: 'https://stored.example', key: KEY }] });
  const env = {
    XDG_CACHE_HOME: temporaryDirectory(),
    XDG_STATE_HOME: temporaryDirectory(),
    XDG_CONFIG_HOME: projectWith({ 'dragoman/credentials.json': stored }),
    DRAGOMAN_FIREFOX_MODELS_DIR: temporaryDirectory(),
    DRAGOMAN_FIREFOX_RECORDS_URL: mirror.recordsUrl,
    DRAGOMAN_DATA_DIR: directory,
  };
  const run = async (line: string, extra: readonly string[] = []): Promise<Result> => {
    const argv = line.replace('SERVICE', url).replace('HOOK', hook).split(' ');
    const service = argv[0] === 'jobs' ? { DRAGOMAN_BASE_URL: url, DRAGOMAN_API_KEY: KEY } : {};
    const stdin = argv[0] === 'login' ? KEY : '';
    return dragoman([...argv, ...extra], { cwd, env: { ...env, ...service }, stdin });
  };
  expect((await run('memory import locales known.csv -s en -t de')).exitCode).toBe(0);
  // Existing values are recorded as clean, and later ones are in the memory.
  expect((await run('sync')).exitCode).toBe(0);
  writeFileSync(join(cwd, 'locales/en.json'), '{"a": "One", "b": "Two", "c": "Three"}');
  expect((await run('engines install en-fr')).exitCode).toBe(0);
  expect((await run('keys reset')).exitCode).toBe(0);
  return {
    run,
    look: () => snapshot([cwd, directory, ...Object.values(env).filter((value) => value.startsWith('/'))]),
    sent: () =>
      requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`),
  };
}

describe('--dry-run', () => {
  it('is classified for every command', async () => {
    expect([...Object.keys(READING), ...Object.keys(WRITING)].sort()).toEqual(
      [...(await leaves(COMMANDS))].sort(),
    );
  });

  it.each(Object.entries(WRITING))(
    'with %s does not change a byte, although the command itself does',
    async (name, [argv, says]) => {
      const { run, look, sent } = await makeWorld();
      // Uses of the memory are recorded once a day.
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * DAY_MS });
      onTestFinished(() => void vi.useRealTimers());
      const before = look();
      const sentBefore = sent().length;
      const dry = await run(argv, ['--dry-run']);
      expect(dry.exitCode, dry.stderr).toBe(0);
      expect(`${dry.stdout}${dry.stderr}`).toMatch(says);
      const after = look();
      expect([...after.keys()].filter((path) => before.get(path) !== after.get(path))).toEqual([]);
      expect([...before.keys()].filter((path) => !after.has(path))).toEqual([]);
      expect(sent()).toHaveLength(sentBefore);
      const json = await run(argv, ['--dry-run', '--json']);
      expect(JSON.parse(json.stdout), json.stderr).toBeTypeOf('object');
      expect(look()).toEqual(after);
      const real = await run(argv);
      expect(real.exitCode, real.stderr).toBe(0);
      const changed = [...look()].filter(([path, bytes]) => before.get(path) !== bytes);
      const isChanged = sent().length > sentBefore || changed.length > 0 || look().size < before.size;
      expect(isChanged).toBe(!IDLE.has(name));
    },
  );
});
