import { escapeControls } from '../../base/escape-controls.ts';
import { breakWorkflowCommands, escapeWorkflowCommands } from '../../base/workflow-command.ts';
import { DragomanError } from '../../base/errors.ts';
import { StandardError, WHOLE_BYTES } from './standard-error.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';
export type LogFormat = 'json' | 'text';

/**
 * The log of a server. Writes only the known `fields`: never a key, text, query or secret, and no quoted data of errors
 * (`err`). Writing neither waits nor throws.
 */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** Writes pending lines, for at most a second. Later lines are dropped. */
  close(): Promise<void>;
}

interface LogOptions {
  readonly level: LogLevel;
  /** Standard error of the process, or a test's own stream. The log does not close it. */
  readonly stream: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly fd?: number };
  /** `json`: one document per line. By default `text` on a terminal and `json` elsewhere. */
  readonly format?: LogFormat | undefined;
  /** Whether other processes write to the same stream: lines are then short enough to be written whole. */
  readonly isShared?: boolean | undefined;
}

/** Loaded only by `serve`, because it is slow to load. */
export function createLog({ level, stream, format, isShared = false }: LogOptions): Log {
  const sink =
    stream.fd === STDERR
      ? new StandardError(STDERR, { isTerminal: stream.isTTY === true, isShared })
      : { write: stream.write.bind(stream), close: () => Promise.resolve() };
  const asText = (format ?? (stream.isTTY === true ? 'text' : 'json')) === 'text';
  let threshold = LEVELS.indexOf(level);
  const at = (of: LogLevel): ((fields: object, message: string) => void) => {
    const rank = LEVELS.indexOf(of);
    return (fields, message) => {
      if (rank < threshold) return;
      const picked = pickFields(fields);
      const lineOf = (bounded: object): string => {
        const rest = JSON.stringify({ ...bounded, msg: message }).slice(1);
        const line = `{"level":"${of}","time":"${timeNow()}",${rest}\n`;
        // In a CI job, clients' data in the log must not act as workflow commands.
        return asText ? breakWorkflowCommands(formatLine(line)) : escapeWorkflowCommands(line);
      };
      let line = lineOf(picked);
      for (const bounds of isShared ? BOUNDS : []) {
        if (Buffer.byteLength(line) <= WHOLE_BYTES) break;
        line = lineOf(shorten(picked, bounds));
      }
      sink.write(line);
    };
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    close: async () => {
      threshold = LEVELS.indexOf('silent');
      await sink.close();
    },
  };
}

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];

let lastTime = { ms: 0, iso: '' };

/** Cached, because under load many lines fall into the same millisecond. */
function timeNow(): string {
  const ms = Date.now();
  if (ms !== lastTime.ms) lastTime = { ms, iso: new Date(ms).toISOString() };
  return lastTime.iso;
}

const STDERR = 2;

/** A line of the log for a person: `12:03:04.120 info  request POST /v2/translate 200 3 ms  id=…`. */
function formatLine(json: string): string {
  const { time, level, msg, route, status, ms, err, ...rest } = parse(json);
  const clock = typeof time === 'string' ? time.slice(11, 23) : '';
  const request = [route, status, typeof ms === 'number' ? `${ms} ms` : undefined];
  const words = [msg, ...request].filter((word) => word !== undefined).map(show);
  const fields = Object.entries(rest).map(([name, value]) => `${name}=${show(value)}`);
  const head = [clock, show(level).padEnd(5), ...words].join(' ');
  return escapeControls([head, ...fields].join('  ').replaceAll('\n', '\\n')) + formatError(err) + '\n';
}

function parse(json: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(json);
  return { ...Object(value) };
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function formatError(err: unknown): string {
  if (typeof err !== 'object' || err === null) return '';
  const { type, code, message, stack, cause }: Readonly<Record<string, unknown>> = { ...err };
  const head = [type, code, message].filter((part) => part !== undefined && part !== '').map(show);
  const frames = Array.isArray(stack) ? stack.map((frame) => `\n    ${show(frame)}`) : [];
  return `\n  ${escapeControls(head.join(' '))}${frames.map(escapeControls).join('')}${formatError(cause)}`;
}

/** The only fields of the log. New fields must be equally harmless: no text, key, secret or personal address. */
const FIELDS: ReadonlySet<string> = new Set([
  // a request
  'id',
  'route',
  'path',
  'status',
  'ms',
  'account',
  'key',
  'code',
  // jobs and webhooks
  'job',
  'language',
  'webhook',
  'receiver',
  'attempt',
  'reason',
  'instances',
  'count',
]);

const MAX_LENGTH = 300;

/** The loggable part of `fields`: the known ones, bounded, and `err` from {@link describeError}. */
function pickFields(fields: object): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields) as [string, unknown][]) {
    if (name === 'err') {
      if (value !== undefined) picked[name] = describeError(value);
    } else if (!FIELDS.has(name)) continue;
    else if (typeof value === 'number' || typeof value === 'boolean') picked[name] = value;
    else if (typeof value === 'string') picked[name] = value.slice(0, MAX_LENGTH);
    else if (Array.isArray(value) && value.every(isString))
      picked[name] = value.join(' ').slice(0, MAX_LENGTH);
  }
  return picked;
}

interface Bounds {
  readonly characters: number;
  readonly frames: number;
}

/** Tried in this order until a line is short enough; the last bounds even suit a line with all fields and causes. */
const BOUNDS: readonly Bounds[] = [
  { characters: MAX_LENGTH, frames: 8 },
  { characters: 150, frames: 5 },
  { characters: 80, frames: 2 },
  { characters: 12, frames: 1 },
];

function shorten(picked: object, { characters, frames }: Bounds): object {
  const shortened: unknown = JSON.parse(JSON.stringify(picked), (_, value: unknown) => {
    if (typeof value === 'string') return value.slice(0, characters);
    return Array.isArray(value) ? value.slice(0, frames) : value;
  });
  return { ...Object(shortened) };
}

const isString = (value: unknown): value is string => typeof value === 'string';

interface ErrorRecord {
  readonly type: string;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly stack?: readonly string[] | undefined;
  readonly cause?: ErrorRecord | undefined;
}

/**
 * An error without quoted data: only its message before the first quote, colon or line break (JSON.parse and engines
 * put texts there), and only the frames of its stack.
 */
function describeError(error: unknown, depth = 3): ErrorRecord {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  // The stack of an expected error is useless; that of a bug is essential.
  const isExpected = error instanceof DragomanError && error.code !== 'internal';
  return {
    type: error.name,
    ...(code === undefined ? {} : { code }),
    message: openingOf(error.message),
    ...(isExpected ? {} : { stack: framesOf(error) }),
    ...(error.cause === undefined || depth === 0 ? {} : { cause: describeError(error.cause, depth - 1) }),
  };
}

function openingOf(message: string): string {
  const end = message.search(/[\n"'`:\u2018-\u201f\u00ab]/);
  return (end < 0 ? message : message.slice(0, end)).trim().slice(0, MAX_LENGTH);
}

/** The head of a stack repeats the message, whose lines may look like frames. */
function framesOf({ message, stack = '' }: Error): readonly string[] {
  const at = stack.indexOf(message);
  if (at < 0) return [];
  return stack
    .slice(at + message.length)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, 20);
}
