import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OPENAI_KEY, startOpenAI } from '../engines/servers/openai.ts';
import { damagingProxy } from './damaging-proxy.ts';
import { dragoman, projectWith, type Result } from './harness.ts';
import { startService } from './service.ts';

const service = startService();
const EN_FR = ['-s', 'en', '-t', 'fr'];

const TEXTS = [
  'Open the next file of this folder before you close it',
  'Your changes to {name} are kept until the next start',
  'All members of the team can read what you write here',
  'Choose a colour for the background of the first page',
  'The connection to the printer was lost some time ago',
  'Type the address of the server that has your messages',
  'Nobody but you can see the pictures in this album',
  'Wait until the download of the new version has ended',
];
const FILES = {
  'texts.txt': `${TEXTS.join('\n')}\n`,
  'page.html': TEXTS.map((text) => `<p>${text}</p>`).join(''),
  'film.srt': TEXTS.map((text, i) => `${i + 1}\n00:00:0${i},000 --> 00:00:0${i},900\n${text}\n`).join('\n'),
  'page.md': `${TEXTS.map((text) => text.replace('{name}', '`name`')).join('\n\n')}\n`,
  'locales/en.json': JSON.stringify(Object.fromEntries(TEXTS.map((text, i) => [`k${i}`, text]))),
  'app.json': JSON.stringify(Object.fromEntries(TEXTS.map((text, i) => [`k${i}`, text]))),
};

const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  translate: ['translate', ...EN_FR, TEXTS[0] ?? ''],
  batch: ['batch', 'texts.txt', ...EN_FR],
  html: ['html', 'page.html', ...EN_FR],
  email: ['email', 'page.html', '--subject', TEXTS[1] ?? '', ...EN_FR],
  subtitles: ['subtitles', 'film.srt', ...EN_FR, '-o', '-'],
  markdown: ['markdown', 'page.md', ...EN_FR, '-o', '-'],
  sync: ['sync', 'locales', ...EN_FR],
  i18n: ['i18n', 'app.json', ...EN_FR, '-o', 'out.json'],
};
const WRITTEN: Readonly<Record<string, string>> = { sync: 'locales/fr.json', i18n: 'out.json' };

const GERMAN = 'Die Einstellungen wurden nicht gespeichert, weil die Datei gesperrt ist';

/** Answers of a model that are not translations, each with the exit code and the reported reason. */
const SAYINGS: readonly {
  readonly name: string;
  readonly say: (translation: string, source: string) => string;
  readonly exitCode: number;
  readonly reason?: RegExp;
  /**
   * Exceptions: line ends are not part of cues and pages, and a single text or subject has no other texts next to it.
   */
  readonly except?: readonly string[];
}[] = [
  { name: 'quotes around it', say: (text) => `“${text}”`, exitCode: 0 },
  { name: 'emphasis around it', say: (text) => `**${text}**`, exitCode: 0 },
  { name: 'a heading', say: (text) => `## ${text}`, exitCode: 0 },
  { name: 'a fence', say: (text) => `\`\`\`\n${text}\n\`\`\``, exitCode: 0 },
  {
    name: 'a line break inside',
    say: (text) => text.replace(/ (?=\S+$)/, '\n'),
    exitCode: 7,
    reason: /line break/,
    except: ['subtitles', 'html', 'email'],
  },
  {
    name: 'a preface',
    say: (text) => `Voici la traduction : ${text}`,
    exitCode: 7,
    reason: /talks about the translation/,
  },
  { name: 'a note', say: (text) => `${text} (Note : forme polie)`, exitCode: 7, reason: /has a note/ },
  {
    name: 'a refusal',
    say: () => 'Je suis désolé, mais je ne peux pas traduire ce texte.',
    exitCode: 7,
    reason: /declines/,
  },
  { name: 'far too much', say: (text) => `${text} `.repeat(9), exitCode: 7, reason: /far longer/ },
  {
    name: 'one answer to all',
    say: () => 'Ceci est un texte comme les autres',
    exitCode: 7,
    reason: /many other texts/,
    except: ['translate', 'email'],
  },
  { name: 'another language', say: () => GERMAN, exitCode: 7, reason: /another language|many other texts/ },
  { name: 'the source', say: (_, source) => source, exitCode: 7, reason: /repeats the source|unchanged/ },
];

