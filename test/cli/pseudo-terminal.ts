import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../docs/document.ts';

const BIN = join(ROOT, 'bin/dragoman.js');
const ROWS = 60;
/** Generous, so that a busy machine does not fail the test. */
const LIMIT_MS = 45_000;

export const hasPseudoTerminals = spawnSync('script', ['--version']).status === 0;

export interface TerminalSession {
  readonly cwd: string;
  readonly columns: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Typed input, sent when the screen shows the text before it. */
  readonly typed?: readonly (readonly [until: string, keys: string])[];
  /** Its standard output goes through cat(1) to the same screen. */
  readonly isPiped?: boolean;
}

export interface TerminalResult {
  readonly exitCode: number | null;
  /** The final screen, without trailing blanks. */
  readonly screen: string;
  /** The final screen with the style of each run: `{red error:}`. */
  readonly styledScreen: string;
  readonly hasColours: boolean;
  /** Lines that did not fit, as the program wrote them. */
  readonly tooLong: readonly string[];
  /** The control sequences written, each once. */
  readonly sequences: readonly string[];
}

/**
 * Runs the built program on a pseudo-terminal of script(1), with an empty HOME and only the embedded engine, types
 * answers and returns the final screen.
 */
export async function onTerminal(argv: readonly string[], session: TerminalSession): Promise<TerminalResult> {
  const { cwd, columns, env = {}, typed = [], isPiped = false } = session;
  const quoted = [process.execPath, BIN, ...argv].map(
    (word) => `'${word.replaceAll("'", String.raw`'\''`)}'`,
  );
  const line = isPiped ? `${quoted.join(' ')} | cat` : `exec ${quoted.join(' ')}`;
  const command = `stty cols ${columns} rows ${ROWS}; ${line}`;
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
  if (waiting.length > 0) throw new Error(`"${waiting[0]?.[0]}" never appeared:\n${screen.text}`);
  const { text, styledText, hasColours, tooLong, sequences } = screen;
  return { exitCode, screen: text, styledScreen: styledText, hasColours, tooLong, sequences: [...sequences] };
}

/** The styles in use, by their numbers, without those that end a style. */
const STYLES: ReadonlyMap<number, string> = new Map([
  [1, 'bold'],
  [2, 'dim'],
  [4, 'underlined'],
  [7, 'inverse'],
  [8, 'hidden'],
  [9, 'struck'],
  [31, 'red'],
  [32, 'green'],
  [33, 'yellow'],
  [34, 'blue'],
  [35, 'magenta'],
  [36, 'cyan'],
  [90, 'grey'],
]);
/** The styles that each number ends, for numbers that end only some styles. */
const ENDS: ReadonlyMap<number, readonly string[]> = new Map([
  [22, ['bold', 'dim']],
  [24, ['underlined']],
  [27, ['inverse']],
  [28, ['hidden']],
  [29, ['struck']],
  [39, ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'grey']],
]);

interface Cell {
  readonly letter: string;
  readonly style: string;
}
const BLANK: Cell = { letter: ' ', style: '' };

/** A terminal's screen. Supports only the control sequences that this program writes. */
class Screen {
  readonly #columns: number;
  readonly #lines: Cell[][] = [[]];
  #row = 0;
  #column = 0;
  #rest = '';
  #styles: readonly string[] = [];
  /** Rows that continue the row before. */
  readonly #continued = new Set<number>();
  readonly sequences = new Set<string>();
  hasColours = false;

  constructor(columns: number) {
    this.#columns = columns;
  }

  get text(): string {
    return this.#rows.map(lettersOf).join('\n').trimEnd();
  }

  get styledText(): string {
    return this.#rows
      .map((cells) => {
        let [text, last] = ['', ''];
        const letters = lettersOf(cells);
        const begin = letters.length - letters.trimStart().length;
        for (const [i, cell] of cells.slice(0, letters.length).entries()) {
          const { letter, style } = i < begin ? { ...cell, style: '' } : cell;
          if (style !== last) text += `${last === '' ? '' : '}'}${style === '' ? '' : `{${style} `}`;
          text += letter;
          last = style;
        }
        return last === '' ? text : `${text}}`;
      })
      .join('\n')
      .trimEnd();
  }

  get tooLong(): readonly string[] {
    const rows = this.#rows;
    return [...this.#continued].map((row) =>
      rows
        .slice(row - 1, row + 1)
        .map(lettersOf)
        .join(''),
    );
  }

  /** Uses `Array.from`, because `map` omits skipped cells, which are not elements. */
  get #rows(): readonly (readonly Cell[])[] {
    return this.#lines.map((line) => Array.from(line, (cell) => cell ?? BLANK));
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
      this.#continued.add(this.#row);
    }
    const line = this.#lines[this.#row] ?? [];
    line[this.#column++] = { letter, style: this.#styles.join('+') };
  }

  #moveTo(row: number): void {
    this.#row = Math.max(0, row);
    while (this.#lines.length <= this.#row) this.#lines.push([]);
  }

  #control(sequence: string): void {
    this.sequences.add(sequence);
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
        // Redrawn text begins its own line.
        this.#continued.delete(this.#row);
        if (sequence === '\x1b[2K') line.length = 0;
        else line.length = Math.min(line.length, this.#column);
        return undefined;
      case 'm':
        for (const [number] of sequence.matchAll(/\d+/g)) this.#setStyle(Number(number));
        return undefined;
      case 'h':
      case 'l':
        // These sequences hide and show the cursor.
        return undefined;
      default:
        throw new Error(`a sequence that this terminal does not support: ${JSON.stringify(sequence)}`);
    }
  }
  #setStyle(number: number): void {
    const style = STYLES.get(number);
    const ended = number === 0 ? this.#styles : ENDS.get(number);
    if (style !== undefined) this.#styles = [...new Set([...this.#styles, style])];
    else if (ended) this.#styles = this.#styles.filter((one) => !ended.includes(one));
    else throw new Error(`a style that is not readable on every terminal: ${number}`);
    this.hasColours ||= number >= 30 && number !== 39;
  }
}

function lettersOf(cells: readonly Cell[]): string {
  return cells
    .map(({ letter }) => letter)
    .join('')
    .trimEnd();
}

/** A transcript without the styles: `{red error:}` is `error:`. */
export function plainOf(styled: string): string {
  return styled.replace(
    /\{(?:(?:bold|dim|underlined|inverse|hidden|struck|red|green|yellow|blue|magenta|cyan|grey)\+?)+ ([^{}]*)\}/g,
    '$1',
  );
}
