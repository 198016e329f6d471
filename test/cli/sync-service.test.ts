import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { journalOf, start } from '../crash/program.ts';
import { dragoman, homeWith, projectWith, temporaryDirectory } from './harness.ts';
import { fakeService, sendJson, startService } from './service.ts';

const service = startService();
const text = (root: string, name: string): string => readFileSync(join(root, name), 'utf8');
const json = (stdout: string): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;

/** What the account's summary says that it was charged. */
async function charged(env: Readonly<Record<string, string>> = {}): Promise<number> {
  const { stdout } = await service.run(['account', '--json'], { env });
  return Number(json(stdout)['credits_used']);
}

let accounts = 0;

async function createAccount(credits: number): Promise<Readonly<Record<string, string>>> {
  const email = `user${++accounts}@example.org`;
  const argv = ['create', '--email', email, '--name', 'N', '--credits', String(credits)];
  return { DRAGOMAN_API_KEY: await service.keys(argv) };
}

function demoProject(): string {
  const root = temporaryDirectory();
  cpSync(join(import.meta.dirname, '../../demo/project'), root, { recursive: true });
  return root;
}

function large(keys: number): string {
  const values = Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, `Text number ${i}`]));
  return projectWith({ 'en.json': `${JSON.stringify(values, null, 1)}\n` });
}

const LANGUAGES = ['-s', 'en', '-t', 'de,ru'];

describe('sync against dragoman serve', () => {
  it.each([['strings'], ['jobs']])('via %s: costs what --dry-run says, and then nothing', async (via) => {
    const root = demoProject();
    const env = await createAccount(10_000);
    const dry = await service.run(['sync', root, ...LANGUAGES, '--dry-run', '--via', via, '--json'], { env });
    const price = Number(json(dry.stdout)['credits']);
    expect(price).toBeGreaterThan(20);
    const table = await service.run(['sync', root, ...LANGUAGES, '--dry-run', '--via', via], { env });
    expect(table.stdout).toMatch(/ credits$/m);
    expect(table.stdout).toMatch(new RegExp(`^total: ${price} credits$`, 'm'));

    const first = await service.run(['sync', root, ...LANGUAGES, '--via', via, '--json'], { env });
    expect(first.exitCode, first.stdout + first.stderr).toBe(0);
    expect(json(first.stdout)).toMatchObject({ credits_spent: price });
    expect(await charged(env)).toBe(price);
    expect((await dragoman(['check', root])).exitCode).toBe(0);
    expect(readdirSync(root).filter((name) => name.startsWith('.dragoman'))).toEqual([]);
    expect(json((await service.run(['jobs', 'list', '--json'], { env })).stdout)).toEqual([]);

    expect((await service.run(['sync', root, '--via', via], { env })).exitCode).toBe(0);
    expect(await charged(env)).toBe(price);
  });

  it('stops before it exceeds --max-credits, says what remains, and goes on later', async () => {
    const root = large(120);
    const env = await createAccount(1000);
    const argv = ['sync', root, '-s', 'en', '-t', 'de,fr'];
    const stopped = await service.run([...argv, '--max-credits', '150'], { env });
    expect(stopped.exitCode).toBe(4);
    expect(stopped.stderr).toMatch(/^150 credits spent$/m);
    expect(stopped.stderr).toMatch(/^fr: 90 keys left, 90 credits$/m);
    expect(stopped.stderr).toMatch(/^error: the budget of 150 credits does not allow more$/m);
    expect(await charged(env)).toBe(150);
    expect(JSON.parse(text(root, 'fr.json'))).toMatchObject({ k119: 'Text number 119' });

    const again = await service.run([...argv, '--max-credits', '10', '--json'], { env });
    expect(again.exitCode).toBe(4);
    expect(json(again.stdout)).toMatchObject({
      credits_spent: 10,
      remaining: { keys: 80, credits: 80, languages: [{ language_code: 'fr', keys: 80, credits: 80 }] },
      error: { code: 'insufficient_credits', hint: expect.stringContaining('--max-credits') },
    });
    expect((await service.run([...argv, '--max-credits', '80'], { env })).exitCode).toBe(0);
    expect(await charged(env)).toBe(240);
    expect((await dragoman(['check', root])).exitCode).toBe(0);
  });

  it('stops when the account has no credits left, with what it bought saved', async () => {
    const root = large(250);
    const env = await createAccount(230);
    const argv = ['sync', root, '-s', 'en', '-t', 'de', '--concurrency', '1', '--json'];
    const { exitCode, stdout } = await service.run(argv, { env });
    expect(exitCode).toBe(4);
    expect(json(stdout)).toMatchObject({
      error: { code: 'insufficient_credits', status: 402 },
      remaining: { keys: 50 },
    });
    expect(await charged(env)).toBe(200);
    expect(
      Object.values(JSON.parse(text(root, 'de.json')) as object).filter(
        (value) => !String(value).startsWith('Text'),
      ),
    ).toHaveLength(200);
  });

  it('ends with 3 for a key that is not accepted, and writes nothing', async () => {
    const root = large(3);
    const argv = ['sync', root, '-s', 'en', '-t', 'de', '--json'];
    const { exitCode, stdout } = await service.run(argv, { env: { DRAGOMAN_API_KEY: 'wrong' } });
    expect(exitCode).toBe(3);
    expect(json(stdout)).toMatchObject({ error: { code: 'unauthenticated', status: 403 } });
    expect(stdout).not.toContain('wrong');
    expect(readdirSync(root)).toEqual(['en.json']);
  });

  it('ends with 6 when nobody is there, and with 3 without a key', async () => {
    const root = large(3);
    const argv = ['sync', root, '-s', 'en', '-t', 'de'];
    const env = { DRAGOMAN_BASE_URL: 'http://127.0.0.1:9', DRAGOMAN_API_KEY: 'k' };
    expect((await dragoman(argv, { env })).exitCode).toBe(6);
    expect((await dragoman(argv, { env: { ...env, DRAGOMAN_API_KEY: '' } })).exitCode).toBe(3);
    expect(readdirSync(root)).toEqual(['en.json']);
  });

  it('needs no service and no key for --frozen, check, status and --dry-run', async () => {
    const root = large(3);
    const env = { DRAGOMAN_BASE_URL: 'http://127.0.0.1:9' };
    const argv = [root, '-s', 'en', '-t', 'de'];
    expect((await dragoman(['sync', ...argv, '--frozen'], { env })).exitCode).toBe(8);
    expect((await dragoman(['check', ...argv], { env })).exitCode).toBe(8);
    expect((await dragoman(['status', ...argv], { env })).exitCode).toBe(0);
    const dry = await dragoman(['sync', ...argv, '--dry-run'], { env });
    expect(dry).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^total: 3 credits$/m) });
    const priced = await dragoman(['sync', ...argv, '--dry-run', '--via', 'jobs', '--json'], { env });
    expect(json(priced.stdout)).toMatchObject({ credits: 3, projects: [{ languages: [{ credits: 3 }] }] });
  });

  it.each([
    ['--max-credits', '5'],
    ['--via', 'jobs'],
  ])('refuses %s %s where nothing costs anything', async (...flags) => {
    const root = large(3);
    const argv = ['sync', root, '-s', 'en', '-t', 'de', '--engine', 'pseudo', ...flags];
    expect(await dragoman(argv)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--base-url'),
    });
  });

  it('takes the service from the configuration of the project', async () => {
    const root = projectWith({
      'en.json': '{"a": "One"}',
      'dragoman.config.json': JSON.stringify({
        source: 'en',
        targets: ['de'],
        service: { baseUrl: service.url },
      }),
    });
    const home = homeWith(`profiles: {own: {baseUrl: "${service.url}"}}\n`);
    const env = { ...home, DRAGOMAN_API_KEY: service.key };
    const { exitCode, stderr } = await dragoman(['sync', root], { env });
    expect(exitCode, stderr).toBe(0);
    expect(text(root, 'de.json')).not.toContain('One');
  });
});

