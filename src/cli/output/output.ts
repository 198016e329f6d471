import { relative, sep } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { describe, DragomanError, traitsOf } from '../../base/errors.ts';
import { escapeWorkflowCommands, hasWorkflowCommand } from '../../base/workflow-command.ts';
import { type ExitCode, OK } from './exit-code.ts';
import { fittingLine, Progress, type ProgressView } from '../terminal/progress.ts';
import { escapeControls, type Terminal } from '../terminal/terminal.ts';
import { fitted } from '../terminal/word-wrap.ts';
import { columns } from '../terminal/table.ts';

export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Ends result paths with an unescaped NUL, because names may contain line breaks. */
  readonly print0?: boolean | undefined;
  /** Colours, for streams that show them. */
  readonly paint?: Paints | undefined;
}

/** The colours of the two streams, of which one may be a file. */
export interface Paints {
  readonly stdout?: Paint | undefined;
  readonly stderr?: Paint | undefined;
}

export type Paint = Readonly<Record<Tint, (text: string) => string>>;

type Tint = 'error' | 'warning' | 'success' | 'hint';

const asItIs = (text: string): string => text;
const PLAIN: Paint = { error: asItIs, warning: asItIs, success: asItIs, hint: asItIs };

/**
 * Colours for streams that are terminals, unless NO_COLOR is set. FORCE_COLOR enables both, unless it is 0. Loads Chalk
 * only if colours are used.
 */
export async function choosePaints({ stdout, stderr, env }: Terminal): Promise<Paints> {
  const forced = env['FORCE_COLOR'];
  const isForced = forced !== undefined && forced !== '0' && forced !== 'false';
  const isRefused = forced === undefined ? Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb' : !isForced;
  const has = ({ isTTY }: { readonly isTTY?: boolean }): boolean =>
    isForced || (isTTY === true && !isRefused);
  if (!has(stdout) && !has(stderr)) return {};
  const { Chalk } = await import('chalk');
  const { red, yellow, green, dim } = new Chalk({ level: 1 });
  const paint = { error: red, warning: yellow, success: green, hint: dim };
  return { stdout: has(stdout) ? paint : undefined, stderr: has(stderr) ? paint : undefined };
}

/** Without a terminal, how often a line shows that work continues. */
const LOG_MS = 10_000;
/** How often the line is redrawn, so that the remaining time counts down. */
const REDRAW_MS = 1_000;
/** The width of a spinner's character and the space after it. */
const SPINNER_COLUMNS = 2;

/** Shorter secrets could match ordinary words in messages; no server issues them. */
const MIN_SECRET = 8;

/**
 * @throws DragomanError `unwritable_output` for a text that a runner would execute, because translations must not be
 * changed
 */
export function requireContent(content: string | Uint8Array, { runner }: Terminal): void {
  if (!runner?.readsResult || !hasWorkflowCommand(content)) return;
  throw new DragomanError(
    'unwritable_output',
    'the translation has a line that a workflow runner would execute as a command',
    { hint: 'Write it to a file, with -o or by `> FILE`, or use --json.' },
  );
}

/** An error as a part of a document. */
export function errorDocument(error: DragomanError): object {
  return { code: error.code, message: describe(error), hint: error.hint ?? null };
}

/** Escapes control characters, which does not change the meaning of JSON. */
function escapeJson(json: string): string {
  return escapeWorkflowCommands(escapeControls(json));
}

/** Results go to stdout, everything else to stderr. */
export class Output {
  readonly options: OutputOptions;
  readonly #terminal: Terminal;
  readonly #secrets: string[] = [];
  /** The current directory as a path prefix. */
  readonly #below: RegExp;

  constructor(terminal: Terminal, options: OutputOptions) {
    this.#terminal = terminal;
    this.options = options;
    const directory = (terminal.cwd.endsWith(sep) ? terminal.cwd : terminal.cwd + sep).replace(
      /[^\w/]/g,
      '\\$&',
    );
    this.#below = new RegExp(`(^|[\\s"'(])${directory}(?=[^\\s])`, 'g');
  }

  get json(): boolean {
    return this.options.json;
  }

  /**
   * Removes a key from all later messages, even if a server or proxy repeats it. Results stay unchanged, because they
   * must be exact.
   */
  conceal(secret: string): void {
    if (secret.length >= MIN_SECRET) this.#secrets.push(secret);
  }

