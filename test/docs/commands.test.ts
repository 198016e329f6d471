import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { writeCollection } from '../../scripts/firefox/collection.ts';
import { makeModelSet } from '../../scripts/firefox/model-set.ts';
import { projectWith, temporaryDirectory } from '../cli/harness.ts';
import { plainOf } from '../cli/pseudo-terminal.ts';
import { startService } from '../cli/service.ts';
import { DEEPL_KEY, startDeepL } from '../engines/servers/deepl.ts';
import { OPENAI_KEY, startOpenAI } from '../engines/servers/openai.ts';
import type { VendorServer } from '../engines/servers/vendor-server.ts';
import { BIN } from '../server/served.ts';
import { blocksOf, DOCUMENTS, readDocument, type Block } from './document.ts';

/** The commands of these chapters need a server and a client: separate tests run them. */
const ELSEWHERE = new Set(['docs/server.md', 'docs/service.md']);
/** Paths in the output of commands are shown as if the project were here. */
const SHOWN_ROOT = '/project';
/** Separates the output of two blocks. */
const SEPARATOR = '\u001E';

const service = startService();
let deepl: VendorServer;
let openai: VendorServer;
beforeAll(async () => {
  [deepl, openai] = await Promise.all([startDeepL(), startOpenAI()]);
});
afterAll(() => Promise.all([deepl.close(), openai.close()]));

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** The environment of a block's commands, from the block's notes. */
function environmentOf({ notes }: Block): Readonly<Record<string, string>> {
  if (notes.has('service')) {
    return { DRAGOMAN_BASE_URL: service.url, DRAGOMAN_API_KEY: service.key, DRAGOMAN_ENGINE: '' };
  }
  if (notes.has('vendors')) {
    return {
      DEEPL_API_KEY: DEEPL_KEY,
      DEEPL_BASE_URL: deepl.url,
      OPENAI_API_KEY: OPENAI_KEY,
      NODE_NO_WARNINGS: '1',
    };
  }
  if (!notes.has('models')) return {};
  const directory = temporaryDirectory();
  writeCollection(directory, [
    { source: 'en', target: 'es', set: makeModelSet('syllables', 7) },
    { source: 'en', target: 'fr', set: makeModelSet('syllables', 8) },
  ]);
  return { DRAGOMAN_FIREFOX_RECORDS_URL: join(directory, 'records.json') };
}

function scriptOf(block: Block): string {
  const text = block.text.replaceAll('http://localhost:11434/v1', `${openai.url}/v1`);
  const exports = Object.entries(environmentOf(block)).map(([name, value]) => `export ${name}='${value}'\n`);
  const expected = block.notes.get('exit');
  if (expected === undefined && exports.length === 0) return text;
  const line = `line ${block.line}`;
  return `set +e
( set -e
${exports.join('')}${text})
code=$?
set -e
[ $code = ${expected ?? '0'} ] || { echo "${line} ended with $code"; exit 99; }
`;
}

/** A step of a document: commands to run, or a file that they need. */
function stepOf(block: Block, root: string): string {
  const file = block.notes.get('file');
  if (file !== undefined) {
    const staged = join(root, '.staged', `${block.line}`);
    mkdirSync(dirname(staged), { recursive: true });
    writeFileSync(staged, block.text);
    return `mkdir -p "$(dirname '${file}')" && cp '${staged}' '${file}'\n`;
  }
  return block.language === 'sh' && !block.notes.has('not run') ? scriptOf(block) : '';
}

