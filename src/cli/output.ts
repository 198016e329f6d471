import { describe, DragomanError, traitsOf } from '../base/errors.ts';
import { escapeWorkflowCommands, hasWorkflowCommand } from '../base/workflow-command.ts';
import type { ExitCode } from './exit-code.ts';
import { escapeControls, type Terminal } from './terminal.ts';

export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Colours for a terminal. */
  readonly paint?: Paint | undefined;
}

export interface Paint {
  readonly error: (text: string) => string;
  readonly hint: (text: string) => string;
}

const PLAIN: Paint = { error: (text) => text, hint: (text) => text };

/** Colours if standard error is a terminal and NO_COLOR is not set. Loads nothing otherwise. */
export async function choosePaint({ stderr, env }: Terminal): Promise<Paint | undefined> {
  if (stderr.isTTY !== true || env['NO_COLOR'] || env['TERM'] === 'dumb') return undefined;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  return { error: chalk.red, hint: chalk.dim };
}

/** A line on stderr that is redrawn while work goes on. Draws nothing unless stderr is a terminal. */
export interface Progress {
  /** Whether anything is drawn. */
  readonly draws: boolean;
  update(text: string): void;
  /** The beginning of a long step: a line of its own where nothing is drawn, so that a log shows that work goes on. */
  begin(text: string): void;
  stop(): void;
}

/** Shorter ones are words that may stand in any message; no server gives them out. */
const MIN_SECRET = 8;

/** @throws DragomanError `unwritable_output` for what a runner would obey: a translation is not changed for it. */
export function requireContent(content: string | Uint8Array, { runner }: Terminal): void {
  if (!runner?.readsResult || !hasWorkflowCommand(content)) return;
  throw new DragomanError(
    'unwritable_output',
    "the translation has a line that GitHub's runner would take for a command",
    { hint: 'Write it to a file, with -o or by `> FILE`, or use --json.' },
  );
}

function jsonText(value: unknown, indent?: number): string {
  return escapeWorkflowCommands(escapeControls(JSON.stringify(value, null, indent)));
}

/** Results go to stdout, everything else to stderr. */
export class Output {
  readonly options: OutputOptions;
  readonly #terminal: Terminal;
  readonly #secrets: string[] = [];

  constructor(terminal: Terminal, options: OutputOptions) {
    this.#terminal = terminal;
    this.options = options;
  }

  get json(): boolean {
    return this.options.json;
  }

  /**
   * Removes a key from all later messages, also if a server or a proxy repeats it. Results are left
   * as they are: nothing in them may be guessed away.
   */
  conceal(secret: string): void {
    if (secret.length >= MIN_SECRET) this.#secrets.push(secret);
  }

  /** A line of the result; control characters are escaped where a terminal would obey them. */
  result(line: string): void {
    const { stdout } = this.#terminal;
    stdout.write(`${stdout.isTTY ? escapeControls(line) : line}\n`);
  }

  /** The one JSON document of a `--json` run. Escaped control characters mean the same in JSON. */
  document(value: unknown): void {
    this.#terminal.stdout.write(`${jsonText(value, 2)}\n`);
  }

  /** A command for GitHub's runner as a line of the result. What comes from outside has to be escaped in it. */
  command(line: string): void {
    const { runner } = this.#terminal;
    if (runner) runner.command(line, 'stdout');
    else this.result(line);
  }

  /** One JSON document of several, on a line. */
  record(value: unknown): void {
    this.#terminal.stdout.write(`${jsonText(value)}\n`);
  }

  /**
   * A translation as the result, byte for byte.
   *
   * @throws DragomanError `unwritable_output` in a workflow whose runner would obey a line of it.
   */
  content(content: string | Uint8Array): void {
    requireContent(content, this.#terminal);
    this.#terminal.stdout.write(content);
  }

  /** A translation as a line of the result; like {@link content}, but for control characters on a terminal. */
  translation(line: string): void {
    requireContent(line, this.#terminal);
    this.result(line);
  }

  /** Something the user should see while or after the work; silent with `--quiet`. */
  message(line: string): void {
    if (!this.options.quiet) this.#error(line);
  }

  /** Detail for `--verbose`. */
  detail(line: string): void {
    if (this.options.verbose) this.#error(line);
  }

  /** Something that went wrong: never silent. */
  problem(line: string): void {
    this.#error(line);
  }

  /**
   * Tells the user of an error that ends the command, and gives the exit code for it.
   *
   * @param done what a `--json` document has beside the error: results of a command that did a part of its work
   */
  failure(error: DragomanError, done: object = {}): ExitCode {
    const { code, hint } = error;
    const status = traitsOf(error).exitCode;
    const message = this.redact(describe(error));
    const advice = hint === undefined ? null : this.redact(hint);
    if (this.options.json) {
      this.document({ ...done, error: { code, message, hint: advice, status: error.status ?? null } });
      return status;
    }
    const { error: painted, hint: dimmed } = this.options.paint ?? PLAIN;
    this.#write(`${painted('error:')} ${escapeControls(message)}`);
    if (advice !== null) this.#write(`  ${dimmed(escapeControls(advice))}`);
    return status;
  }

  async progress(): Promise<Progress> {
    const { stderr, env } = this.#terminal;
    const draws = stderr.isTTY === true && !this.options.quiet && !env['CI'] && env['TERM'] !== 'dumb';
    const begin = (text: string): void => this.message(text);
    if (!draws) return { draws, update: () => undefined, begin, stop: () => undefined };
    // A pseudo-terminal without a size has no columns, and a spinner divides by them.
    if ('columns' in stderr && stderr.columns === 0) Object.assign(stderr, { columns: 80 });
    const { default: ora } = await import('ora');
    const spinner = ora({ stream: stderr, discardStdin: false }).start();
    const update = (text: string): void => {
      spinner.text = escapeControls(text);
    };
    return {
      draws,
      update,
      begin: (text) => {
        update(text);
        // A step shorter than a frame of the spinner would never show.
        spinner.render();
      },
      stop: () => {
        spinner.stop();
      },
    };
  }

  #error(line: string): void {
    this.#write(escapeControls(this.redact(line)));
  }

  /** The text without what is concealed, for where else it is shown. */
  redact(text: string): string {
    return this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text);
  }

  #write(line: string): void {
    this.#terminal.stderr.write(`${line}\n`);
  }
}
