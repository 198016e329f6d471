import { resolve } from 'node:path';
import { readSmallText } from '../../base/bounded-read.ts';
import { DragomanError } from '../../base/errors.ts';
import { requireSecret } from '../../webhooks/signature.ts';
import { readStandardBytes } from '../input.ts';
import type { Terminal } from '../terminal.ts';

/** Not an option: every user of the machine could read it in the list of processes. */
export const SECRET_VARIABLE = 'DRAGOMAN_WEBHOOK_SECRET';

/**
 * What senders sign with: the lines of `--secret-file` (`-` is standard input), else the variable.
 *
 * @throws DragomanError `usage` without any, `unreadable_input`, or `configuration` for one that is none.
 */
export async function readSecrets(
  secretFile: string | undefined,
  terminal: Terminal,
): Promise<readonly string[]> {
  const text =
    secretFile === undefined ? terminal.env[SECRET_VARIABLE] : await readSecretFile(secretFile, terminal);
  const secrets = (text ?? '').split(/\s+/).filter((secret) => secret !== '');
  if (secrets.length === 0) {
    const where = secretFile === undefined ? `${SECRET_VARIABLE} is not set` : `${secretFile} is empty`;
    throw new DragomanError('usage', `there is no secret to verify signatures with: ${where}`, {
      hint: `dragoman keys webhook-secret --email E prints that of an account; set ${SECRET_VARIABLE} or use --secret-file.`,
    });
  }
  for (const secret of secrets) requireSecret(secret);
  return secrets;
}

async function readSecretFile(path: string, terminal: Terminal): Promise<string> {
  if (path === '-') return Buffer.from(await readStandardBytes(terminal)).toString();
  return readSmallText(resolve(terminal.cwd, path));
}
