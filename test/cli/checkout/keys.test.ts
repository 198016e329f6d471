import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { homeWith, projectWith, temporaryDirectory } from '../harness.ts';
import { fakeService, sendJson, type FakeService } from '../service.ts';
import { runBuilt } from './program.ts';

const KEY = 'sk-very-secret-1';
const PAIR = ['-s', 'en', '-t', 'fr'];
const TEXT = ['translate', 'One', ...PAIR];

const FILES = {
  '.git/HEAD': '',
  'en.json': '{"a": "One"}',
  'page.html': '<p>One</p>',
  'movie.srt': '1\n00:00:01,000 --> 00:00:02,000\nOne\n',
  'set.csv': 'en,fr\nOne,Un\n',
  'letter.eml': 'Subject: Hello\n\nOne\n',
  'texts.txt': 'One\n',
};

const listen = (): Promise<FakeService> =>
  fakeService((_request, response) =>
    sendJson(response, {
      translations: [{ text: 'One', translation: 'Un', source: 'en', target: 'fr', success: true }],
      total: 1,
      successful: 1,
      failed: 0,
    }),
  );

const keysAt = ({ requests }: FakeService): readonly (string | undefined)[] => [
  ...new Set(requests.map(({ key }) => key)),
];

function keyFile(): string {
  const path = join(temporaryDirectory(), 'key');
  writeFileSync(path, KEY);
  chmodSync(path, 0o600);
  return path;
}

describe('a checkout does not choose where a key is sent', () => {
  it.each([
    [TEXT],
    [['sync', ...PAIR]],
    [['sync', ...PAIR, '--via', 'jobs']],
    [['i18n', 'en.json', ...PAIR]],
    [['html', 'page.html', ...PAIR]],
    [['subtitles', 'movie.srt', ...PAIR]],
    [['email', 'letter.eml', ...PAIR]],
    [['batch', 'texts.txt', ...PAIR]],
    [['detect', 'One']],
    [['eval', 'set.csv', ...PAIR, '--engine', 'service']],
    [['translate', 'One', ...PAIR, '--engine', 'service,pseudo']],
    [['account']],
    [['jobs', 'list']],
    [['jobs', 'create', 'en.json', ...PAIR]],
    [['languages']],
  ])('with %j', async (argv) => {
    const service = await listen();
    const cwd = projectWith({
      ...FILES,
      'dragoman.config.yaml': `source: en\nservice:\n  baseUrl: ${service.url}\n`,
    });
    const { code, stdout, stderr } = await runBuilt(argv, { cwd, env: { DRAGOMAN_API_KEY: KEY } });
    expect({ keys: keysAt(service), code }, stderr).toEqual({ keys: [], code: 3 });
    expect(stderr).toContain('dragoman.config.yaml:3:3: ');
    expect(stderr).toContain(`the key of DRAGOMAN_API_KEY is not sent to ${service.url}`);
    expect(stderr).toContain(`--base-url ${service.url}`);
    expect(stderr).toContain(
      `profiles: {work: {baseUrl: "${service.url}"}} in ~/.config/dragoman/config.yaml`,
    );
    expect(stdout + stderr).not.toContain(KEY);
  });

  it.each([
    ['a file', () => ['--api-key-file', keyFile()]],
    ['a flag', () => ['--api-key', KEY]],
  ])('with the key of %s', async (_, flags) => {
    const service = await listen();
    const cwd = projectWith({ '.dragomanrc': `service: {baseUrl: "${service.url}"}\n` });
    const { code } = await runBuilt([...TEXT, ...flags()], { cwd });
    expect({ keys: keysAt(service), code }).toEqual({ keys: [], code: 3 });
  });

  it('by a profile, even one selected with a flag', async () => {
    const service = await listen();
    const profiles = `profiles: {other: {baseUrl: "${service.url}"}}\n`;
    const cwd = projectWith({ 'dragoman.config.yaml': `service: {profile: other}\n${profiles}` });
    for (const flags of [[], ['--profile', 'other']]) {
      const { code, stderr } = await runBuilt([...TEXT, ...flags], { cwd, env: { DRAGOMAN_API_KEY: KEY } });
      expect({ keys: keysAt(service), code }).toEqual({ keys: [], code: 3 });
      expect(stderr).toContain(`profiles: {other: {baseUrl: "${service.url}"}}`);
    }
  });

  it('by one engine of several, whose failure the next one would hide', async () => {
    const service = await listen();
    const engines = "engines: {'*': [service, pseudo]}\n";
    const cwd = projectWith({ 'dragoman.config.yaml': `${engines}service: {baseUrl: "${service.url}"}\n` });
    await runBuilt(TEXT, { cwd, env: { DRAGOMAN_API_KEY: KEY } });
    expect(keysAt(service)).toEqual([]);
  });

  it('during a login in a script', async () => {
    const service = await listen();
    const cwd = projectWith({ 'dragoman.config.yaml': `service: {baseUrl: "${service.url}"}\n` });
    const { code } = await runBuilt(['login'], { cwd, stdin: KEY });
    expect({ keys: keysAt(service), code }).toEqual({ keys: [], code: 3 });
  });

  it('and dragoman config reports it', async () => {
    const cwd = projectWith({ 'dragoman.config.yaml': 'service: {baseUrl: "https://a.example"}\n' });
    const config = async (env: Record<string, string>): Promise<string> =>
      (await runBuilt(['config'], { cwd, env: { DRAGOMAN_API_KEY: KEY, ...env } })).stdout;
    expect(await config({})).toMatch(
      /^key +\(not sent: only the project configures this address\) +from DRAGOMAN_API_KEY$/m,
    );
    const home = homeWith('profiles: {a: {baseUrl: "https://a.example/"}}\n');
    expect(await config(home)).toMatch(/^key +\(hidden\) +from DRAGOMAN_API_KEY$/m);
  });

  it('during a health check, which needs no key', async () => {
    const service = await listen();
    const cwd = projectWith({ 'dragoman.config.yaml': `service: {baseUrl: "${service.url}"}\n` });
    await runBuilt(['health'], { cwd, env: { DRAGOMAN_API_KEY: KEY } });
    expect(service.requests.length).toBeGreaterThan(0);
    expect(keysAt(service)).toEqual([undefined]);
  });
});

