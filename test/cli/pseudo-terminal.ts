import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../docs/document.ts';

const BIN = join(ROOT, 'bin/dragoman.js');
const ROWS = 60;
/** A busy machine is no reason to fail. */
const LIMIT_MS = 45_000;

export const hasPseudoTerminals = spawnSync('script', ['--version']).status === 0;

export interface TerminalSession {
  readonly cwd: string;
  readonly columns: number;
  readonly env?: Readonly<Record<string, string>>;
  /** What is typed, each when the screen has the text before it. */
  readonly typed?: readonly (readonly [until: string, keys: string])[];
}

export interface TerminalResult {
  readonly exitCode: number | null;
  /** What is on the screen at the end, without the blanks at the ends of lines. */
  readonly screen: string;
  readonly hasColours: boolean;
}

/**
 * Runs the built program on a pseudo-terminal of script(1), with an empty HOME and no engine but the embedded one, types
 * answers and gives what a person sees in the end.
 */
export async function onTerminal(argv: readonly string[], session: TerminalSession): Promise<TerminalResult> {
  const { cwd, columns, env = {}, typed = [] } = session;
  const quoted = [process.execPath, BIN, ...argv].map(
    (word) => `'${word.replaceAll("'", String.raw`'\''`)}'`,
  );
  const command = `stty cols ${columns} rows ${ROWS}; exec ${quoted.join(' ')}`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: join(cwd, '.home'),
      TERM: 'xterm-256color',
      SHELL: '/bin/sh',
      APERTIUM_DATADIR: join(cwd, '.home'),
      ...env,
    },
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  const screen = new Screen(columns);
  const waiting = [...typed];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen.write(text);
    const [next] = waiting;
    if (!next || !screen.text.includes(next[0])) return;
    waiting.shift();
    child.stdin.write(next[1]);
  });
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(limit);
  if (waiting.length > 0) throw new Error(`"${waiting[0]?.[0]}" never came:\n${screen.text}`);
  return { exitCode, screen: screen.text, hasColours: screen.hasColours };
}

/** What a terminal shows that was written to, as far as this program writes. */
class Screen {
  readonly #columns: number;
  readonly #lines: string[][] = [[]];
  #row = 0;
  #column = 0;
  #rest = '';
  hasColours = false;

  constructor(columns: number) {
    this.#columns = columns;
  }

  get text(): string {
    return this.#lines
      .map((line) =>
        Array.from(line, (letter) => letter ?? ' ')
          .join('')
          .trimEnd(),
      )
      .join('\n')
      .trimEnd();
  }

  write(text: string): void {
    const parts = (this.#rest + text).match(/\x1b\[[0-9;?]*[A-Za-z]|\x1b(?:\[[0-9;?]*)?$|[^]/gu) ?? [];
    this.#rest = '';
    for (const part of parts) {
      if (part.startsWith('\x1b')) {
        if (/[A-Za-z]$/.test(part)) this.#control(part);
        else this.#rest = part;
      } else if (part === '\n') this.#moveTo(this.#row + 1);
      else if (part === '\r') this.#column = 0;
      else this.#put(part);
    }
  }

  #put(letter: string): void {
    if (this.#column === this.#columns) {
      this.#moveTo(this.#row + 1);
      this.#column = 0;
    }
    const line = this.#lines[this.#row] ?? [];
    line[this.#column++] = letter;
  }

  #moveTo(row: number): void {
    this.#row = Math.max(0, row);
    while (this.#lines.length <= this.#row) this.#lines.push([]);
  }

  #control(sequence: string): void {
    const count = Number(/\d+/.exec(sequence)?.[0] ?? 1);
    const line = this.#lines[this.#row] ?? [];
    switch (sequence.at(-1) ?? '') {
      case 'A':
        return this.#moveTo(this.#row - count);
      case 'B':
        return this.#moveTo(this.#row + count);
      case 'D':
        this.#column = Math.max(0, this.#column - count);
        return undefined;
      case 'G':
        this.#column = count - 1;
        return undefined;
      case 'J':
        line.length = Math.min(line.length, this.#column);
        this.#lines.length = this.#row + 1;
        return undefined;
      case 'K':
        if (sequence === '\x1b[2K') line.length = 0;
        else line.length = Math.min(line.length, this.#column);
        return undefined;
      case 'm':
        this.hasColours ||= count >= 30 && count !== 39;
        return undefined;
      case 'h':
      case 'l':
        // The cursor is hidden and shown.
        return undefined;
      default:
        throw new Error(`a sequence that this terminal does not know: ${JSON.stringify(sequence)}`);
    }
  }
}
