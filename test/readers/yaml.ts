import { fileURLToPath } from 'node:url';
import { readWith, works } from './process.ts';
import type { Reader } from './reader.ts';

const PROGRAM = fileURLToPath(new URL('read_yaml.py', import.meta.url));

/** PyYAML, which reads YAML 1.1. */
export const pyYaml: Reader = {
  name: 'PyYAML',
  lastWins: false,
  missing: () =>
    works('/usr/bin/python3', ['-c', 'import yaml']) ? undefined : 'PyYAML (Debian: python3-yaml)',
  read: (files) => readWith('/usr/bin/python3', [PROGRAM], files),
};
