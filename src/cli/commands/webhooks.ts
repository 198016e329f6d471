import { resolve } from 'node:path';
import { closing } from '../../base/closing.ts';
import { readSmallText } from '../../base/bounded-read.ts';
import { DragomanError } from '../../base/errors.ts';
import { requireSecret } from '../../webhooks/signature.ts';
import { ProcessGroup } from '../../workers/process-group.ts';
import type { CommandContext, CommandGroup, CommandModule } from '../output/command.ts';
import { type ExitCode, INTERRUPTED } from '../output/exit-code.ts';
import { addStoreOptions, type StoreOptions } from '../options/store.ts';
import { positiveNumber, portNumber } from '../options/engine.ts';
import { addDryRunOption, type DryRunFlags } from '../options/dry-run.ts';
import { readStandardBytes } from '../terminal/input.ts';
import { exitCodeOfJobs, jobLine } from '../documents/jobs/download.ts';
import { withStore } from '../execution/open-store.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type LocalCertificate, loadCertificate } from './webhooks/certificate.ts';
import { startEventReceiver, type WebhookEvent } from './webhooks/event-receiver.ts';

export const webhooks: CommandGroup = {
  examples: [
    ['dragoman webhooks listen --secret-file secret.txt', 'a line for every job that ends'],
    ['dragoman webhooks listen --once --json', 'wait for one event and print its payload'],
  ],

  commands: [
    {
      name: 'listen',
      summary: 'an HTTPS receiver on this machine: verifies signatures, prints events, runs a command',
      load: () => listenCommand,
    },
    {
      name: 'redeliver',
      summary: 'have a server call the webhook of a job again',
      load: () => redeliverCommand,
    },
  ],
};

const DEFAULT_PORT = 8788;

interface ListenerFlags {
  readonly port: number;
  readonly secretFile?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly exec?: string;
  readonly once?: boolean;
  /** Seconds. */
  readonly timeout?: number;
}

const listenCommand: CommandModule<ListenerFlags> = {
  examples: [
    [
      'DRAGOMAN_WEBHOOK_SECRET=$(dragoman keys webhook-secret --email anna@example.org) dragoman webhooks listen',
      'a line for every job of the account that ends; with --json, a line of JSON',
    ],
    [
      `dragoman webhooks listen --secret-file secret.txt --once --exec 'dragoman jobs download "$DRAGOMAN_JOB_ID"'`,
      'wait for a job and fetch its files',
    ],
  ],
  configure(command) {
    command
      .option(
        '--port <n>',
        'the port to listen on at 127.0.0.1; 0 picks a free one',
        portNumber,
        DEFAULT_PORT,
      )
      .option('--secret-file <file>', 'file with the secrets to verify with; - for standard input')
      .option('--cert <file>', 'a certificate (PEM) instead of one for this machine')
      .option('--key <file>', 'the key of --cert')
      .option('--exec <command>', 'run a command for each event, with the payload as its input')
      .option('--once', 'end after the first event, with the exit code of its job: 0, 7 partial, 1 failed')
      .option('--timeout <seconds>', 'exit with 6 if no event arrives within this time', positiveNumber);
  },

  async run(_args, flags, context) {
    const { terminal } = context;
    if (flags.exec?.trim() === '') throw new DragomanError('usage', '--exec requires a command');
    const secrets = await readSecrets(flags.secretFile, terminal);
    const certificate = await loadCertificate(flags, terminal);
    const inbox = new Inbox({ once: flags.once === true });
    const receiver = await startEventReceiver({
      ...certificate,
      port: flags.port,
      secrets,
      onEvent: (event) => inbox.offer(event),
      onOther: (what) => context.output.message(what),
    });
    return closing(receiver, ({ url }) => {
      sayHow(url, certificate, context);
      return handleEvents(inbox, flags, context);
    });
  },
};

function sayHow(url: string, { caFile }: LocalCertificate, { output }: CommandContext): void {
  output.message(`dragoman listening on ${url}`);
  if (caFile !== undefined) {
    output.message(`the server has to trust its certificate: NODE_EXTRA_CA_CERTS=${caFile}`);
  }
  output.message('and needs permission to call this machine: dragoman serve --webhook-allow-private');
}

async function handleEvents(inbox: Inbox, flags: ListenerFlags, context: CommandContext): Promise<ExitCode> {
  const { signal } = context.terminal;
  for (;;) {
    const event = await inbox.next(signal, flags.timeout);
    if (event === undefined) {
      if (signal.aborted) return INTERRUPTED;
      throw new DragomanError('unreachable', `no event arrived within ${flags.timeout} seconds`);
    }
    const failure = await handleEvent(event, flags.exec, context);
    if (signal.aborted) return INTERRUPTED;
    if (flags.once) return failure === undefined ? exitCodeOfJobs([event.payload]) : 1;
  }
}

