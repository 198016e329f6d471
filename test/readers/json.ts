import { stripComments } from 'jsonc-parser';
import { refusal, type Entry, type Reader, type Reading } from './reader.ts';

/** JSON.parse, after comments and trailing commas are removed. */
export const jsonParse: Reader = {
  name: 'JSON.parse',
  lastWins: true,
  missing: () => undefined,
  read: (files) => files.map(({ bytes }) => readJson(bytes)),
};

function readJson(bytes: Uint8Array): Reading {
  try {
    return { entries: jsonEntries(decodeJson(bytes)) };
  } catch (error) {
    return refusal(error);
  }
}

/** The content of a JSON file. */
export function decodeJson(bytes: Uint8Array): unknown {
  return parse(decode(bytes));
}

/** Everything in a value, in the order of the file. */
export function jsonEntries(value: unknown): Entry[] {
  const entries: Entry[] = [];
  collect(isOfVsCode(value) ? withoutMessages(value) : value, [], entries);
  return entries;
}

/** Whether entries of `package.nls.json` and `bundle.l10n.json` have comments next to their messages. */
function isOfVsCode(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value).filter(([, entry]) => typeof entry !== 'string');
  const isSure = ([name, entry]: readonly [string, { comment?: unknown }]): boolean =>
    Array.isArray(entry.comment) ||
    ('comment' in entry && (/[./]/.test(name) || name === 'displayName' || name === 'description'));
  return (
    entries.every(
      ([, entry]) =>
        typeof entry?.message === 'string' &&
        Object.keys(entry).every((name) => name === 'message' || name === 'comment'),
    ) && entries.some(isSure)
  );
}

/** Programs find a message by the name of its entry; the comment stays unchanged. */
function withoutMessages(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const flat = Object.entries(value).flatMap(([name, entry]): [string, unknown][] => {
    if (typeof entry !== 'object' || entry === null || !('message' in entry)) return [[name, entry]];
    const message: [string, unknown] = [name, entry.message];
    return 'comment' in entry ? [message, [`${name}\0${JSON.stringify(entry.comment)}`, true]] : [message];
  });
  return Object.fromEntries(flat);
}

function decode(bytes: Uint8Array): string {
  const charset = bytes[0] === 0xff ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8';
  return new TextDecoder(charset, { fatal: true }).decode(bytes);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Strings are skipped as whole tokens, so that commas in them do not count.
    const bare = stripComments(text);
    return JSON.parse(bare.replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, '$1'));
  }
}

function collect(value: unknown, key: readonly string[], entries: Entry[]): void {
  if (typeof value === 'string') entries.push({ key, value, kind: 'text' });
  else if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value);
    const kind = Array.isArray(value) ? 'array' : 'object';
    entries.push({ key, value: String(members.length), kind });
    for (const [name, member] of members) collect(member, [...key, name], entries);
  } else entries.push({ key, value: String(value), kind: typeof value });
}
