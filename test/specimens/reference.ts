/** Reads a file with the usual parser of its format and does nothing more. */
export type Parse = (bytes: Uint8Array) => number;

/** The baseline for a format's bench. */
export interface Reference {
  readonly name: string;
  /** Loads the parser on demand. */
  load(): Promise<Parse>;
}

export const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

export const splitIntoLines: Reference = {
  name: 'splitting into lines',
  load: () => Promise.resolve((bytes) => decode(bytes).split(/\r\n|\n|\r/).length),
};

export const jsonRoundTrip: Reference = {
  name: 'JSON.parse + stringify',
  load: () => Promise.resolve((bytes) => JSON.stringify(JSON.parse(decode(bytes)), null, 2).length),
};

export const saxes: Reference = {
  name: 'saxes',
  load: async () => {
    const { SaxesParser } = await import('saxes');
    return (bytes) => {
      let count = 0;
      const parser = new SaxesParser();
      parser.on('opentag', () => count++);
      parser.write(decode(bytes)).close();
      return count;
    };
  },
};
