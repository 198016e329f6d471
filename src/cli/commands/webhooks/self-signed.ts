import { generate } from 'selfsigned';

const VALID_DAYS = 90;

export interface KeyPair {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
}

/**
 * A self-signed certificate only for this machine's own names: trusting it trusts nothing else, even if the key leaks.
 */
export async function createLocalCertificate(): Promise<KeyPair> {
  const now = Date.now();
  const day = 24 * 3_600_000;
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'dragoman webhooks listen' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    // Clocks of containers may differ from their host's.
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
