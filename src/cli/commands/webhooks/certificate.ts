import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readSmallText } from '../../../base/bounded-read.ts';
import { DragomanError } from '../../../base/errors.ts';
import { systemError } from '../../../base/system-error.ts';
import { cacheDirectory } from '../../../base/user-directories.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { KeyPair } from './self-signed.ts';

export interface CertificateFlags {
  readonly cert?: string;
  readonly key?: string;
}

export interface LocalCertificate extends KeyPair {
  /** The certificate that senders must trust; undefined if the user named one. */
  readonly caFile: string | undefined;
}

/** A certificate that expires tomorrow could expire during use. */
const MIN_VALID_MS = 24 * 3_600_000;

/**
 * `--cert` and `--key`, otherwise a certificate for this machine. It is stored, so that a server that trusts it need
 * not be restarted for the next receiver.
 *
 * @throws DragomanError `usage`, `unreadable_input`, or `unwritable_output` if it cannot be stored
 */
export async function loadCertificate(
  { cert, key }: CertificateFlags,
  { env, cwd }: Terminal,
): Promise<LocalCertificate> {
  if ((cert === undefined) !== (key === undefined)) {
    throw new DragomanError('usage', '--cert and --key go together');
  }
  if (cert !== undefined && key !== undefined) {
    const pair = {
      cert: await readSmallText(resolve(cwd, cert)),
      key: await readSmallText(resolve(cwd, key)),
    };
    if (!isPair(pair)) {
      throw new DragomanError(
        'unreadable_input',
        `${cert} and ${key} are not a certificate and its matching key (PEM)`,
      );
    }
    return { ...pair, caFile: undefined };
  }
  const cache = cacheDirectory(env);
  if (cache === undefined) {
    throw new DragomanError('usage', 'there is no directory to keep a certificate in', {
      hint: 'Name your own certificate with --cert and --key, or set XDG_CACHE_HOME.',
    });
  }
  return keptCertificate(join(cache, 'webhooks'));
}

async function keptCertificate(directory: string): Promise<LocalCertificate> {
  const caFile = join(directory, 'localhost.pem');
  const keyFile = join(directory, 'localhost-key.pem');
  const kept = {
    cert: await readSmallText(caFile).catch(() => ''),
    key: await readSmallText(keyFile).catch(() => ''),
  };
  if (isPair(kept) && Date.parse(new X509Certificate(kept.cert).validTo) > Date.now() + MIN_VALID_MS)
    return { ...kept, caFile };
  const { createLocalCertificate } = await import('./self-signed.ts');
  const made = await createLocalCertificate();
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeFile(keyFile, made.key, { mode: 0o600 });
    await writeFile(caFile, made.cert);
  } catch (error) {
    throw systemError(
      'unwritable_output',
      `write to ${directory}`,
      error,
      'Name your own certificate with --cert and --key.',
    );
  }
  return { ...made, caFile };
}

function isPair({ cert, key }: KeyPair): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}