  /** Prints a line of the result. On a terminal, control characters are escaped. */
  result(line: string): void {
    const { stdout } = this.#terminal;
    stdout.write(`${stdout.isTTY ? escapeControls(line) : line}\n`);
  }

  /** Prints rows of the result in columns. On a terminal, a long last cell continues on the next line. */
  table(rows: readonly (readonly string[])[]): void {
    const width = this.#terminal.stdout.isTTY ? this.width : Infinity;
    for (const line of columns(rows, width)) this.result(line.trimEnd());
  }

  /** Prints a finding as a line of the result, with its severity coloured: `place: warning: text`. */
  finding(place: string, severity: 'error' | 'warning' | 'info', text: string): void {
    const tint = severity === 'info' ? 'hint' : severity;
    const painted = (this.options.paint?.stdout ?? PLAIN)[tint](`${severity}:`);
    const escape = this.#terminal.stdout.isTTY ? escapeControls : asItIs;
    this.#say(`${escape(place)}: ${painted} ${escape(text)}`);
  }

  /** Prints the result of a check as a line, with the word coloured: `ok: text`. */
  verdict(verdict: 'ok' | 'warning' | 'problem', text: string): void {
    const tint = ({ ok: 'success', warning: 'warning', problem: 'error' } as const)[verdict];
    const painted = (this.options.paint?.stdout ?? PLAIN)[tint](`${verdict}:`);
    this.#say(`${painted} ${escapeControls(this.redact(text))}`);
  }

  /** Prints a sentence of the result, wrapped on a terminal. */
  sentence(text: string): void {
    this.#say(escapeControls(this.redact(text)));
  }

