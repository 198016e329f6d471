import { execFile } from 'node:child_process';
import { withoutKeys } from '../../base/child-environment.ts';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 10_000;

/** `Apertium 3.8.3`, as the program says; undefined where it is not installed or does not answer. */
export function apertiumVersion(): Promise<string | undefined> {
  const options = {
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_BYTES,
    env: withoutKeys(process.env),
  } as const;
  return new Promise((resolve) => {
    execFile('apertium', ['-V'], options, (error, stdout) => {
      resolve(error ? undefined : /^Apertium [\w.+-]{1,40}$/m.exec(stdout)?.[0]);
    });
  });
}
