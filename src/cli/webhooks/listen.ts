import { InvalidArgumentError, Option } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import type { CommandContext, CommandModule } from '../command.ts';
import { positive } from '../engine-options.ts';
import { addExamples } from '../examples.ts';
import { INTERRUPTED, type ExitCode } from '../exit-code.ts';
import { exitCodeOfJobs, jobLine } from '../jobs/report.ts';
import { loadCertificate, type Certificate } from './certificate.ts';
import { startEventReceiver, type WebhookEvent } from './event-receiver.ts';
import { runEventCommand } from './event-command.ts';
import { Inbox } from './inbox.ts';
import { readSecrets } from './secrets.ts';

const DEFAULT_PORT = 8788;

interface Flags {
  readonly port: number;
  readonly secretFile?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly exec?: string;
  readonly once?: boolean;
  /** Seconds. */
  readonly timeout?: number;
}

export const listen: CommandModule<Flags> = {
  configure(command) {
    command
      .addOption(
        new Option('--port <n>', 'where to listen on 127.0.0.1; 0 takes a free port')
          .argParser(portNumber)
          .default(DEFAULT_PORT),
      )
      .option('--secret-file <file>', 'secrets to verify with, - for standard input')
      .option('--cert <file>', 'a certificate (PEM) instead of one for this machine')
      .option('--key <file>', 'the key of --cert')
      .option('--exec <command>', 'run a command for each event, with the payload as its input')
      .option('--once', 'end after the first event, with the exit code of its job: 0, 7 partial, 1 failed')
      .addOption(
        new Option('--timeout <seconds>', 'end with 6 when no event comes in this time').argParser(positive),
      );
    addExamples(command, [
      [
        'DRAGOMAN_WEBHOOK_SECRET=$(dragoman keys webhook-secret --email anna@example.org) dragoman webhooks listen',
        'a line for every job of the account that ends; with --json a line of JSON',
      ],
      [
        `dragoman webhooks listen --secret-file secret.txt --once --exec 'dragoman jobs download "$DRAGOMAN_JOB_ID"'`,
        'wait for a job and fetch its files',
      ],
    ]);
  },

  async run(_args, flags, context) {
    const { terminal } = context;
    if (flags.exec?.trim() === '') throw new DragomanError('usage', '--exec names no command');
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
    try {
      sayHow(receiver.url, certificate, context);
      return await handleEvents(inbox, flags, context);
    } finally {
      await receiver.close();
    }
  },
};

function sayHow(url: string, { caFile }: Certificate, { output }: CommandContext): void {
  output.message(`dragoman listening on ${url}`);
  if (caFile !== undefined) {
    output.message(`the server has to trust its certificate: NODE_EXTRA_CA_CERTS=${caFile}`);
  }
  output.message('and may call this machine only with: dragoman serve --webhook-allow-private');
}

async function handleEvents(inbox: Inbox, flags: Flags, context: CommandContext): Promise<ExitCode> {
  const { signal } = context.terminal;
  for (;;) {
    const event = await inbox.next(signal, flags.timeout);
    if (event === undefined) {
      if (signal.aborted) return INTERRUPTED;
      throw new DragomanError('unreachable', `no event came within ${flags.timeout} seconds`);
    }
    const failure = await handleEvent(event, flags.exec, context);
    if (signal.aborted) return INTERRUPTED;
    if (flags.once) return failure === undefined ? exitCodeOfJobs([event.payload]) : 1;
  }
}

/** Gives why the command for it failed. */
async function handleEvent(
  event: WebhookEvent,
  command: string | undefined,
  { terminal, output }: CommandContext,
): Promise<string | undefined> {
  // There is no last event, unless it is the only one: every line is a document.
  if (output.json) output.record(event.payload);
  else output.result(jobLine(event.payload.job));
  if (command === undefined) return undefined;
  const failure = await runEventCommand(command, event, terminal);
  if (failure !== undefined) output.problem(`${event.payload.job_id}: ${failure}`);
  return failure;
}

function portNumber(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError('It takes a number from 0 to 65535.');
}
