import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { readSmallText } from '../base/bounded-read.ts';
import { DragomanError } from '../base/errors.ts';
import type { Environment } from '../base/http/proxy.ts';

/**
 * The certificates to trust when some of the user's are among them: naming any replaces those that Node trusts by
 * itself, with those of NODE_EXTRA_CA_CERTS, so that these are named too. Undefined without a file.
 *
 * @throws DragomanError `unreadable_input` with the file.
 */
export async function readCertificates(
  caFile: string | undefined,
  env: Environment,
): Promise<readonly string[] | undefined> {
  if (caFile === undefined) return undefined;
  const own = await readPem(caFile);
  const extra = env['NODE_EXTRA_CA_CERTS'];
  // Node itself only warns of a file it cannot use.
  const others = extra ? await readPem(extra).catch(() => []) : [];
  return [...rootCertificates, ...others, ...own];
}

const CERTIFICATE = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]+-----END (?:TRUSTED )?CERTIFICATE-----/g;

async function readPem(path: string): Promise<readonly string[]> {
  const text = await readSmallText(path);
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0 || !certificates.every(isCertificate)) {
    throw new DragomanError('unreadable_input', 'is no file of certificates in PEM format').inFile(path);
  }
  return certificates;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
