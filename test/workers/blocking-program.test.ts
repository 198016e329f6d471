import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { BlockingProgram } from '../../src/workers/blocking-program.ts';
import { projectWith } from '../cli/harness.ts';
import { isRunning } from '../running-process.ts';

/** A program that behaves as each request demands. */
const PROGRAM = `
const { spawn } = require('node:child_process');
const { writeFileSync, appendFileSync } = require('node:fs');
process.chdir(__dirname);
appendFileSync('starts', 'x');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, does, text } = JSON.parse(line);
  if (does === 'crash') { process.stderr.write('\\u001b[31mno \\u0007 luck'); process.exit(3); }
  if (does === 'garbage') return console.log('hello ' + text);
  if (does === 'much') return console.log(JSON.stringify({ id, text: 'x'.repeat(65 * 1024 * 1024) }));
  if (does === 'hang') {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'ignore' });
    writeFileSync('pids', [process.pid, child.pid].join(' '));
    return;
  }
  if (does === 'environment') return console.log(JSON.stringify({ id, text: Object.keys(process.env) }));
  console.log(JSON.stringify({ id, text }));
});
process.stdin.on('end', () => writeFileSync('ended', ''));
`;

function start(timeoutMs = 20_000): { readonly program: BlockingProgram; readonly directory: string } {
  const directory = projectWith({ 'program.cjs': PROGRAM });
  const command = `"${process.execPath}" "${join(directory, 'program.cjs')}"`;
  const program = new BlockingProgram({ name: 'the program', command, timeoutMs });
  onTestFinished(() => program.close());
  return { program, directory };
}

describe('a program that is called synchronously', () => {
  it('answers one question after the other, without API keys', () => {
    process.env['BLOCKING_API_KEY'] = 'sk-1';
    onTestFinished(() => void delete process.env['BLOCKING_API_KEY']);
    const { program, directory } = start();
    for (const text of ['a', 'größer 😀', '\u2028'])
      expect(program.ask({ text })).toMatchObject({ answer: { text } });
    const reply = program.ask({ does: 'environment' });
    expect(reply).toMatchObject({ answer: { text: expect.arrayContaining(['PATH']) } });
    expect(JSON.stringify(reply)).not.toContain('BLOCKING_API_KEY');
    program.close();
    expect(existsSync(join(directory, 'ended'))).toBe(true);
    expect(program.ask({ text: 'b' })).toMatchObject({ answer: { text: 'b' } });
    expect(readFileSync(join(directory, 'starts'), 'utf8')).toBe('xx');
  });

  it('gets its request once more when it exits, and continues with other requests', () => {
    const { program, directory } = start();
    expect(program.ask({ does: 'crash' })).toEqual({
      failure: String.raw`the program ended with exit code 3 (stderr: \u{1b}[31mno \u{7} luck)`,
      hung: false,
    });
    expect(program.ask({ text: 'a' })).toMatchObject({ answer: { text: 'a' } });
    expect(readFileSync(join(directory, 'starts'), 'utf8')).toBe('xxx');
  });

  it.each([
    [
      'prints anything else',
      { does: 'garbage', text: '\u001b[2J' },
      /printed a line that is not an answer: hello \\u\{1b\}\[2J/,
    ],
    ['answers without end', { does: 'much' }, /answered more than 67108864 bytes at once/],
  ])('is killed when it %s', (_, question, failure) => {
    const { program } = start();
    expect(program.ask(question)).toMatchObject({ failure: expect.stringMatching(failure) });
    expect(program.ask({ text: 'a' })).toMatchObject({ answer: { text: 'a' } });
  });

  it('is killed with all its children when it does not answer', async () => {
    const { program, directory } = start(3_000);
    const reply = program.ask({ does: 'hang' });
    expect(reply).toMatchObject({ failure: 'the program gave no answer within 3 s' });
    program.close();
    const pids = readFileSync(join(directory, 'pids'), 'utf8').split(' ');
    await vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), { timeout: 10_000 });
  });

  it('reports an unknown command', () => {
    const program = new BlockingProgram({ name: 'it', command: 'no-such-program-here', timeoutMs: 20_000 });
    onTestFinished(() => program.close());
    expect(program.ask({})).toMatchObject({
      failure: expect.stringMatching(/^it ended with exit code 127 \(stderr: .*not found/),
    });
  });
});
