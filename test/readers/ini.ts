import { fileURLToPath } from 'node:url';
import { readWith, works } from './process.ts';
import type { Reader } from './reader.ts';

const PROGRAM = fileURLToPath(new URL('read_ini.py', import.meta.url));

/** Python's reader; it leaves quotes to the program that uses it. */
export const configparser: Reader = {
  name: 'configparser',
  lastWins: true,
  missing: () => (works('python3', ['-c', 'import configparser']) ? undefined : 'Python 3 (Debian: python3)'),
  read: (files) => readWith('python3', [PROGRAM], files),
};
