import { generate } from 'selfsigned';

const VALID_DAYS = 90;

export interface KeyPair {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
}

/**
 * A self-signed certificate for this machine's own names only, so that trusting it is harmless even if its key leaks.
 */
export async function createLocalCertificate(): Promise<KeyPair> {
  const now = Date.now();
  const day = 24 * 3_600_000;
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'dragoman webhooks listen' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    // The clock of a container may differ from its host's.
    notBeforeDate: new Date(now - day),
    notAfterDate: new Date(now + VALID_DAYS * day),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  return { key, cert };
}
