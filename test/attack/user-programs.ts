import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { changesBetween, forEach, snapshot, type Ended } from './room.ts';
import type { AttackRow, Trial } from './row.ts';

/** Misbehaving programs that a user configured as an engine or a format. */

const PAIR = ['-s', 'en', '-t', 'fr'];
const SOURCE = { '.git/HEAD': '', 'en.json': '{\n  "a": "Save {file}",\n  "b": "Open"\n}\n' };
const READ = `require('node:readline').createInterface({input: process.stdin}).on('line', (line) => {
  const {id, texts, scan, encode} = JSON.parse(line);`;
const SAY = 'const say = (o) => process.stdout.write(JSON.stringify(o) + "\\n");\n';

/** Engine programs as scripts, whose answers never become a file. */
const ENGINES: Readonly<Record<string, string>> = {
  'ends at once': 'process.exit(0)',
  'ends with a signal': "process.kill(process.pid, 'SIGKILL')",
  'ends at the first request': `${READ} process.exit(3) })`,
  'does not exist': '',
  'prints without end':
    "const b = Buffer.alloc(1 << 20, 'x'); (function go() { process.stdout.write(b, go) })()",
  'prints lines without end':
    "const b = Buffer.alloc(1 << 20, 'x\\n'); (function go() { process.stdout.write(b, go) })()",
  'writes errors without end':
    "const b = Buffer.alloc(1 << 16, 'x\\n'); (function go() { process.stderr.write(b, go) })(); setTimeout(() => process.exit(1), 3000)",
  'answers with 70 MB in one line': `${READ} process.stdout.write('{"id":' + id + ',"translations":["'); const b = Buffer.alloc(1 << 20, 'x'); for (let i = 0; i < 70; i++) process.stdout.write(b); process.stdout.write('","x"]}\\n') })`,
  'answers with deep nesting': `${READ} process.stdout.write('['.repeat(1000000) + '\\n') })`,
  'answers with other ids': `${SAY}${READ} say({id: id + 1, translations: texts}) })`,
  'answers twice': `${SAY}${READ} say({id, translations: texts.map(() => 'x')}); say({id, translations: texts}) })`,
  'answers with too many texts': `${SAY}${READ} say({id, translations: [...texts, 'x']}) })`,
  'answers with objects instead of texts': `${SAY}${READ} say({id, translations: texts.map(() => ({}))}) })`,
  'answers with __proto__': `${READ} process.stdout.write('{"__proto__":{"id":' + id + '},"id":' + id + ',"translations":{"length":2}}\\n') })`,
  'loses placeholders': `${SAY}${READ} say({id, translations: texts.map((t) => t.replace(/<.*?>/g, ''))}) })`,
  'doubles placeholders': `${SAY}${READ} say({id, translations: texts.map((t) => t + t)}) })`,
  'adds placeholders': `${SAY}${READ} say({id, translations: texts.map((t) => t + '<x id="9"/> {evil} %s')}) })`,
  'answers with half characters': `${READ} process.stdout.write('{"id":' + id + ',"translations":' + JSON.stringify(texts.map(() => '\\ud83d')) + '}\\n') })`,
  'answers with invalid bytes': `${READ} process.stdout.write(Buffer.concat([Buffer.from('{"id":' + id + ',"translations":["'), Buffer.from([0xff, 0xfe]), Buffer.from('","x"]}\\n')])) })`,
  'answers with empty texts': `${SAY}${READ} say({id, translations: texts.map(() => '')}) })`,
  'answers with control characters': `${SAY}${READ} say({id, translations: texts.map((t) => '\\u001b[2J\\u0000' + t)}) })`,
  'reports an error with escapes': `${SAY}${READ} say({id, error: '\\u001b[2J\\u202e\\n::error::x\\n' + 'x'.repeat(1e6)}) })`,
};

