import { ProcessGroup } from '../../workers/process-group.ts';
import type { Terminal } from '../terminal.ts';
import type { WebhookEvent } from './event-receiver.ts';
import { SECRET_VARIABLE } from './secrets.ts';

/** For one event. */
const COMMAND_MS = 60_000;

/**
 * Runs a command line of the user's for an event: the payload is its input, `DRAGOMAN_JOB_ID` and `DRAGOMAN_JOB_STATUS`
 * are in its environment, and nothing of the event is in the command line. What it prints goes to standard error, since
 * standard output has the events. The variables with keys stay: the user names the command to have it fetch results with
 * dragoman. Gives why it failed; undefined when it ended with 0.
 */
export async function runEventCommand(
  command: string,
  { payload, body }: WebhookEvent,
  { env, stderr, signal }: Terminal,
  timeoutMs: number = COMMAND_MS,
): Promise<string | undefined> {
  const { [SECRET_VARIABLE]: _secret, ...inherited } = env;
  const variables = { DRAGOMAN_JOB_ID: payload.job_id, DRAGOMAN_JOB_STATUS: payload.status };
  const show = (text: string | Uint8Array): void => {
    stderr.write(text);
  };
  const program = { file: command, args: [], shell: true, env: { ...inherited, ...variables } };
  const group = new ProcessGroup(program, show, show);
  const stop = (): void => {
    void group.terminate();
  };
  signal.addEventListener('abort', stop);
  const started = performance.now();
  group.write(body);
  await group.finish(timeoutMs);
  signal.removeEventListener('abort', stop);
  const { exitCode } = await group.ended;
  if (signal.aborted) return 'the command was interrupted';
  if (exitCode === 0) return undefined;
  if (performance.now() - started >= timeoutMs) {
    return `the command did not end within ${timeoutMs / 1000} seconds`;
  }
  return `the command ended with ${exitCode === undefined ? 'a signal' : `exit code ${exitCode}`}`;
}
