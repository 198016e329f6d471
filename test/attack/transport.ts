import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect as connectSecurely, type SecureVersion } from 'node:tls';
import { generate } from 'selfsigned';
import { certificateFor, type Certificate } from '../webhooks/receiver.ts';
import type { AttackRow, Trial } from './row.ts';

/** TLS on both sides: a misconfigured server, and clients that are led to an impostor. */

const KEY = 'sk-very-secret-1';
const TEXT = ['translate', 'One', '-s', 'en', '-t', 'fr'];

interface Impostor {
  readonly url: string;
  /** All data received over TLS. */
  readonly heard: () => string;
}

/** Somebody with a certificate who tries to get a key. */
async function impostor({ room }: Trial, { key, cert }: Certificate): Promise<Impostor> {
  let heard = '';
  const server = createServer({ key, cert }, (request, response) => {
    heard += JSON.stringify(request.headers);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  room.onClose(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `https://localhost:${(server.address() as AddressInfo).port}`, heard: () => heard };
}

async function expired(): Promise<Certificate> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - 20 * 86_400_000),
    notAfterDate: new Date(Date.now() - 10 * 86_400_000),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  return { key, cert };
}

function filesOf({ room }: Trial, { key, cert }: Certificate): readonly [cert: string, key: string] {
  const directory = room.directory();
  const paths = [join(directory, 'cert.pem'), join(directory, 'key.pem')] as const;
  writeFileSync(paths[0], cert);
  writeFileSync(paths[1], key);
  chmodSync(paths[1], 0o600);
  return paths;
}