const FORMATS: Readonly<Record<string, string>> = {
  'names places outside the text': `${SAY}${READ} say({id, slots: [{key: ['a'], value: 'A', start: 0, end: 1e9}]}) })`,
  'names places backwards': `${SAY}${READ} say({id, slots: [{key: ['a'], value: 'A', start: 5, end: 2}]}) })`,
  'names one place twice': `${SAY}${READ} say({id, slots: [{key: ['a'], value: 'A', start: 0, end: 3}, {key: ['b'], value: 'A', start: 2, end: 5}]}) })`,
  'names no numbers': `${SAY}${READ} say({id, slots: [{key: ['a'], value: 'A', start: NaN, end: '3'}]}) })`,
  'names keys of the prototype': `${SAY}${READ} say({id, slots: [{key: ['__proto__', 'x'], value: 'A', start: 0, end: 1}], syntax: 'constructor'}) })`,
  'returns different values each time': `${SAY}${READ} say(encode ? {id, text: String(Math.random())} : {id, slots: [{key: ['a'], value: String(Math.random()), start: 0, end: 1}]}) })`,
  'encodes text that breaks out of its place': `${SAY}${READ} say(encode ? {id, text: 'x"\\nother="evil'} : {id, slots: [{key: ['a'], value: scan.text.slice(3, -2), start: 3, end: Math.max(3, scan.text.length - 2)}]}) })`,
  'encodes a value as 100 MB': `${READ} if (!encode) return process.stdout.write(JSON.stringify({id, slots: [{key: ['a'], value: 'A', start: 3, end: 4}]}) + '\\n'); const b = Buffer.alloc(1 << 20, 'x'); process.stdout.write('{"id":' + id + ',"text":"'); for (let i = 0; i < 100; i++) process.stdout.write(b); process.stdout.write('"}\\n') })`,
  'prints without end':
    "const b = Buffer.alloc(1 << 20, 'x'); (function go() { process.stdout.write(b, go) })()",
  'ends at once': 'process.exit(1)',
  'ends at the first request': `${READ} process.exit(3) })`,
  'answers with a million slots': `${SAY}${READ} say({id, slots: Array.from({length: 1000000}, (_, i) => ({key: ['k' + i], value: '', start: 0, end: 0}))}) })`,
  'reports an error with escapes': `${SAY}${READ} say({id, error: '\\u001b[2J\\u202e\\n::error::x', offset: 1e9}) })`,
};

const MOST_MS = 25_000;
/** Answers of up to 64 MB are read. */
const MOST_MEGABYTES = 800;

