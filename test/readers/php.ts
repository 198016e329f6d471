import { fileURLToPath } from 'node:url';
import { readWith, works } from './process.ts';
import type { Reader } from './reader.ts';

const PROGRAM = fileURLToPath(new URL('read_php.php', import.meta.url));

/** PHP's own tokenizer, with the texts evaluated by PHP one by one: the files themselves are never executed. */
export const phpTokens: Reader = {
  name: 'PhpToken',
  lastWins: false,
  missing: () =>
    works('php', ['-r', 'exit(class_exists("PhpToken") ? 0 : 1);']) ? undefined : 'PHP (Debian: php-cli)',
  read: (files) => readWith('php', [PROGRAM], files),
};
