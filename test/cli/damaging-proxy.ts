import { createServer, type IncomingMessage, request as requestOf } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface Damage {
  /** Damages each text of an answer, and documents as a whole. */
  readonly text?: ((text: string) => string) | undefined;
  /** Damages a downloaded file. */
  readonly file?: ((content: string) => string) | undefined;
}

/** A proxy in front of a service that damages its answers. Returns its address; it ends with the test. */
export async function damagingProxy(
  service: string,
  { text = (same) => same, file = text }: Damage,
): Promise<string> {
  const damageAnswer = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(damageAnswer);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]: [string, unknown]) => {
        const isText = ['translation', 'html', 'html_body', 'subject'].includes(name);
        if (isText && typeof one === 'string') return [name, text(one)];
        if (name === 'content' && typeof one === 'string') return [name, damageLines(one, text)];
        return [name, damageAnswer(one)];
      }),
    );
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { 'x-api-key': key, 'content-type': type } = request.headers;
      // The name of this header is case-sensitive.
      const headers = { 'X-API-KEY': String(key), ...(type !== undefined && { 'content-type': type }) };
      const answerWith = async (answer: IncomingMessage): Promise<void> => {
        const body = await readText(answer);
        const isFile = (request.url ?? '').includes('/download');
        const sent = isFile ? file(body) : JSON.stringify(damageAnswer(JSON.parse(body)));
        response.writeHead(answer.statusCode ?? 500, {
          'content-type': isFile ? 'application/octet-stream' : 'application/json',
          ...(isFile && { 'content-disposition': 'attachment; filename="app_fr.json"' }),
          'content-length': Buffer.byteLength(sent),
        });
        response.end(sent);
      };
      const onward = requestOf(`${service}${request.url ?? ''}`, { method: request.method, headers });
      onward.on('response', (answer) => void answerWith(answer));
      onward.end(Buffer.concat(chunks));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The text lines of subtitles. */
function damageLines(content: string, text: (line: string) => string): string {
  return content
    .split('\n')
    .map((line) => (/\p{L}/u.test(line) && !line.includes('-->') ? text(line) : line))
    .join('\n');
}
