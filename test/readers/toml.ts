import { parse } from 'smol-toml';
import { refusal, type Entry, type Reader, type Reading } from './reader.ts';

export const smolToml: Reader = {
  name: 'smol-toml',
  lastWins: false,
  missing: () => undefined,
  read: (files) =>
    files.map(({ bytes }): Reading => {
      try {
        const entries: Entry[] = [];
        collect(parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), [], entries);
        return { entries };
      } catch (error) {
        return refusal(error);
      }
    }),
};

function collect(value: unknown, key: readonly string[], entries: Entry[]): void {
  if (typeof value === 'string') entries.push({ key, value, kind: 'text' });
  else if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    for (const [name, member] of Object.entries(value)) collect(member, [...key, name], entries);
  } else entries.push({ key, value: String(value), kind: typeof value });
}
