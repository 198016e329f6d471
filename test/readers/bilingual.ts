import { fileURLToPath } from 'node:url';
import { readWith, works } from './process.ts';
import type { Reader } from './reader.ts';

const PROGRAM = fileURLToPath(new URL('read_bilingual.py', import.meta.url));

/** lxml, a general XML parser: the Python script defines how to read the formats. */
export function lxml(format: 'xliff' | 'qt'): Reader {
  return {
    name: 'lxml',
    lastWins: false,
    missing: () =>
      works('/usr/bin/python3', ['-c', 'import lxml']) ? undefined : 'lxml (Debian: python3-lxml)',
    read: (files) => readWith('/usr/bin/python3', [PROGRAM, format], files),
  };
}
