import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countingService, numberedTexts } from './counting-service.ts';
import { dragoman, homeWith, projectWith, temporaryDirectory } from './harness.ts';
import { startService } from './service.ts';

const service = startService();
const text = (root: string, name: string): string => readFileSync(join(root, name), 'utf8');
const json = (stdout: string): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;

/** The charge according to the account's summary. */
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

const LANGUAGES = ['-s', 'en', '-t', 'de,ru'];

describe('sync with dragoman serve', () => {
  it.each([['strings'], ['jobs']])(
    'via %s: costs what --dry-run says, and nothing in the second run',
    async (via) => {
      const root = demoProject();
      const env = await createAccount(10_000);
      const dry = await service.run(['sync', root, ...LANGUAGES, '--dry-run', '--via', via, '--json'], {
        env,
      });
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
    },
  );

  it('stops before --max-credits, reports the rest, and continues later', async () => {
    const root = numberedTexts(120);
    const env = await createAccount(1000);
    const argv = ['sync', root, '-s', 'en', '-t', 'de,fr'];
    const stopped = await service.run([...argv, '--max-credits', '150'], { env });
    expect(stopped.exitCode).toBe(4);
    expect(stopped.stderr).toMatch(/^150 credits spent$/m);
    expect(stopped.stderr).toMatch(
      /^error: the budget of 150 credits does not cover the rest; the remaining 90 keys need 90 credits$/m,
    );
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

  it('stops when the account has no credits left, and saves the paid translations', async () => {
    const root = numberedTexts(250);
    const env = await createAccount(230);
    const argv = ['sync', root, '-s', 'en', '-t', 'de', '--concurrency', '1', '--json'];
    const { exitCode, stdout } = await service.run(argv, { env });
    expect(exitCode).toBe(4);
    expect(json(stdout)).toMatchObject({
      error: {
        code: 'insufficient_credits',
        status: 402,
        message: 'the account has 30 credits left; the remaining 50 keys need 50 credits',
      },
      remaining: { keys: 50 },
    });
    expect(await charged(env)).toBe(200);
    expect(
      Object.values(JSON.parse(text(root, 'de.json')) as object).filter(
        (value) => !String(value).startsWith('Text'),
      ),
    ).toHaveLength(200);
  });

  it('ends with 3 for a rejected key, and writes nothing', async () => {
    const root = numberedTexts(3);
    const argv = ['sync', root, '-s', 'en', '-t', 'de', '--json'];
    const { exitCode, stdout } = await service.run(argv, { env: { DRAGOMAN_API_KEY: 'wrong' } });
    expect(exitCode).toBe(3);
    expect(json(stdout)).toMatchObject({ error: { code: 'unauthenticated', status: 403 } });
    expect(stdout).not.toContain('wrong');
    expect(readdirSync(root)).toEqual(['en.json']);
  });

  it('ends with 6 if the server is unreachable, and with 3 without a key', async () => {
    const root = numberedTexts(3);
    const argv = ['sync', root, '-s', 'en', '-t', 'de'];
    const env = { DRAGOMAN_BASE_URL: 'http://127.0.0.1:9', DRAGOMAN_API_KEY: 'k' };
    expect((await dragoman(argv, { env })).exitCode).toBe(6);
    expect((await dragoman(argv, { env: { ...env, DRAGOMAN_API_KEY: '' } })).exitCode).toBe(3);
    expect(readdirSync(root)).toEqual(['en.json']);
  });

  it('needs no service and no key for --frozen, check, status and --dry-run', async () => {
    const root = numberedTexts(3);
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
  ])('refuses %s %s if nothing has a price', async (...flags) => {
    const root = numberedTexts(3);
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

describe('sync with a faulty service', () => {
  it.each([
    ['answer_lost', 'cut'],
    ['service_failed', 500],
  ] as const)(
    '%s: fails the keys of the batch, continues, and sends nothing twice',
    async (code, decision) => {
      const root = numberedTexts(450);
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
    },
  );
});
