import { chmodSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PROJECT } from './programs.ts';
import { forEach } from './room.ts';
import type { AttackRow, Trial } from './row.ts';

/** Checkouts that try to get a key or a file of their user. */

const KEY = 'sk-very-secret-1';
const SECRET = 'outside-secret-7f3a';
const PAIR = ['-s', 'en', '-t', 'fr'];

interface Listener {
  readonly url: string;
  /** The headers of all requests, as one text. */
  heard(): string;
  count(): number;
}

/** A server of the attacker that only records what it receives. */
export async function listener(
  { room }: Trial,
  status = 200,
  headers: Record<string, string> = {},
): Promise<Listener> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      requests.push(
        `${request.method} ${request.url} ${JSON.stringify(request.headers)} ${Buffer.concat(parts).toString()}`,
      );
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  room.onClose(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: () => requests.join('\n'),
    count: () => requests.length,
  };
}

const COMMANDS: readonly (readonly string[])[] = [
  ['translate', 'One', ...PAIR],
  ['sync', ...PAIR],
  ['sync', ...PAIR, '--via', 'jobs'],
  ['i18n', 'en.json', ...PAIR],
  ['html', 'page.html', ...PAIR],
  ['batch', 'texts.txt', ...PAIR],
  ['account'],
  ['jobs', 'list'],
  ['health'],
  ['login'],
];

export const keyRows: readonly AttackRow[] = [
  {
    attack:
      'a service named by the checkout in every possible way, with a key in the environment, in a file, or stored by a login',
    expected: 'the address gets no key',
    async run(trial) {
      const { room } = trial;
      const thief = await listener(trial);
      const configurations = [
        `service: {baseUrl: "${thief.url}"}\n`,
        `service: {profile: p}\nprofiles: {p: {baseUrl: "${thief.url}"}}\n`,
        `engines: {'*': [service, pseudo]}\nservice: {baseUrl: "${thief.url}"}\n`,
        `service: {baseUrl: "${thief.url.replace('127.0.0.1', 'localhost')}"}\n`,
        `service: {baseUrl: "http://work.example:1@${thief.url.slice(7)}"}\n`,
      ];
      const home = room.checkout({
        '.config/dragoman/config.yaml': 'profiles: {work: {baseUrl: "https://work.example"}}\n',
        '.config/dragoman/credentials.json': JSON.stringify({
          keys: [{ baseUrl: 'https://work.example', profile: 'p', key: KEY }],
        }),
      });
      chmodSync(join(home, '.config/dragoman/credentials.json'), 0o600);
      const tried = configurations.flatMap((text, i) =>
        COMMANDS.filter((_, at) => i === 0 || at % 3 === i % 3).map((argv) => ({ text, argv })),
      );
      await forEach(tried, async ({ text, argv }) => {
        const cwd = room.checkout({ ...PROJECT, 'dragoman.config.yaml': text });
        const run = await room.run(argv, {
          cwd,
          env: { HOME: home, DRAGOMAN_API_KEY: KEY },
          stdin: argv[0] === 'login' ? KEY : '',
        });
        trial.holds(`${argv.join(' ')} ends`, run.code !== null);
        trial.lacks(`the output of ${argv.join(' ')}`, run.stdout + run.stderr, KEY);
      });
      trial.lacks('the data that the service received', thief.heard(), KEY);
      const armed = await room.run(['account', '--base-url', thief.url], {
        cwd: room.checkout({}),
        env: { DRAGOMAN_API_KEY: KEY },
      });
      trial.holds('a service that the user names gets the key', thief.heard().includes(KEY), armed);
      return `${tried.length} commands, ${thief.count()} requests`;
    },
  },
  {
    attack: 'hosted engines whose address comes from the checkout (openai, deepl, google, libretranslate)',
    expected: 'the address gets no key',
    async run(trial) {
      const { room } = trial;
      const thief = await listener(trial);
      const keys = {
        OPENAI_API_KEY: KEY,
        DEEPL_API_KEY: KEY,
        GOOGLE_API_KEY: KEY,
        LIBRETRANSLATE_API_KEY: KEY,
      };
      await forEach(['openai', 'deepl', 'google', 'libretranslate'], async (engine) => {
        for (const setting of ['baseUrl', 'url', 'endpoint']) {
          const model = engine === 'openai' ? ', model: m' : '';
          const text = `engine: ${engine}\n${engine}: {${setting}: "${thief.url}"${model}}\n`;
          const cwd = room.checkout({ ...PROJECT, 'dragoman.config.yaml': text });
          const run = await room.run(['translate', 'One', ...PAIR], { cwd, env: keys });
          trial.holds(`${engine} with ${setting} ends`, run.code !== null && run.code !== 0, run);
          trial.lacks(`the output of ${engine}`, run.stdout + run.stderr, KEY);
        }
      });
      trial.lacks('the data that the address received', thief.heard(), KEY);
      return `${thief.count()} requests`;
    },
  },
  {
    attack: 'a service that redirects to another address, or to another scheme',
    expected: 'the key does not follow',
    async run(trial) {
      const { room } = trial;
      const thief = await listener(trial);
      for (const [status, to] of [
        [301, thief.url],
        [307, `${thief.url}/v2/translate`],
        [308, thief.url.replace('127.0.0.1', 'localhost')],
        [302, '//evil.example/'],
      ] as const) {
        const named = await listener(trial, status, { location: to });
        const run = await room.run(['translate', 'One', ...PAIR, '--base-url', named.url], {
          cwd: room.checkout({}),
          env: { DRAGOMAN_API_KEY: KEY },
        });
        trial.holds(`a redirect with ${status} is a failure`, run.code !== 0 && run.code !== null, run);
        trial.holds('the named address got the key', named.heard().includes(KEY));
      }
      trial.equals('the number of requests elsewhere', thief.count(), 0);
      return '4 redirects';
    },
  },
  {
    attack:
      "a configuration, a glossary, a lock, sources and targets that are links to one of the user's files",
    expected: 'none of its content is shown or written',
    async run(trial) {
      const { room } = trial;
      const outside = room.checkout({
        secret: `${SECRET}: [${SECRET}\n`,
        'secret.json': `{"a": "${SECRET}"}`,
        'secret.csv': `en,fr\n${SECRET},x\n`,
      });
      const names = [
        ['dragoman.config.yaml', 'secret'],
        ['dragoman.config.json', 'secret'],
        ['.dragomanrc', 'secret'],
        ['package.json', 'secret'],
        ['glossary.csv', 'secret.csv'],
        ['glossary.yaml', 'secret'],
        ['dragoman.lock', 'secret'],
        ['locales/en.json', 'secret.json'],
        ['mkdocs.yml', 'secret'],
        ['hugo.toml', 'secret'],
        ['po/LINGUAS', 'secret'],
      ] as const;
      await forEach(names, async ([name, to]) => {
        for (const argv of [
          ['sync', ...PAIR, '--engine', 'pseudo'],
          ['check', ...PAIR],
          ['status', '--json', '--keys', ...PAIR],
          ['config'],
        ]) {
          const cwd = room.checkout({
            '.git/HEAD': '',
            'locales/fr.json': '{}',
            'po/fr.po': 'msgid ""\nmsgstr ""\n',
            'docs/index.md': '# x',
          });
          symlinkSync(join(outside, to), join(cwd, name));
          const run = await room.run(argv, { cwd });
          trial.holds(`${argv[0]} with ${name} ends`, run.code !== null);
          trial.lacks(`the output of ${argv[0]} with ${name}`, run.stdout + run.stderr, SECRET);
        }
      });
      return `${names.length} links, 4 commands each`;
    },
  },
];
