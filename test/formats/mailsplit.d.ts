declare module 'mailsplit' {
  import type { Transform } from 'node:stream';

  export interface Chunk {
    readonly type: 'node' | 'data' | 'body';
    readonly value?: Buffer;
    readonly contentType?: string | false;
    readonly charset?: string | false;
    readonly encoding?: string | false;
    readonly disposition?: string | false;
    readonly filename?: string | false;
  }
  class Splitter extends Transform {
    constructor(options?: { readonly ignoreEmbedded?: boolean });
    [Symbol.asyncIterator](): NodeJS.AsyncIterator<Chunk>;
  }
  const mailsplit: { readonly Splitter: typeof Splitter };
  export default mailsplit;
}