const PLAIN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ACCENTED = 'ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž';
const map = (text: string, from: string, to: string): string =>
  text.replace(/<[^>]*>|\p{L}/gu, (one) => to[from.indexOf(one)] ?? one);

type Say = (typeof SAYINGS)[number]['say'];

/** A service answers this way, text by text. */
async function remote(operation: string, say: Say): Promise<Result> {
  const one = (text: string): string => say(text, map(text, ACCENTED, PLAIN));
  const url = await damagingProxy(service.url, {
    text: (text) => (text.includes('<p>') ? text.replace(/(?<=<p>)[^<]+(?=<\/p>)/g, one) : one(text)),
    file: (content) =>
      JSON.stringify(JSON.parse(content), (_, value: unknown) =>
        typeof value === 'string' ? one(value) : value,
      ),
  });
  return run(operation, { DRAGOMAN_BASE_URL: url, DRAGOMAN_API_KEY: service.key });
}

/** A local model answers this way. */
async function local(operation: string, say: Say): Promise<Result> {
  const model = await startOpenAI({ says: (text) => say(map(text, PLAIN, ACCENTED), text) });
  onTestFinished(() => model.close());
  const env = { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: OPENAI_KEY, OPENAI_MODEL: 'model' };
  return run(operation, { ...env, DRAGOMAN_ENGINE: 'openai' });
}

async function run(operation: string, env: Readonly<Record<string, string>>): Promise<Result> {
  const cwd = projectWith(FILES);
  const result = await dragoman(OPERATIONS[operation] ?? [], { cwd, env });
  const file = WRITTEN[operation];
  if (file === undefined) return result;
  try {
    return { ...result, stdout: readFileSync(join(cwd, file), 'utf8') };
  } catch {
    return { ...result, stdout: '' };
  }
}

describe.each(SAYINGS)('a model that says $name', ({ say, exitCode, reason, except = [] }) => {
  it.each(Object.keys(OPERATIONS).filter((operation) => !except.includes(operation)))(
    '%s: a service is trusted no more than a local engine',
    async (operation) => {
      const [here, there] = [await local(operation, say), await remote(operation, say)];
      // A single text that fails leaves no result.
      const code = exitCode === 7 && operation === 'translate' ? 1 : exitCode;
      const told = `${here.stderr}\n${there.stderr}`;
      expect({ here: here.exitCode, there: there.exitCode }, told).toEqual({ here: code, there: code });
      for (const { stdout, stderr } of [here, there]) {
        expect(stdout).not.toMatch(/“|\*\*|#|```|traduction|Note :|désolé|Ceci|Einstellungen/);
        if (reason) expect(stderr).toMatch(reason);
      }
      expect(here.stdout === there.stdout, `${here.stdout}\n${there.stdout}`).toBe(true);
    },
  );
});

describe('the memory', () => {
  const entriesAfter = async (say: (text: string) => string): Promise<number> => {
    const model = await startOpenAI({ says: say });
    onTestFinished(() => model.close());
    const cwd = projectWith(FILES);
    const openai = { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: OPENAI_KEY, OPENAI_MODEL: 'model' };
    const env = { ...openai, DRAGOMAN_ENGINE: 'openai', DRAGOMAN_MEMORY: join(cwd, 'memory.db') };
    await dragoman([...(OPERATIONS['sync'] ?? [])], { cwd, env });
    const { stdout, stderr } = await dragoman(
      ['memory', 'export', '-', '-s', 'en', '-t', 'fr', '--format', 'csv'],
      {
        cwd,
        env,
      },
    );
    if (stderr.includes('the memory has no such translations')) return 0;
    expect(stderr).not.toContain('error');
    return stdout.trim().split('\n').length - 1;
  };

  it.each(SAYINGS.filter(({ exitCode }) => exitCode === 7))(
    'stores nothing when a model says $name',
    async ({ say }) => {
      expect(await entriesAfter((text) => say(map(text, PLAIN, ACCENTED), text))).toBe(0);
    },
  );

  it('stores translations next to a refusal, and repaired answers', async () => {
    const refusing = (text: string): string =>
      text.startsWith('Nobody')
        ? "I'm sorry, but I can't assist with that."
        : `“${map(text, PLAIN, ACCENTED)}”`;
    expect(await entriesAfter(refusing)).toBe(TEXTS.length - 1);
  });
});