describe('an address given by the user', () => {
  it.each([
    ['with a flag', (url: string) => ({ flags: ['--base-url', url], env: {} })],
    ['with a variable', (url: string) => ({ flags: [], env: { DRAGOMAN_BASE_URL: url } })],
    [
      'with a variable, beside a profile of the project',
      (url: string) => ({ flags: ['--profile', 'one'], env: { DRAGOMAN_BASE_URL: `${url}/` } }),
    ],
    [
      'as the service of the user',
      (url: string) => ({ flags: [], env: homeWith(`service: {baseUrl: "${url}"}\n`) }),
    ],
    [
      'in a profile of the user',
      (url: string) => ({ flags: [], env: homeWith(`profiles: {work: {baseUrl: "${url}"}}\n`) }),
    ],
    [
      'to dragoman login',
      (url: string) => {
        const credentials = JSON.stringify({ keys: [{ baseUrl: url, profile: 'x', key: 'sk-other-key' }] });
        const home = projectWith({ 'dragoman/credentials.json': credentials });
        chmodSync(join(home, 'dragoman/credentials.json'), 0o600);
        return { flags: [], env: { XDG_CONFIG_HOME: home } };
      },
    ],
  ])('%s gets the key, even if the project also names it', async (_, named) => {
    const service = await listen();
    const own = `service: {baseUrl: "${service.url}"}\nprofiles: {one: {baseUrl: "${service.url}"}}\n`;
    const cwd = projectWith({ 'dragoman.config.yaml': own });
    const { flags, env } = named(service.url);
    const result = await runBuilt([...TEXT, ...flags], { cwd, env: { ...env, DRAGOMAN_API_KEY: KEY } });
    expect({ ...result, keys: keysAt(service) }).toMatchObject({ code: 0, stdout: 'Un\n', keys: [KEY] });
  });

  it('in a profile overrides the project’s profile with the same name', async () => {
    const [users, projects] = [await listen(), await listen()];
    const cwd = projectWith({
      'dragoman.config.yaml': `service: {profile: work}\nprofiles: {work: {baseUrl: "${projects.url}"}}\n`,
    });
    const env = { ...homeWith(`profiles: {work: {baseUrl: "${users.url}"}}\n`), DRAGOMAN_API_KEY: KEY };
    expect((await runBuilt(TEXT, { cwd, env })).code).toBe(0);
    expect([keysAt(users), projects.requests]).toEqual([[KEY], []]);
  });

  it('is reached without the certificates that the project names', async () => {
    const service = await listen();
    const cwd = projectWith({
      'dragoman.config.yaml': `service: {baseUrl: "${service.url}", caFile: theirs.pem}\n`,
    });
    const own = homeWith(`profiles: {work: {baseUrl: "${service.url}"}}\n`);
    const { code, stderr } = await runBuilt(TEXT, { cwd, env: { ...own, DRAGOMAN_API_KEY: KEY } });
    expect({ code, keys: keysAt(service) }).toEqual({ code: 0, keys: [KEY] });
    expect(stderr).toMatch(
      /^warning: the `caFile` of the project is not used with a key: name .*theirs.pem with --ca-file/,
    );
    const withFile = homeWith(`profiles: {work: {baseUrl: "${service.url}", caFile: mine.pem}}\n`);
    const mine = await runBuilt(TEXT, { cwd, env: { ...withFile, DRAGOMAN_API_KEY: KEY } });
    expect(mine.stderr).toMatch(/mine\.pem/);
    expect(mine.stderr).not.toMatch(/warning|theirs\.pem/);
  });
});