/** Runs a document from beginning to end as a reader would. Returns the output of each block. */
async function run(path: string, blocks: readonly Block[], root: string): Promise<readonly string[]> {
  const programs = join(root, '.programs');
  mkdirSync(programs);
  writeFileSync(join(programs, 'dragoman'), `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`, {
    mode: 0o755,
  });
  const env = {
    PATH: [programs, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
    HOME: root,
    // The README shows the output of the first available engine; the chapters need no installed engine.
    ...(path === 'README.md' ? {} : { DRAGOMAN_ENGINE: 'pseudo' }),
  };
  const steps = blocks.map((block) => `${stepOf(block, root)}printf '\\036'\n`);
  const { stdout } = await promisify(execFile)('sh', ['-euc', `exec 2>&1\n${steps.join('')}`], {
    cwd: root,
    env,
    timeout: 240_000,
  }).catch((error: { stdout?: string; message: string }) => {
    throw new Error(`${path} stopped: ${error.stdout?.split(SEPARATOR).at(-1) ?? error.message}`);
  });
  return stdout.replaceAll(root, SHOWN_ROOT).split(SEPARATOR);
}

/** Every line that a document shows is printed, in this order; the program may print more around it. */
function expectOutput(shown: string, printed: string, place: string): void {
  const lines = printed.split('\n');
  let at = 0;
  for (const line of shown.trimEnd().split('\n')) {
    const found = lines.indexOf(line, at);
    expect(found, `${place}: "${line}" in:\n${printed}`).toBeGreaterThanOrEqual(0);
    at = found + 1;
  }
}

describe.each(DOCUMENTS)('%s', (path) => {
  const blocks = blocksOf(readDocument(path));
  const needs = new Set(blocks.flatMap(({ notes }) => notes.get('needs') ?? []));

  it('states for every block how it is checked', () => {
    for (const { language, notes, line } of blocks) {
      const place = `${path}:${line}`;
      const reason = notes.get('not run');
      const checkedBy = language === 'sh' ? 'its run' : [...notes.keys()].join();
      expect(reason ?? checkedBy, place).toMatch(
        reason === undefined ? /^(?:its run|file|output|screen)$/ : /\w+ \w+/,
      );
    }
  });

  it.each(blocks.filter(({ notes }) => notes.has('screen')))(
    'shows the screens of newcomers, in line $line',
    ({ notes, text }) => {
      const transcript = readDocument(`fixtures/newcomers/${notes.get('screen')}.txt`);
      const screens = plainOf(transcript).replace(/\n\[\d+\]$/gm, '');
      expect(text).toMatch(/^\$ dragoman /);
      expect(`${screens}\n$ `).toContain(`\n\n${text.trimEnd()}\n\n$ `);
    },
  );

  it.skipIf(ELSEWHERE.has(path) || ![...needs].every(has))(
    'has commands that run unchanged and print the output shown',
    async () => {
      const root = projectWith({ '.git/HEAD': '' });
      const printed = await run(path, blocks, root);
      expect(printed).toHaveLength(blocks.length + 1);
      let last = '';
      for (const [i, { language, notes, text, line }] of blocks.entries()) {
        if (language === 'sh') last = printed[i] ?? '';
        if (notes.has('output')) expectOutput(text, last, `${path}:${line}`);
        const file = notes.get('file') ?? '';
        if (file.startsWith('.github/workflows/')) await runWorkflow(join(root, file), root);
        if (file.endsWith('/dragoman.config.yaml'))
          await runProgram(['config'], join(root, dirname(file)), root);
      }
    },
    300_000,
  );
});

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: object;
}

/** The workflow steps that run this program, after everything else in the document. */
async function runWorkflow(file: string, root: string): Promise<void> {
  const workflow = parse(readFileSync(file, 'utf8')) as {
    readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
  };
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
  const ours = steps.filter(({ uses = '' }) => uses.includes('/dragoman@'));
  const { inputs } = parse(readDocument('action.yml')) as { readonly inputs: object };
  for (const { with: given = {} } of ours)
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
  // The package manager installs the locked version; everything else is this program.
  const commands = steps.flatMap(({ run }) => run ?? []).filter((command) => command !== 'npm ci');
  expect(commands.length + ours.length).toBeGreaterThan(0);
  for (const command of commands) {
    expect(command).toMatch(/^npx dragoman /);
    const args = command.split(' ').slice(2);
    await runProgram(args, root, root);
  }
}

async function runProgram(args: readonly string[], cwd: string, home: string): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home };
  await promisify(execFile)(process.execPath, [BIN, ...args], { cwd, env });
}

it('the chapters for the three kinds of users show screens', () => {
  const paths = DOCUMENTS.filter((path) =>
    blocksOf(readDocument(path)).some(({ notes }) => notes.has('screen')),
  );
  expect(paths).toEqual(['README.md', 'docs/ci.md', 'docs/subtitles.md', 'docs/sync.md']);
});

it('few commands of the documentation are not run', () => {
  const blocks = DOCUMENTS.flatMap((path) => blocksOf(readDocument(path)));
  const reasons = blocks.flatMap(({ notes }) => notes.get('not run') ?? []);
  expect(reasons.filter((reason) => !reason.includes('a test')).length).toBeLessThanOrEqual(8);
});
