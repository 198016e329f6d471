import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { interleave, median, milliseconds, printRow, printSkipped, withDirectory } from './measure.ts';
import { Sentences } from './words.ts';

const MESSAGES = 5_000;
const RUNS = 7;
/** A shell counts the time of its children in hundredths of a second: one run would be too short. */
const TIMES = 5;

/** Lint of a realistic catalogue, compared with `msgfmt -c`, in CPU time of the whole process. */
export async function benchLint(): Promise<void> {
  if (spawnSync('msgfmt', ['--version']).status !== 0) {
    printSkipped('lint', 'msgfmt is not installed');
    return;
  }
  await withDirectory(async (directory) => {
    const file = join(directory, 'de.po');
    writeFileSync(file, makeCatalogue());
    const commands = [
      ['msgfmt', '-c', '-o', '/dev/null', file],
      ['node', '-e', '0'],
      ['node', 'bin/dragoman.js', 'lint', file],
    ];
    const runs = commands.map((command) => () => cpuTime(command));
    const [reference = NaN, bare = NaN, lint = NaN] = (await interleave(RUNS, runs)).map(median);
    printRow(`lint       ${MESSAGES} messages: msgfmt -c`, milliseconds(reference));
    const ratio = lint / reference;
    const own = (lint - bare) / reference;
    printRow(
      'lint       dragoman lint',
      `${milliseconds(lint)}  ${ratio.toFixed(1)} x msgfmt, ${own.toFixed(1)} x without node's start`,
      { text: '<= 6 x', met: ratio <= 6 },
    );
  });
}

/** Milliseconds of CPU time for one run of a command. */
function cpuTime(command: readonly string[]): number {
  const script = `set -e; i=0; while [ $i -lt ${TIMES} ]; do "$@" >/dev/null 2>&1; i=$((i+1)); done; times`;
  const { status, stdout } = spawnSync('sh', ['-c', script, 'sh', ...command], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}`);
  const children = stdout.trim().split('\n').at(-1) ?? '';
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(([, m, s]) => 60 * Number(m) + Number(s));
  return (1000 * seconds.reduce((sum, each) => sum + each, 0)) / TIMES;
}

/** One message in ten has placeholders, and one in ten is a plural, as in a desktop program. */
function makeCatalogue(): string {
  const sentences = new Sentences();
  const header = [
    'Language: de',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=UTF-8',
    'Content-Transfer-Encoding: 8bit',
    'Plural-Forms: nplurals=2; plural=(n != 1);',
  ];
  const entries = [`msgid ""\nmsgstr ""\n${header.map((line) => `"${line}\\n"\n`).join('')}`];
  for (let i = 0; i < MESSAGES; i++) {
    const words = `${sentences.next().replace(/["\\]/g, '')} ${i}`;
    const place = `#: src/window.c:${i}\n`;
    if (i % 10 === 0)
      entries.push(`${place}#, c-format\nmsgid "${words} %s: %d"\nmsgstr "Über ${words} %s: %d"\n`);
    else if (i % 10 === 1)
      entries.push(
        `${place}#, c-format\nmsgid "%d ${words}"\nmsgid_plural "%d ${words}s"\nmsgstr[0] "%d ${words}"\nmsgstr[1] "%d ${words}en"\n`,
      );
    else entries.push(`${place}msgid "${words}"\nmsgstr "Über ${words}"\n`);
  }
  return entries.join('\n');
}
