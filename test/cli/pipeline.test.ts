import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectWith, temporaryDirectory } from './harness.ts';

/**
 * The built program in a real shell: standard input closed, standard output piped, no terminal; then in a
 * pseudo-terminal.
 */
const bin = join(import.meta.dirname, '../../bin/dragoman.js');
const hasScript = existsSync('/usr/bin/script');

const FILES = {
  'page.html': '<p>Hello <b>world</b> &amp; all</p>\n',
  'mail.eml': 'Subject: Hello\r\nContent-Type: text/plain\r\n\r\nGood morning\r\n',
  'en.json': '{"a": "One {x}"}\n',
};

function shell(script: string, cwd: string): string {
  return execFileSync('/bin/sh', ['-c', script], {
    cwd,
    env: {
      PATH: process.env['PATH'],
      HOME: temporaryDirectory(),
      D: `${process.execPath} ${bin}`,
      F: '-s en -t fr --engine pseudo',
      TERM: 'xterm',
    },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

describe('in a pipeline', () => {
  it.each<[string, string, RegExp]>([
    ['html', 'cat page.html | $D html $F | cat', /^<p>\S+ <b>\S+<\/b> &amp; \S+<\/p>\n$/],
    ['html of a file', '$D html page.html $F <&- | wc -l', /^\s*1\n$/],
    ['email', '$D email mail.eml $F -o - <&- | tail -1', /^\S+ \S+\r\n$/],
    ['i18n', '$D i18n en.json $F -o out <&- | xargs cat', /^\{"a": "[^"]+ \{x\}"\}\n$/],
    ['sync', '$D sync . $F <&- | tail -1', /^fr +1$/m],
    ['sync, check', '$D sync . $F <&- >/dev/null 2>&1 && $D check <&- | wc -c', /^\s*0\n$/],
    ['status', '$D status . -t fr <&- | tail -1', /^fr +0 %/],
    ['lint', '$D lint --output-format sarif <&- | head -3 | tail -1', /"version": "2\.1\.0"/],
    ['engines', '$D engines <&- | grep -c pseudo', /^1\n$/],
    ['completion', '$D completion bash <&- | tail -1', /^complete -o filenames/],
  ])('%s', (_, script, expected) => {
    expect(shell(script, projectWith(FILES))).toMatch(expected);
  });

  it('stops quietly when the reader closes the pipe', () => {
    expect(shell('$D languages --json <&- | head -1', projectWith({}))).toBe('{\n');
  });
});

describe('a pipe that closes early', () => {
  const texts = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`key${i}`, `Hello {x} ${i}`]));
  const findings = Object.fromEntries(Object.keys(texts).map((key) => [key, 'Hallo']));
  const files = { 'l/en.json': JSON.stringify(texts), 'l/de.json': JSON.stringify(findings) };

  it.each(['cat >/dev/null', 'head -1 >/dev/null', 'true'])('changes no exit code: %s', (reader) => {
    const script = `{ $D lint l -s en -t de <&- 2>/dev/null; echo $? >code; } | ${reader}; cat code`;
    expect(shell(script, projectWith(files))).toBe('8\n');
  });

  it('ends a command that would read forever', () => {
    const script = `yes hello | { timeout 60 $D batch $F; echo $? >code; } | head -2 >/dev/null; cat code`;
    expect(shell(script, projectWith({}))).toBe('0\n');
  });
});

/** Slow enough for a spinner to draw something. */
const SLOW = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, texts } = JSON.parse(line);
  setTimeout(() => console.log(JSON.stringify({ id, translations: texts })), 400);
});`;

describe.skipIf(!hasScript)('on a terminal', () => {
  it.each<[string, string, RegExp]>([
    ['html', 'html page.html -o out', /page\.html/],
    ['email', 'email mail.eml -o out', /mail\.eml/],
    ['i18n', 'i18n en.json -o out', /en\.json → fr/],
    ['sync', 'sync .', /fr 1\/1 \S+ 0 % {2}0\/\d keys/],
  ])('%s shows progress', (_, command, expected) => {
    const engine = `--engine exec --engine-command '${process.execPath} slow.cjs'`;
    const cwd = projectWith({ ...FILES, 'slow.cjs': SLOW });
    const shown = shell(`script -qec "$D ${command} -s en -t fr ${engine}" /dev/null`, cwd);
    expect(shown).toMatch(expected);
    // A terminal spinner: a line that is redrawn.
    expect(shown).toMatch(/\u001b\[/);
  });
});
