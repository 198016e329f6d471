import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mo, po } from 'gettext-parser';
import iconv from 'iconv-lite';
import { works } from './process.ts';
import { refusal, type Entry, type Input, type Reader, type Reading } from './reader.ts';

type Catalog = ReturnType<typeof po.parse>;

/** The parser of gettext-parser. Keys are context and msgid; the forms of a plural have one key. */
export const gettextParser: Reader = {
  name: 'gettext-parser',
  lastWins: true,
  missing: () => undefined,
  read: (files) =>
    files.map(({ bytes }) => {
      try {
        const catalog = po.parse(plain(bytes), { defaultCharset: 'utf-8' });
        return {
          entries: [...entriesOf(catalog.translations, 'text'), ...entriesOf(catalog.obsolete, 'obsolete')],
        };
      } catch (error) {
        return refusal(error);
      }
    }),
};

const CONTROLS: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', v: '\v' };

/** Files that the parser does not support: byte order marks, the rarer escapes of C, and Shift_JIS in PO files. */
function plain(bytes: Uint8Array): Buffer {
  const text = readable(Buffer.from(bytes).toString('latin1')).replace(/^\u00ef\u00bb\u00bf/, '');
  return Buffer.from(
    text.replace(/(\\[^abfv])|\\([abfv])/g, (_, other?: string, name = '') => other ?? CONTROLS[name] ?? ''),
    'latin1',
  );
}

/** In Shift_JIS, a backslash can be the second half of a character: old programs require another one after it. */
function readable(text: string): string {
  if (!/charset=(?:cp932|s(?:hift_?)?jis)/i.test(text)) return text;
  const single = text.replace(/([\u0081-\u009f\u00e0-\u00fc][^])(\\?)/g, (_, pair: string, next: string) =>
    pair.endsWith('\\') ? pair : pair + next,
  );
  const decoded = iconv.decode(Buffer.from(single, 'latin1'), 'cp932');
  return Buffer.from(decoded.replace(/charset=[\w-]+/, 'charset=utf-8')).toString('latin1');
}

/** GNU msgfmt, whose binary catalogue is read back: only translated entries that are not fuzzy. */
export const gnuMsgfmt: Reader = {
  name: 'GNU msgfmt',
  lastWins: false,
  missing: () => (works('msgfmt', ['--version']) ? undefined : 'GNU gettext (Debian: gettext)'),
  read: (files) => files.map((file) => compile(file, [])),
};

/** GNU msgfmt with all of its checks. */
export const gnuMsgfmtCheck: Reader = {
  ...gnuMsgfmt,
  name: 'GNU msgfmt --check',
  read: (files) => files.map((file) => compile(file, ['--check'])),
};

function compile({ bytes }: Input, options: readonly string[]): Reading {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-msgfmt-'));
  try {
    const input = join(directory, 'input.po');
    writeFileSync(input, bytes);
    const run = spawnSync('msgfmt', [...options, '-o', '-', input], { timeout: 60_000, maxBuffer: 1 << 28 });
    if (run.error) throw run.error;
    if (run.status !== 0)
      return { refused: run.stderr.toString('latin1').replaceAll(`${directory}/`, '').trim() };
    // Nothing is written for a catalogue without a translation.
    if (run.stdout.length === 0) return { entries: [] };
    return { entries: [...entriesOf(mo.parse(run.stdout, 'utf-8').translations, 'text')] };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function* entriesOf(translations: Catalog['obsolete'], kind: string): Generator<Entry> {
  for (const [context, messages] of Object.entries(translations ?? {})) {
    for (const { msgid, msgid_plural: plural, msgstr } of Object.values(messages)) {
      const key = [context, msgid];
      if (plural !== undefined) yield { key, value: plural, kind: `${kind} plural` };
      for (const value of msgstr) yield { key, value, kind };
    }
  }
}