  #say(text: string): void {
    const { stdout } = this.#terminal;
    stdout.write(`${fitted(text, stdout)}\n`);
  }

  /** Prints the path of a file as a line of the result. */
  path(absolute: string): void {
    if (this.options.print0) this.#terminal.stdout.write(`${this.shown(absolute)}\0`);
    else this.result(this.shown(absolute));
  }

  /** A path relative to the current directory, if that is shorter. */
  shown(absolute: string): string {
    const name = relative(this.#terminal.cwd, absolute);
    return name !== '' && name.length < absolute.length ? name : absolute;
  }

  /** The number of characters per result line; 80 if unknown. */
  get width(): number {
    return this.#terminal.stdout.columns || 80;
  }

  /** Prints the single JSON document of a `--json` run. */
  document(value: unknown): void {
    const { stdout } = this.#terminal;
    writeJson(value, (piece) => stdout.write(escapeJson(piece)));
    stdout.write('\n');
  }

  /** Ends a command: prints its result as a document with `--json`, otherwise by `print`. */
  answer(document: unknown, print: () => void): typeof OK {
    if (this.options.json) this.document(document);
    else print();
    return OK;
  }

  /** Prints a command for GitHub's runner as a line of the result. External text in it must be escaped. */
  command(line: string): void {
    const { runner } = this.#terminal;
    if (runner) runner.command(line, 'stdout');
    else this.result(line);
  }

  /** Prints one of several JSON documents, on one line. */
  record(value: unknown): void {
    this.#terminal.stdout.write(`${escapeJson(JSON.stringify(value))}\n`);
  }

  /**
   * Prints a translation as the result, byte for byte.
   *
   * @throws DragomanError `unwritable_output` in a workflow whose runner would execute a line of it
   */
  content(content: string | Uint8Array): void {
    requireContent(content, this.#terminal);
    this.#terminal.stdout.write(content);
  }

  /**
   * Prints a translation as a line of the result. Like {@link content}, except for control characters on a terminal.
   */
  translation(line: string): void {
    requireContent(line, this.#terminal);
    this.result(line);
  }

  /** Prints something the user should see during or after the work; silent with `--quiet`. */
  message(line: string): void {
    if (!this.options.quiet) this.#error(line);
  }

  /** Prints a success as a {@link message}. */
  success(line: string): void {
    if (!this.options.quiet) this.#error(line, this.#paint.success);
  }

  /** Prints a warning as a {@link message}. */
  warning(text: string, place?: string): void {
    const begin = place === undefined ? '' : `${place}: `;
    if (this.options.quiet) return;
    this.#write(`${this.#clean(begin)}${this.#paint.warning('warning:')} ${this.#clean(text)}`);
  }

  /** Prints a detail with `--verbose`. */
  detail(line: string): void {
    if (this.options.verbose) this.#error(line);
  }

  /** Prints an error, even with `--quiet`. */
  problem(line: string): void {
    this.#error(line);
  }

  /**
   * Reports an error that ends the command, and returns its exit code.
   *
   * @param done further fields for `--json`: the results of partly finished work
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
    this.#write(`${this.#paint.error('error:')} ${this.#clean(message)}`);
    if (advice !== null) this.#write(`  ${this.#paint.hint(this.#clean(advice))}`);
    return status;
  }

  /** A display of progress, which shows nothing before its first step. The caller stops it. */
  progress(): Progress {
    const { clock = systemClock } = this.#terminal;
    return new Progress(() => this.#openProgress(), clock);
  }

  async #openProgress(): Promise<ProgressView> {
    const { stderr, env } = this.#terminal;
    const isDrawn = stderr.isTTY === true && !this.options.quiet && !env['CI'] && env['TERM'] !== 'dumb';
    if (!isDrawn) {
      const draw = ([line = '']: readonly string[]): void => this.message(line);
      return { everyMs: LOG_MS, isRedrawn: false, draw, close: () => undefined };
    }
    // A pseudo-terminal without a size has no columns, and a spinner divides by them.
    if ('columns' in stderr && stderr.columns === 0) Object.assign(stderr, { columns: 80 });
    const { default: ora } = await import('ora');
    const spinner = ora({
      stream: stderr,
      discardStdin: false,
      color: this.options.paint?.stderr ? 'cyan' : false,
    });
    return {
      everyMs: REDRAW_MS,
      isRedrawn: true,
      draw: (lines) => {
        const cleaned = lines.map((line) => this.#clean(line));
        spinner.text = fittingLine(cleaned, (stderr.columns ?? 80) - SPINNER_COLUMNS);
        // Otherwise a step shorter than a spinner frame would never be shown.
        if (!spinner.isSpinning) spinner.start();
      },
      close: () => {
        // Stopping again would move the cursor away from the current output.
        if (spinner.isSpinning) spinner.stop();
      },
    };
  }

  #error(line: string, paint = asItIs): void {
    this.#write(paint(this.#clean(line)));
  }

  get #paint(): Paint {
    return this.options.paint?.stderr ?? PLAIN;
  }

  /** Text for standard error: without secrets and control characters, with paths relative to the current directory. */
  #clean(text: string): string {
    return escapeControls(this.redact(text)).replace(this.#below, '$1');
  }

  /** The text without secrets, for other outputs. */
  redact(text: string): string {
    return this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text);
  }

  #write(line: string): void {
    const { stderr } = this.#terminal;
    stderr.write(`${fitted(line, stderr)}\n`);
  }
}

/** Pieces are written when they reach this length. */
const PIECE = 1 << 16;

/**
 * Writes JSON like `JSON.stringify(value, null, 2)`, in pieces, because no string can hold a large document. Never
 * splits a text.
 *
 * @param value plain data that `JSON.stringify` can write
 */
export function writeJson(value: unknown, write: (piece: string) => void): void {
  let piece = '';
  const add = (text: string): void => {
    piece += text;
    if (piece.length < PIECE) return;
    write(piece);
    piece = '';
  };
  const addAll = (
    items: readonly (readonly [key: string, item: unknown])[],
    [open, close]: string,
    line: string,
  ): void => {
    items.forEach(([key, item], i) => {
      add(`${i === 0 ? open : ','}${line}  ${key}`);
      visit(item, `${line}  `);
    });
    add(items.length === 0 ? `${open}${close}` : `${line}${close}`);
  };
  const visit = (item: unknown, line: string): void => {
    if (Array.isArray(item)) {
      addAll(
        item.map((one: unknown) => ['', one ?? null] as const),
        '[]',
        line,
      );
    } else if (typeof item === 'object' && item !== null && !('toJSON' in item)) {
      const entries = Object.entries(item).filter(([, one]) => one !== undefined);
      addAll(
        entries.map(([key, one]) => [`${JSON.stringify(key)}: `, one] as const),
        '{}',
        line,
      );
    } else add(JSON.stringify(item));
  };
  visit(value, '\n');
  write(piece);
}