interface Batch {
  readonly texts: string[];
  readonly target: string;
}

/** A service that counts the texts it was sent, and answers each batch as `decide` says. */
async function countingService(decide: (batch: number) => 'answer' | 'cut' | number, delayMs = 0) {
  const sent: string[] = [];
  let batches = 0;
  const fake = await fakeService((request, response, body) => {
    if (request.url === '/v2/supported-languages') {
      sendJson(response, { supported_languages: { Auto: 'auto', English: 'en', German: 'de' } });
      return;
    }
    const { texts, target } = JSON.parse(body) as Batch;
    sent.push(...texts);
    const decision = decide(++batches);
    if (decision === 'cut') response.destroy();
    else if (decision !== 'answer') sendJson(response, { detail: 'internal server error' }, decision);
    else {
      const translations = texts.map((value) => {
        return { text: value, translation: `${target}:${value}`, source: 'en', target, success: true };
      });
      const total = texts.length;
      setTimeout(() => sendJson(response, { translations, total, successful: total, failed: 0 }), delayMs);
    }
  });
  return { sent, env: { DRAGOMAN_BASE_URL: fake.url, DRAGOMAN_API_KEY: 'k' }, batches: () => batches };
}

describe('sync against a faulty service', () => {
  it.each([
    ['answer_lost', 'cut'],
    ['service_failed', 500],
  ] as const)('%s: fails the keys of the batch, goes on, and sends nothing twice', async (code, decision) => {
    const root = large(450);
    const fake = await countingService((batch) => (batch === 2 ? decision : 'answer'));
    const argv = ['sync', root, '-s', 'en', '-t', 'de', '--json'];
    const { exitCode, stdout, stderr } = await dragoman(argv, { env: fake.env });
    expect(exitCode, stderr).toBe(7);
    expect(fake.sent).toHaveLength(450);
    expect(new Set(fake.sent).size).toBe(450);
    const [project] = json(stdout)['projects'] as [
      { languages: [{ files: [{ failures: { code: string }[] }] }] },
    ];
    const { failures } = project.languages[0].files[0];
    expect(failures.length).toBeGreaterThanOrEqual(50);
    expect(new Set(failures.map((failure) => failure.code))).toEqual(new Set([code]));
    const before = fake.sent.length;
    expect((await dragoman(argv, { env: fake.env })).exitCode).toBe(0);
    expect(fake.sent.length - before).toBe(failures.length);
  });
});

