import { generate } from 'selfsigned';

const VALID_DAYS = 90;

export interface KeyPair {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
}

/**
 * A certificate for this machine's own names and no others, which is its own authority: who trusts it trusts it for
 * nothing else, even when the key gets into wrong hands.
 */
export async function createLocalCertificate(): Promise<KeyPair> {
  const now = Date.now();
  const day = 24 * 3_600_000;
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'dragoman webhooks listen' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    // Clocks of containers are not always that of their host.
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
