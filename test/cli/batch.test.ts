import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from './harness.ts';

const PSEUDO = ['-s', 'en', '-t', 'fr', '--engine', 'pseudo'];

/** A slow engine that answers in upper case, and fails on texts with FAIL. */
const ENGINE = `
process.stdin.setEncoding('utf8');
let rest = '';
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, texts } = JSON.parse(line);
    const translations = texts.map((text) => (text.includes('FAIL') ? null : text.toUpperCase()));
    setTimeout(() => process.stdout.write(JSON.stringify({ id, translations }) + '\\n'), 300);
  }
});
`;

function engineFlags(): readonly string[] {
  const directory = projectWith({ 'engine.cjs': ENGINE });
  const command = `${process.execPath} ${join(directory, 'engine.cjs')}`;
  return ['-s', 'en', '-t', 'fr', '--engine', 'exec', '--engine-command', command];
}

describe('batch', () => {
  it('fails if standard input cannot be read to its end', async () => {
    let reads = 0;
    const stdin = new Readable({
      read() {
        if (reads++ === 0) this.push('one\n');
        else this.destroy(new Error('input/output error'));
      },
    });
    const result = await dragoman(['batch', ...PSEUDO], { stdin });
    expect(result).toMatchObject({ exitCode: 2, stdout: 'öñé\n' });
    expect(result.stderr).toContain('cannot read standard input: input/output error');
  });

  it('translates lines, and keeps empty ones', async () => {
    const result = await dragoman(['batch', ...PSEUDO], { stdin: 'One {x}\n\n  Two \r\nThree' });
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    const lines = result.stdout.split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^\S+ \{x\}$/);
    expect(lines[1]).toBe('');
    expect(lines[2]).toMatch(/^ {2}\S+ \r$/);
  });

  it('translates the strings of a JSON array, with their line breaks as escapes', async () => {
    const cwd = projectWith({ 'texts.json': '\uFEFF[\n  "12\\n34", "56"]\n' });
    expect((await dragoman(['batch', 'texts.json', ...PSEUDO], { cwd })).stdout).toBe('12\\n34\n56\n');
    const piped = await dragoman(['batch', ...PSEUDO], { stdin: ' ["12"]' });
    expect(piped.stdout).toBe('12\n');
    const lines = await dragoman(['batch', '-', ...PSEUDO], { stdin: '[12] 3\n4' });
    expect(lines.stdout).toBe('[12] 3\n4\n');
  });

  it('answers in the shape of the specification', async () => {
    const { stdout } = await dragoman(['batch', '--json', ...PSEUDO], { stdin: '1\n2\n' });
    const item = (text: string): object => ({
      text,
      translation: text,
      source: 'en',
      target: 'fr',
      success: true,
    });
    expect(JSON.parse(stdout)).toEqual({
      translations: [item('1'), item('2')],
      total: 2,
      successful: 2,
      failed: 0,
    });
  });

  it('keeps the source of a failed line, reports it and ends with 7', async () => {
    const flags = engineFlags();
    const result = await dragoman(['batch', ...flags], { stdin: 'one\nFAIL\ntwo\n' });
    expect(result).toMatchObject({ exitCode: 7, stdout: 'ONE\nFAIL\nTWO\n' });
    expect(result.stderr).toMatch(/^text 2 was not translated into fr: .+\n$/);
    const json = await dragoman(['batch', '--json', ...flags], { stdin: 'one\nFAIL\n' });
    expect(json.exitCode).toBe(7);
    expect(JSON.parse(json.stdout)).toMatchObject({
      translations: [{ success: true }, { success: false, translation: 'FAIL' }],
      total: 2,
      successful: 1,
      failed: 1,
    });
  });

  it('takes more texts than fit into one request', async () => {
    const stdin = Array.from({ length: 250 }, (_, i) => `${i}\n`).join('');
    expect((await dragoman(['batch', ...PSEUDO], { stdin })).stdout).toBe(stdin);
  });

  it('names the language before each line if there are several targets', async () => {
    const result = await dragoman(['batch', ...PSEUDO, '-t', 'es'], { stdin: '1\n2\n' });
    expect(result.stdout).toBe('fr\t1\nes\t1\nfr\t2\nes\t2\n');
  });

  it('detects the language of each line', async () => {
    const stdin = 'Das ist ein deutscher Satz.\nThis is an English sentence.\n';
    const { stdout } = await dragoman(['batch', '-t', 'fr', '--engine', 'pseudo', '--json'], { stdin });
    expect(JSON.parse(stdout)).toMatchObject({ translations: [{ source: 'de' }, { source: 'en' }] });
  });

  it.each([
    ['a missing file', ['batch', 'nope.txt', ...PSEUDO], undefined, /nope\.txt/],
    [
      'bytes that are not UTF-8',
      ['batch', ...PSEUDO],
      Buffer.from([0x61, 0x0a, 0xe2, 0x82]),
      /standard input:2:1: invalid UTF-8/,
    ],
    ['an array that contains a number', ['batch', ...PSEUDO], '["a", 1]', /entry 2/],
    ['no target', ['batch', '-s', 'en'], 'a', /-t/],
  ])('ends with 2 on %s', async (_, argv, stdin, message) => {
    const result = await dragoman(argv, stdin === undefined ? {} : { stdin });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toMatch(message);
  });

  it('does not wait for texts on a terminal', async () => {
    expect(await dragoman(['batch', ...PSEUDO], { tty: true })).toMatchObject({ exitCode: 2 });
  });

  it('writes nothing when no engine supports the pair', async () => {
    const result = await dragoman(['batch', '-s', 'en', '-t', 'ja'], { stdin: 'one\n' });
    expect(result).toMatchObject({ exitCode: 7, stdout: '' });
    expect(result.stderr).toMatch(/^text 1 was not translated into ja: no engine .*\n {2}.*--engine/);
  });
});