export const userProgramRows: readonly AttackRow[] = [
  {
    attack: `an engine program that lies, floods its output, dies or damages texts, in ${Object.keys(ENGINES).length} ways`,
    expected: 'a failure within seconds and bounded memory; written texts are valid',
    async run(trial) {
      const { room } = trial;
      await forEach(Object.entries(ENGINES), async ([what, script]) => {
        const cwd = room.checkout(SOURCE);
        const home = room.checkout({ 'engine.cjs': script });
        const command =
          script === '' ? join(home, 'no-program') : `"${process.execPath}" "${join(home, 'engine.cjs')}"`;
        const run = await room.run(['sync', ...PAIR, '--engine', 'exec', '--engine-command', command], {
          cwd,
        });
        requireSound(trial, what, run);
        const written = existsSync(join(cwd, 'fr.json')) ? (snapshot(cwd)['fr.json'] ?? '') : '';
        const values =
          written === ''
            ? {}
            : (JSON.parse(Buffer.from(written, 'latin1').toString()) as Record<string, string>);
        const { a = 'Save {file}' } = values;
        trial.equals(`the placeholders after "${what}"`, a.match(/\{\w+\}|%s/g), ['{file}']);
        trial.lacks(`the file after "${what}"`, JSON.stringify(values), /\\u001b|\\u0000|\\ud83d|\ufffd/);
      });
      return `${Object.keys(ENGINES).length} programs`;
    },
  },
  {
    attack: `a format's program that lies, floods its output or dies, in ${Object.keys(FORMATS).length} ways`,
    expected: 'a failure within seconds and bounded memory; the source and other files are unchanged',
    async run(trial) {
      const { room } = trial;
      await forEach(Object.entries(FORMATS), async ([what, script]) => {
        const text = 'a="Hello"\nb="Open"\n';
        const cwd = room.checkout({ '.git/HEAD': '', 'locales/en.pairs': text, 'locales/fr.json': '{}' });
        const home = room.checkout({ 'format.cjs': script });
        const before = snapshot(cwd);
        const command = `pairs=${JSON.stringify(process.execPath)} ${JSON.stringify(join(home, 'format.cjs'))}`;
        for (const argv of [
          ['i18n', 'locales/en.pairs', ...PAIR, '--engine', 'pseudo'],
          ['lint', 'locales'],
        ]) {
          const run = await room.run([...argv, '--format-command', command], { cwd });
          requireSound(trial, `${argv[0]}: ${what}`, run);
        }
        const changed = changesBetween(before, snapshot(cwd)).filter(
          (name) => name !== 'locales/en_fr.pairs',
        );
        trial.equals(`the changes after "${what}"`, changed, []);
        const result = snapshot(cwd)['locales/en_fr.pairs'] ?? '';
        trial.lacks(`the file after "${what}"`, result, 'other="evil');
      });
      return `${Object.keys(FORMATS).length} programs, 2 commands each`;
    },
  },
  {
    attack: 'an engine program that replaces directories and targets with links while it translates',
    expected: 'nothing outside the project is changed',
    async run(trial) {
      const { room } = trial;
      const outside = room.checkout({ 'fr.json': 'outside', victim: 'outside' });
      const before = snapshot(outside);
      const swaps = [
        `fs.rmSync('out', {recursive: true, force: true}); fs.symlinkSync(${JSON.stringify(outside)}, 'out')`,
        `fs.mkdirSync('out', {recursive: true}); fs.rmSync('out/fr.json', {force: true}); fs.symlinkSync(${JSON.stringify(join(outside, 'victim'))}, 'out/fr.json')`,
        `fs.rmSync('out', {recursive: true, force: true}); fs.symlinkSync('.git', 'out')`,
        `fs.symlinkSync(${JSON.stringify(join(outside, 'victim'))}, 'dragoman.lock')`,
      ];
      await forEach(swaps, async (swap) => {
        const cwd = room.checkout({
          '.git/config': 'x',
          'en.json': '{"a": "One"}',
          'dragoman.config.json': JSON.stringify({
            source: 'en',
            targets: ['fr'],
            files: [{ source: 'en.json', target: 'out/{locale}.json' }],
          }),
        });
        const home = room.checkout({
          'engine.cjs': `const fs = require('node:fs');\n${SAY}${READ} ${swap}; say({id, translations: texts.map(() => 'Un')}) })`,
        });
        mkdirSync(join(cwd, 'out'));
        const run = await room.run(
          [
            'sync',
            '--engine',
            'exec',
            '--engine-command',
            `"${process.execPath}" "${join(home, 'engine.cjs')}"`,
          ],
          { cwd },
        );
        trial.holds('sync ends', run.code !== null, run);
        trial.equals('the files of .git', Object.keys(snapshot(join(cwd, '.git'))), ['config']);
      });
      trial.equals('the changes outside the project', changesBetween(before, snapshot(outside)), []);
      return `${swaps.length} swaps`;
    },
  },
];

function requireSound(trial: Trial, what: string, run: Ended): void {
  trial.holds(`"${what}" ends in time`, run.code !== null && run.processorMs < MOST_MS, {
    code: run.code,
    ms: run.processorMs,
  });
  trial.holds(`"${what}" takes little memory`, run.megabytes < MOST_MEGABYTES, run.megabytes);
  trial.lacks(`the message for "${what}"`, run.stdout + run.stderr, /[\u001b\u202e]|\n\s+at /);
  trial.holds(`"${what}" is reported briefly`, run.stderr.length < 10_000, run.stderr.length);
}
