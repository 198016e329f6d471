import { fileURLToPath } from 'node:url';
import { readWith, works } from './process.ts';
import type { Reader } from './reader.ts';

const PROGRAM = fileURLToPath(new URL('read_xml.py', import.meta.url));

/** Expat, with the escapes of Android resources read by a small model of aapt2. */
export const expat: Reader = {
  name: 'expat',
  lastWins: false,
  missing: () => (works('/usr/bin/python3', ['-c', 'import pyexpat']) ? undefined : 'Python 3'),
  read: (files) => readWith('/usr/bin/python3', [PROGRAM], files),
};

/** The notation in which the reader reports text. */
export function xmlText(text: string): string {
  return text.replace(/[&<>]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : '&gt;'));
}
