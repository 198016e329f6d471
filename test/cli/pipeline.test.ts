import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { projectWith } from './harness.ts';
import { shell } from './shell.ts';

/** First, standard input is closed and standard output is a pipe; then both are a pseudo-terminal. */
const hasScript = existsSync('/usr/bin/script');

const FILES = {
  'page.html': '<p>Hello <b>world</b> &amp; all</p>\n',
  'mail.eml': 'Subject: Hello\r\nContent-Type: text/plain\r\n\r\nGood morning\r\n',
  'en.json': '{"a": "One {x}"}\n',
};

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
    ['batch', "printf '1\\n2\\n' | $D batch $F | cat", /^1\n2\n$/],
    ['translate', '$D translate 42 $F <&- | cat', /^42\n$/],
    ['detect', '$D detect "Guten Morgen" <&- | cat', /^de\n$/],
    ['languages', '$D languages --engine pseudo <&- | head -1', /^auto/],
    ['health', '$D health --engine pseudo <&- | head -1', /^healthy\n$/],
    ['account', '$D account --engine pseudo <&- | cat', /no account/],
  ])('%s', (_, script, expected) => {
    expect(shell(script, projectWith(FILES))).toMatch(expected);
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
    ['translate', 'translate one', /fr 1\/1 \S+ \d+ % {2}\d\/1 texts/],
    ['batch', 'batch mail.eml', /fr 1\/1 \S+ \d+ % {2}\d\/4 texts/],
  ])('%s shows progress', (_, command, expected) => {
    const engine = `--engine exec --engine-command '${process.execPath} slow.cjs'`;
    const cwd = projectWith({ ...FILES, 'slow.cjs': SLOW });
    const shown = shell(`script -qec "$D ${command} -s en -t fr ${engine}" /dev/null`, cwd);
    expect(shown).toMatch(expected);
    // A terminal spinner: a line that is redrawn.
    expect(shown).toMatch(/\u001b\[/);
  });
});
