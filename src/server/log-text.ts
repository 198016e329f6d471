import { escapeControls } from '../base/escape-controls.ts';

/** A line of the log for a person: `12:03:04.120 info  request POST /v2/translate 200 3 ms  id=…`. */
export function formatLine(json: string): string {
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
