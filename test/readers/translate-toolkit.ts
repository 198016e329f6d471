import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readWith, works } from './process.ts';
import type { Reader } from './reader.ts';

const PROGRAM = fileURLToPath(new URL('read_tmx.py', import.meta.url));

/** The Translate Toolkit, which reads TMX as plain texts, including the code of inline elements. */
export const translateToolkit: Reader & { write(units: readonly (readonly [string, string])[]): Buffer } = {
  name: 'Translate Toolkit',
  lastWins: false,
  missing: () =>
    works('/usr/bin/python3', ['-c', 'from translate.storage import tmx'])
      ? undefined
      : 'the Translate Toolkit (Debian: python3-translate)',
  read: (files) => readWith('/usr/bin/python3', [PROGRAM], files),
  write(units) {
    const { stdout } = spawnSync('/usr/bin/python3', [PROGRAM], {
      input: JSON.stringify([{ units }]),
      encoding: 'utf8',
      timeout: 60_000,
    });
    const [written]: readonly [{ readonly data: string }] = JSON.parse(stdout);
    return Buffer.from(written.data, 'base64');
  },
};
