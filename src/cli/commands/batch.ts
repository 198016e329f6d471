import { resolve } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { unsupportedEncoding, wideEncodingOf } from '../../base/utf8.ts';
import { MAX_TEXTS } from '../../contract/limits.ts';
import type { BatchItem } from '../../contract/texts.ts';
import { readInput } from '../../documents/localization/open-file.ts';
import type { CommandContext, CommandModule } from '../output/command.ts';
import { OK, PARTIAL } from '../output/exit-code.ts';
import { printHints } from '../documents/open-each.ts';
import { addLanguageOptions, type LanguageOptions, requireTargets, sourceOf } from '../options/language.ts';
import { addServiceOptions, type ServiceFlags } from '../options/service.ts';
import { withService } from '../execution/translator.ts';
import { pipedChunks } from '../terminal/input.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { placeIn, reportFailures, translateInto } from '../execution/text-translation.ts';
import { addResourceOptions, type ResourceFlags } from '../execution/translation-resources.ts';

export const batch: CommandModule<LanguageOptions & ServiceFlags & ResourceFlags> = {
  examples: [
    ["printf 'Hello\\nGood morning\\n' | dragoman batch -s en -t es", 'one output line per input line'],
    [
      'dragoman batch texts.json -t fr --json',
      'one result per text; --json keeps line breaks, which are otherwise printed as \\n',
    ],
  ],
  configure(command) {
    command.argument(
      '[file]',
      'a file with one text per line, or a JSON array of strings; default: standard input',
    );
    addLanguageOptions(command);
    addServiceOptions(command);
    addResourceOptions(command);
  },

  async run([file], options, context) {
    const { terminal, output } = context;
    const { signal } = terminal;
    const source = sourceOf(options) ?? 'auto';
    const targets = requireTargets(options);
    const kept: BatchItem[] = [];
    let total = 0;
    let failed = 0;
    let texts = 0;
    const unavailable = new Map<string, DragomanError>();
    const stopped = await withService(options, context, async (service) => {
      // Results are printed as they arrive. A service gets larger groups, so that equal texts are sent once and several
      // batches run at a time.
      const size = service.parallelCalls === undefined ? MAX_TEXTS : 10 * MAX_TEXTS;
      let around: readonly string[] = [];
      for await (const lines of readBatch(file, terminal)) {
        around = [...around.slice(-KEPT_LINES), ...lines];
        const all = total + lines.length * targets.length;
        const progress = output.progress();
        try {
          for (let i = 0; i < lines.length; i += size) {
            const group = lines.slice(i, i + size);
            const onProgress = (done: number): void =>
              progress.show({
                ...placeIn(targets, done, group.length),
                done: total + done,
                total: all,
                unit: 'texts',
              });
            // For the first texts, an error ends the command, because nothing can be lost.
            const request = { source, targets, texts: group, isLater: total > 0 };
            const result = await translateInto(service, request, { signal, around, onProgress });
            for (const error of result.unavailable) unavailable.set(error.message, error);
            const items = result.stopped ? untilLastSuccess(result.items) : result.items;
            if (output.json) for (const item of items) kept.push(item);
            else {
              progress.hide();
              // If nothing was translated, printing the sources would look like a result.
              const isInVain = source !== 'auto' && result.unavailable.length === targets.length;
              if (!isInVain) print(items, targets.length, context);
              reportFailures(items, { first: texts + 1, targets: targets.length }, output);
            }
            texts += group.length;
            total += items.length;
            failed += items.filter(({ success }) => !success).length;
            if (result.stopped) return result.stopped;
          }
        } finally {
          await progress.stop();
        }
      }
      return undefined;
    });
    printHints([...unavailable.values()], output);
    const document = { translations: kept, total, successful: total - failed, failed };
    if (stopped) return output.failure(stopped, document);
    if (output.json) output.document(document);
    return failed > 0 ? PARTIAL : OK;
  },
};

/** Lines of standard input arrive in pieces. This many earlier lines help to detect the language of a piece. */
const KEPT_LINES = 1_000;

/** The error that ended the work reports the unfinished texts. */
function untilLastSuccess(items: readonly BatchItem[]): readonly BatchItem[] {
  return items.slice(0, items.findLastIndex(({ success }) => success) + 1);
}

function print(items: readonly BatchItem[], targets: number, { terminal, output }: CommandContext): void {
  for (const item of items) {
    const line = asLine(item.translation, terminal.stdout.isTTY === true);
    output.translation(targets > 1 ? `${item.target}\t${line}` : line);
  }
}

