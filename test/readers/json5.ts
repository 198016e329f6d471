import json5 from 'json5';
import { jsonEntries } from './json.ts';
import { refusal, type Reader, type Reading } from './reader.ts';

export const json5Parse: Reader = {
  name: 'json5',
  lastWins: true,
  missing: () => undefined,
  read: (files) =>
    files.map(({ bytes }): Reading => {
      try {
        return { entries: jsonEntries(json5.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))) };
      } catch (error) {
        return refusal(error);
      }
    }),
};
