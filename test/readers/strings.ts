import { fileURLToPath } from 'node:url';
import { readWith, works } from './process.ts';
import type { Reader } from './reader.ts';

const PROGRAM = fileURLToPath(new URL('read_strings.py', import.meta.url));

/** The reader of old-style property lists that font tools use. */
export const openStepPlist: Reader = {
  name: 'openstep-plist',
  lastWins: true,
  missing: () =>
    works('/usr/bin/python3', ['-c', 'import openstep_plist'])
      ? undefined
      : 'openstep-plist (Debian: python3-openstep-plist)',
  read: (files) => readWith('/usr/bin/python3', [PROGRAM], files),
};