export const transportRows: readonly AttackRow[] = [
  {
    attack:
      'serve with the key of another certificate, invalid files, only one of the two options, pipes and files of 100 MB',
    expected: 'exit code 2; no part of a key is printed',
    async run(trial) {
      const { room } = trial;
      const [cert, key] = filesOf(trial, await certificateFor('localhost'));
      const [, other] = filesOf(trial, await certificateFor('localhost'));
      const large = join(room.directory(), 'large');
      writeFileSync(large, Buffer.alloc(100_000_000, 'x'));
      const pairs = [
        ['--tls-cert', cert, '--tls-key', other],
        ['--tls-cert', key, '--tls-key', cert],
        ['--tls-cert', cert, '--tls-key', '/dev/zero'],
        ['--tls-cert', cert, '--tls-key', large],
        ['--tls-cert', cert],
        ['--tls-key', key],
        ['--tls-cert', cert, '--tls-key', '/etc/passwd'],
      ];
      for (const pair of pairs) {
        const run = await room.run(
          ['serve', '--data-dir', room.directory(), '--port', '0', '--engine', 'pseudo', ...pair],
          { cwd: room.directory(), timeoutMs: 60_000 },
        );
        trial.holds(`serve ${pair.join(' ')} ends with an error`, run.code !== 0 && run.code !== null, run);
        trial.lacks('the message', run.stdout + run.stderr, /PRIVATE KEY|root:|\n\s+at /);
        trial.holds('it takes little memory', run.megabytes < 300, run.megabytes);
      }
      const open = await room.run(
        ['serve', '--data-dir', room.directory(), '--port', '0', '--host', '0.0.0.0', '--engine', 'pseudo'],
        { cwd: room.directory(), timeoutMs: 60_000 },
      );
      trial.equals('the exit code of plain HTTP for other machines', open.code, 2);
      return `${pairs.length + 1} refused`;
    },
  },
  {
    attack: 'clients that speak plain HTTP or an old version of TLS to a server with a certificate',
    expected: 'no request is answered',
    async run(trial) {
      const { room } = trial;
      const [cert, key] = filesOf(trial, await certificateFor('localhost', '127.0.0.1'));
      const server = await room.serve(['--tls-cert', cert, '--tls-key', key]);
      const port = Number(new URL(server.url).port);
      const plain = await new Promise<string>((resolve) => {
        let text = '';
        const socket = connect(port, '127.0.0.1', () =>
          socket.write(`GET /health HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${KEY}\r\n\r\n`),
        );
        socket.on('data', (part: Buffer) => (text += part.toString('latin1')));
        socket.on('error', () => undefined);
        socket.on('close', () => resolve(text));
      });
      trial.lacks('the answer to plain HTTP', plain, 'healthy');
      for (const version of ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const)
        trial.equals(`whether ${version} is spoken`, await speaks(port, version), version >= 'TLSv1.2');
      trial.lacks('the log', server.log(), KEY);
      return 'TLS 1.2 and 1.3 only';
    },
  },
  {
    attack:
      'a service whose certificate is expired, for another name, or from an unknown authority; settings of a checkout that trust it',
    expected: "it gets no key, regardless of the checkout's settings",
    async run(trial) {
      const { room } = trial;
      const own = await certificateFor('localhost', '127.0.0.1');
      const impostors = [own, await expired(), await certificateFor('other.example')];
      for (const certificate of impostors) {
        const { url, heard } = await impostor(trial, certificate);
        const home = room.checkout({
          '.config/dragoman/config.yaml': `profiles: {work: {baseUrl: "${url}"}}\n`,
        });
        const traps = {
          '.git/HEAD': '',
          'cert.pem': certificate.cert,
          '.env': 'NODE_TLS_REJECT_UNAUTHORIZED=0\nNODE_EXTRA_CA_CERTS=cert.pem\nDRAGOMAN_CA_FILE=cert.pem\n',
          '.npmrc': 'strict-ssl=false\ncafile=cert.pem\n',
          '.node-options': '--use-openssl-ca',
          'openssl.cnf': '',
        };
        for (const service of [
          `{profile: work}`,
          `{baseUrl: "${url}", caFile: cert.pem}`,
          `{profile: work, caFile: cert.pem}`,
        ]) {
          const cwd = room.checkout({ ...traps, 'dragoman.config.yaml': `service: ${service}\n` });
          const run = await room.run(TEXT, { cwd, env: { HOME: home, DRAGOMAN_API_KEY: KEY } });
          trial.holds(`service: ${service} is a failure`, run.code !== 0 && run.code !== null, run);
          trial.lacks('the output', run.stdout + run.stderr, KEY);
        }
        for (const unknown of ['insecure: true', 'rejectUnauthorized: false', 'verify: false']) {
          const cwd = room.checkout({
            ...traps,
            'dragoman.config.yaml': `service: {baseUrl: "${url}", ${unknown}}\n`,
          });
          trial.equals(`the exit code with ${unknown}`, (await room.run(TEXT, { cwd })).code, 2);
        }
        trial.equals('the data that the service received', heard(), '');
      }
      const { url, heard } = await impostor(trial, own);
      const [cert] = filesOf(trial, own);
      const armed = await room.run([...TEXT, '--base-url', url, '--ca-file', cert], {
        cwd: room.directory(),
        env: { DRAGOMAN_API_KEY: KEY },
      });
      trial.holds(
        'with a certificate that the user names, the service gets the key',
        heard().includes(KEY),
        armed,
      );
      return `${impostors.length} certificates`;
    },
  },
  {
    attack: 'a key for an address without TLS on another machine, which is named in every possible way',
    expected: 'exit code 2 before anything is sent',
    async run(trial) {
      const { room } = trial;
      const addresses = [
        'http://service.example',
        'http://192.0.2.1',
        'http://localhost.service.example',
        'http://127.0.0.1.service.example',
        'http://0x7f000001.example',
        'HTTP://Service.example',
        'http:service.example',
        'ftp://service.example',
        'https://user:pass@service.example',
      ];
      for (const address of addresses) {
        for (const [argv, env] of [
          [['--base-url', address], {}],
          [[], { DRAGOMAN_BASE_URL: address }],
        ] as const) {
          const run = await room.run([...TEXT, ...argv], {
            cwd: room.directory(),
            env: { ...env, DRAGOMAN_API_KEY: KEY },
          });
          trial.equals(`the exit code for ${address}`, run.code, 2);
          trial.holds('the command fails before a name is looked up', run.ms < 10_000, run.ms);
        }
      }
      return `${addresses.length} addresses`;
    },
  },
];

/** Whether a connection with this TLS version succeeds. */
function speaks(port: number, version: SecureVersion): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectSecurely(
      {
        port,
        host: '127.0.0.1',
        minVersion: version,
        maxVersion: version,
        rejectUnauthorized: false,
        ciphers: 'ALL:@SECLEVEL=0',
      },
      () => {
        socket.destroy();
        resolve(true);
      },
    );
    socket.on('error', () => resolve(false));
  });
}