/** Returns why the command for the event failed. */
async function handleEvent(
  event: WebhookEvent,
  command: string | undefined,
  { terminal, output }: CommandContext,
): Promise<string | undefined> {
  // More events may follow, so each is printed as a document on its own line.
  if (output.json) output.record(event.payload);
  else output.result(jobLine(event.payload.job));
  if (command === undefined) return undefined;
  const failure = await runEventCommand(command, event, terminal);
  if (failure !== undefined) output.problem(`${event.payload.job_id}: ${failure}`);
  return failure;
}

/** Commands can be slower than events. Senders retry if their events are refused. */
const MAX_WAITING = 100;

/** Acknowledged events, which are handled one after the other. */
export class Inbox {
  readonly #once: boolean;
  readonly #waiting: WebhookEvent[] = [];
  #taken = 0;
  #notify: () => void = () => undefined;

  /** @param once whether only one event is expected */
  constructor({ once }: { readonly once: boolean }) {
    this.#once = once;
  }

  /** Returns false if the inbox is full. */
  offer(event: WebhookEvent): boolean {
    if (this.#waiting.length >= MAX_WAITING || (this.#once && this.#taken > 0)) return false;
    this.#taken++;
    this.#waiting.push(event);
    this.#notify();
    return true;
  }

  /** The next event; undefined if `signal` aborts or the time is up first. */
  async next(signal: AbortSignal, timeoutSeconds?: number): Promise<WebhookEvent | undefined> {
    if (this.#waiting.length === 0 && !signal.aborted) await this.#change(signal, timeoutSeconds);
    return signal.aborted ? undefined : this.#waiting.shift();
  }

  #change(signal: AbortSignal, timeoutSeconds: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.#notify = () => undefined;
        resolve();
      };
      const timer = timeoutSeconds === undefined ? undefined : setTimeout(done, timeoutSeconds * 1000);
      signal.addEventListener('abort', done);
      this.#notify = done;
    });
  }
}

/** Time limit for the command of one event. */
const COMMAND_MS = 60_000;

/**
 * Runs a user's command line for an event. The payload is its input, and its environment has `DRAGOMAN_JOB_ID` and
 * `DRAGOMAN_JOB_STATUS`; its arguments contain no event data. Its output goes to standard error, because standard
 * output has the events. API key variables are kept, because the command may fetch results with dragoman. Returns the
 * reason for a failure; undefined for exit code 0.
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

/** A variable rather than an option, because every user of the machine can read options in the process list. */
const SECRET_VARIABLE = 'DRAGOMAN_WEBHOOK_SECRET';

/**
 * The senders' secrets: the lines of `--secret-file` (`-` is standard input), otherwise the variable.
 *
 * @throws DragomanError `usage` without any, `unreadable_input`, or `configuration` for an invalid one
 */
async function readSecrets(secretFile: string | undefined, terminal: Terminal): Promise<readonly string[]> {
  const text =
    secretFile === undefined ? terminal.env[SECRET_VARIABLE] : await readSecretFile(secretFile, terminal);
  const secrets = (text ?? '').split(/\s+/).filter((secret) => secret !== '');
  if (secrets.length === 0) {
    const where = secretFile === undefined ? `${SECRET_VARIABLE} is not set` : `${secretFile} is empty`;
    throw new DragomanError('usage', `there is no secret to verify signatures with: ${where}`, {
      hint: `dragoman keys webhook-secret --email E prints an account's secret; set ${SECRET_VARIABLE} or use --secret-file.`,
    });
  }
  for (const secret of secrets) requireSecret(secret);
  return secrets;
}

async function readSecretFile(path: string, terminal: Terminal): Promise<string> {
  if (path === '-') return Buffer.from(await readStandardBytes(terminal)).toString();
  return readSmallText(resolve(terminal.cwd, path));
}

const redeliverCommand: CommandModule<StoreOptions & DryRunFlags> = {
  examples: [
    [
      'dragoman webhooks redeliver 0b1c8f5e-4c1d-4f0a-9d37-0e8a3a3f2b11',
      'have the server call the webhook of the job again',
    ],
    [
      'dragoman webhooks redeliver --data-dir ./data 0b1c8f5e-4c1d-4f0a-9d37-0e8a3a3f2b11 --json',
      'the same for the server of a directory',
    ],
  ],
  configure(command) {
    command.argument('<job>', "the job's id");
    addStoreOptions(command);
    addDryRunOption(command, 'only check whether there is a webhook to call');
  },

  async run([job = ''], options, { terminal, output }) {
    const { dryRun } = options;
    const id = job.toLowerCase();
    const isQueued = await withStore(options, terminal, (_, store) =>
      dryRun ? store.hasDelivery(id) : store.redeliver(id, Date.now()),
    );
    if (!isQueued) {
      throw new DragomanError('not_found', `no webhook call is recorded for job ${job}`, {
        hint: 'Webhooks are only called for jobs that were created with webhook_url and have ended.',
      });
    }
    const document = { ...(dryRun && { dry_run: true }), job_id: id, webhook: 'pending' };
    return output.answer(document, () =>
      output.message(
        dryRun
          ? 'The server would call the webhook again.'
          : 'The server calls the webhook again within 5 seconds, or when it starts.',
      ),
    );
  },
};
