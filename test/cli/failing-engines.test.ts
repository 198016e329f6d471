import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from './harness.ts';

/** A program for the engine `exec` that answers each text with `answer`. */
function program(answer: string): Readonly<Record<string, string>> {
  const code = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, texts } = JSON.parse(line);
    console.log(JSON.stringify({ id, translations: texts.map((text) => ${answer}) }));
  });`;
  const path = join(projectWith({ 'engine.cjs': code }), 'engine.cjs');
  const command = [process.execPath, path].map((part) => JSON.stringify(part)).join(' ');
  return { DRAGOMAN_ENGINE: 'exec', DRAGOMAN_ENGINE_COMMAND: command };
}

const FILES = {
  'app.json': '{"a": "Hello, world", "b": "Good {x}"}',
  'l/en.json': '{"a": "Hello", "b": "Good {x}"}',
};
const COMMANDS = [
  ['sync', ['sync', 'l', '-s', 'en', '-t', 'fr']],
  ['i18n', ['i18n', 'app.json', '-s', 'en', '-t', 'fr', '-o', 'out.json']],
] as const;

describe.each(COMMANDS)('%s', (_, argv) => {
  it.each<[string, () => Readonly<Record<string, string>>, number]>([
    ['the engine returns no translation', () => program('null'), 6],
    [
      'the program exits immediately',
      () => ({ DRAGOMAN_ENGINE: 'exec', DRAGOMAN_ENGINE_COMMAND: 'false' }),
      6,
    ],
    [
      'nothing listens at the engine’s address',
      () => ({ DRAGOMAN_ENGINE: 'deepl', DEEPL_API_KEY: 'k', DEEPL_BASE_URL: 'http://127.0.0.1:9' }),
      6,
    ],
    ['only some texts are translated', () => program(`text.includes('Hello') ? 'Bonjour' : null`), 7],
    ['answers do not verify', () => program(`text + ' {y}'`), 7],
    [
      'no engine supports the language',
      () => ({ DRAGOMAN_ENGINE: 'apertium', DRAGOMAN_APERTIUM_MODES: '/nowhere' }),
      7,
    ],
    ['all texts are translated', () => program(`text.replace('Hello', 'Bonjour').replace('Good', 'Bon')`), 0],
  ])('ends when %s, with the matching exit code', async (__, envOf, exitCode) => {
    const result = await dragoman([...argv], { cwd: projectWith(FILES), env: envOf() });
    expect(result.exitCode, result.stdout + result.stderr).toBe(exitCode);
  });
});
