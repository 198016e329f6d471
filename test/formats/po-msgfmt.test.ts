import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { splice } from '../../src/base/span.ts';
import { po } from '../../src/formats/po/format.ts';
import { render } from '../../src/formats/render.ts';
import { runForEachText } from '../readers/for-each-text.ts';

const hasMsgfmt = spawnSync('msgfmt', ['--version']).status === 0;
const root = new URL('../../fixtures/formats/po/', import.meta.url).pathname;
const sources = readdirSync(root).filter((name) => !name.startsWith('error-'));

/** A file with domains names its own output files, which msgfmt writes to the current directory. */
const MSGFMT = [
  'sh',
  '-c',
  'cd "${1%/*}" && if grep -q ^domain "$1"; then msgfmt -c "$1"; else msgfmt -c -o /dev/null "$1"; fi',
  'sh',
];

function translated(text: string, locale: string): string {
  const edits = po.retarget(po.scan(text), { locale, spelling: locale.replace('-', '_'), role: 'new' });
  const skeleton = po.scan(splice(text, edits), { locale });
  const values = new Map(skeleton.slots.map((slot, index) => [index, slot.source ?? '']));
  const { document, rejected } = render(po, skeleton, values, { locale });
  expect(rejected.size).toBe(0);
  // Constructs in the source that gettext does not read either: an unknown escape, a comment that looks obsolete.
  return document.text.replace(/\\([q:])/g, '$1').replace(/^#~ garbage.*\n/gm, '');
}

describe.skipIf(!hasMsgfmt)('with the real gettext', () => {
  let directory = '';
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'dragoman-po-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const cases = sources.flatMap((name) => {
    const text = readFileSync(join(root, name, 'source.po'), 'utf8');
    return ['fr', 'ja', 'ru', 'ar', 'sl', 'pt-PT'].map((locale) => ({ name, locale, text }));
  });
  const merged = sources.filter((name) => name.startsWith('merge'));
  let complaints: readonly string[] = [];

  beforeAll(() => {
    const texts = [
      ...cases.map(({ text, locale }) => translated(text, locale)),
      ...merged.map((name) => readFileSync(join(root, name, 'merged.po'), 'utf8')),
    ];
    complaints = runForEachText(MSGFMT, texts).map(({ status, stderr }) =>
      status === 0 ? '' : stderr || `status ${status}`,
    );
  });

  it.each(cases.map(({ name, locale }, i) => [name, locale, i] as const))(
    '%s translated to %s is accepted',
    (_, _locale, i) => {
      expect(complaints[i]).toBe('');
    },
  );

  it.each(merged.map((name, i) => [name, cases.length + i] as const))('%s is accepted merged', (_, i) => {
    expect(complaints[i]).toBe('');
  });

  it('msgfmt reads the same texts as dragoman', () => {
    const header = 'msgid ""\nmsgstr ""\n"Language: fr\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n';
    const values = ['é\t"x"\\', '\u0001\u00019', 'a\r\nb', '  ', '😀 \u2028 日本語', 'x'.repeat(200)];
    const source = header + values.map((_, i) => `msgid "${i}"\nmsgstr ""\n`).join('\n');
    const { document } = render(po, po.scan(source), new Map(values.entries()));
    const path = join(directory, 'b.po');
    writeFileSync(path, document.text);
    execFileSync('msgfmt', ['-o', join(directory, 'b.mo'), path]);
    expect(texts(readFileSync(join(directory, 'b.mo')))).toEqual(values);
  });

  it('dragoman folds lines as msgcat does', () => {
    const text = readFileSync(join(root, 'wrapped/rendered.po'), 'utf8');
    const path = join(directory, 'c.po');
    writeFileSync(path, text);
    expect(execFileSync('msgcat', [path], { encoding: 'utf8' })).toBe(text);
  });
});

/** The translations of a binary catalogue, in key order, without the header. */
function texts(mo: Buffer): readonly string[] {
  const count = mo.readUInt32LE(8);
  const table = mo.readUInt32LE(16);
  return Array.from({ length: count }, (_, i) => {
    const [length, offset] = [mo.readUInt32LE(table + 8 * i), mo.readUInt32LE(table + 8 * i + 4)];
    return mo.toString('utf8', offset, offset + length);
  }).slice(1);
}