/** A text on one line: the CR of a CRLF line is kept, and other line breaks are escaped. */
function asLine(text: string, isTerminal: boolean): string {
  const [body, end] = text.endsWith('\r') ? [text.slice(0, -1), '\r'] : [text, ''];
  return body.replaceAll('\r', '\\r').replaceAll('\n', '\\n') + (isTerminal ? '' : end);
}

/** Longer lines and arrays are refused, because they must fit into memory. */
const MAX_LENGTH = 64 * 1024 * 1024;

/**
 * The texts of a file or of standard input (`-`, or no name): its lines, or the strings of a JSON array if the whole
 * content is one. Lines of standard input are processed as they arrive.
 *
 * @throws DragomanError `usage`, `unreadable_input` with the line, `limit_exceeded`, `interrupted`
 */
async function* readBatch(name: string | undefined, terminal: Terminal): AsyncGenerator<readonly string[]> {
  if (name === undefined && terminal.stdin.isTTY) {
    throw new DragomanError('usage', 'no texts', { hint: 'Name a file, or pipe them in.' });
  }
  const isFile = name !== undefined && name !== '-';
  const path = isFile ? resolve(terminal.cwd, name) : 'standard input';
  const lines = new LineReader(path);
  if (isFile) {
    lines.add(await readInput(path));
  } else {
    for await (const chunk of pipedChunks(terminal)) {
      lines.add(chunk);
      const complete = lines.take();
      if (complete.length > 0) yield complete;
    }
  }
  const rest = lines.finish();
  if (rest.length > 0) yield rest;
}

class LineReader {
  readonly #path: string;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #complete: string[] = [];
  #open = '';
  #line = 1;
  /** The first bytes, kept until the encoding can be detected. */
  #head: Uint8Array | undefined = new Uint8Array();
  /** Whether the content may be a JSON array, which is certain only after all of it has arrived. */
  #mayBeArray: boolean | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  add(bytes: Uint8Array): void {
    const [first = '', ...more] = this.#decode(bytes, true).split('\n');
    this.#open += first;
    for (const line of more) {
      this.#complete.push(this.#open);
      this.#open = line;
    }
    this.#line += more.length;
    if (this.#open.length > MAX_LENGTH) {
      throw new DragomanError('limit_exceeded', 'the line is longer than 64 Mi characters').inFile(
        this.#path,
      );
    }
  }

  /** The complete lines that have arrived. */
  take(): readonly string[] {
    this.#mayBeArray ??= startsArray([...this.#complete, this.#open]);
    if (this.#mayBeArray !== false) return [];
    const lines = this.#complete;
    this.#complete = [];
    return lines;
  }

  finish(): readonly string[] {
    this.#open += this.#decode(new Uint8Array(), false);
    const lines = this.#open === '' ? this.#complete : [...this.#complete, this.#open];
    if (this.#mayBeArray === false || startsArray(lines) !== true) return lines;
    return parseArray(lines.join('\n'), this.#path) ?? lines;
  }

  #decode(bytes: Uint8Array, stream: boolean): string {
    if (!this.#head) return this.#decodeUtf8(bytes, stream);
    const head = Buffer.concat([this.#head, bytes]);
    // A short line of UTF-8 is passed on without waiting for the next one.
    const mayBeWide = head.length < 2 || head[0] === 0 || head[1] === 0 || (head[0] ?? 0) >= 0xfe;
    this.#head = stream && mayBeWide && head.length < 4 ? head : undefined;
    if (this.#head) return '';
    const wide = wideEncodingOf(head);
    if (wide) throw unsupportedEncoding(wide).inFile(this.#path);
    return this.#decodeUtf8(head, stream);
  }

  #decodeUtf8(bytes: Uint8Array, stream: boolean): string {
    try {
      return this.#decoder.decode(bytes, { stream });
    } catch (cause) {
      const at = { file: this.#path, line: this.#line, column: 1 };
      throw new DragomanError('unreadable_input', 'invalid UTF-8 in this line or a later one', {
        at,
        cause,
      });
    }
  }
}

/** Undefined while only white space has arrived. */
function startsArray(lines: readonly string[]): boolean | undefined {
  const first = lines.find((line) => line.trim() !== '');
  return first === undefined ? undefined : first.trim().startsWith('[');
}

/** Undefined for a text that only starts like an array. */
function parseArray(text: string, path: string): readonly string[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text.trim());
  } catch {
    return undefined;
  }
  if (!Array.isArray(value)) return undefined;
  return value.map((entry: unknown, i) => {
    if (typeof entry === 'string') return entry;
    throw new DragomanError('unreadable_input', `entry ${i + 1} of the array is not a string`).inFile(path);
  });
}