/** The texts that the journal has: their batches are finished. */
function journalled(root: string): ReadonlySet<string> {
  const path = journalOf(root);
  if (!existsSync(path)) return new Set();
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  const segments = lines.flatMap(
    (line) => (JSON.parse(line) as { segments?: [string, string][] }).segments ?? [],
  );
  return new Set(segments.map(([, translation]) => translation.replace(/^de:/, '')));
}

describe('a sync against a service that is killed', () => {
  it('pays for no text of a finished batch again', { timeout: 120_000 }, async () => {
    const root = large(3000);
    const fake = await countingService(() => 'answer', 15);
    const argv = ['sync', root, '-s', 'en', '-t', 'de'];
    let killed = 0;
    for (;;) {
      const before = journalled(root);
      const sentBefore = fake.sent.length;
      const batches = fake.batches();
      const running = start(argv, root, fake.env);
      // Killed in the middle of it, at another number of batches each time.
      const timer = setInterval(() => {
        if (fake.batches() - batches >= 5 + killed) running.child.kill('SIGKILL');
      }, 2);
      const { signal, code, stderr } = await running.ended;
      clearInterval(timer);
      expect(fake.sent.slice(sentBefore).filter((sent) => before.has(sent))).toEqual([]);
      if (signal === null) {
        expect(code, stderr).toBe(0);
        break;
      }
      killed++;
      expect(killed).toBeLessThan(40);
    }
    expect(killed).toBeGreaterThan(1);
    // What was sent twice was under way when the process was killed: 4 requests at most.
    expect(fake.sent.length - 3000).toBeLessThanOrEqual(killed * 400);
    expect(JSON.parse(text(root, 'de.json'))).toMatchObject({ k2999: 'de:Text number 2999' });
    expect((await dragoman(['check', root])).exitCode).toBe(0);
  });

  it('takes in what is on its way when it is interrupted', { timeout: 60_000 }, async () => {
    const root = large(1000);
    const fake = await countingService(() => 'answer', 150);
    const argv = ['sync', root, '-s', 'en', '-t', 'de'];
    const running = start(argv, root, fake.env);
    await vi.waitFor(() => expect(fake.batches()).toBeGreaterThanOrEqual(2), {
      timeout: 20_000,
      interval: 5,
    });
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    const kept = journalled(root).size;
    expect(kept).toBeGreaterThan(0);
    expect(stderr).toContain(`interrupted: ${kept} of 1,000 keys are kept: run it again\n`);
    expect(code).toBe(130);
    expect(fake.sent.length).toBeLessThan(1000);
    expect(journalled(root).size).toBe(fake.sent.length);
    const rest = await start(argv, root, fake.env).ended;
    expect(rest.code, rest.stderr).toBe(0);
    expect(fake.sent).toHaveLength(1000);
  });

  it('does not pay for a job twice', { timeout: 60_000 }, async () => {
    const root = large(400);
    writeFileSync(
      join(root, 'dragoman.config.json'),
      '{"source": "en", "targets": ["de", "fr", "es", "it"]}',
    );
    const env = await createAccount(10_000);
    const remote = { DRAGOMAN_BASE_URL: service.url, ...env };
    const running = start(['sync', root, '--via', 'jobs'], root, remote);
    const journal = journalOf(root);
    const timer = setInterval(() => {
      if (existsSync(journal) && readFileSync(journal, 'utf8').includes('"id"'))
        running.child.kill('SIGKILL');
    }, 2);
    const { signal } = await running.ended;
    clearInterval(timer);
    expect(signal).toBe('SIGKILL');
    expect(await charged(env)).toBe(1600);
    const { code, stderr } = await start(['sync', root, '--via', 'jobs'], root, remote).ended;
    expect(code, stderr).toBe(0);
    expect(await charged(env)).toBe(1600);
    expect(text(root, 'it.json')).not.toContain('Text number 7"');
    expect(readdirSync(root).filter((name) => name.startsWith('.dragoman'))).toEqual([]);
  });
});
