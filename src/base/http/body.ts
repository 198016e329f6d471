import { headerOf, type TransportResponse } from './transport.ts';

/** The body of an answer in memory; undefined when it has more than `max` bytes. @throws what the transport throws. */
export async function readBytes(response: TransportResponse, max: number): Promise<Buffer | undefined> {
  const announced = Number(headerOf(response, 'content-length') ?? 0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > max || announced > max) return undefined;
    chunks.push(chunk);
  }
  const [only] = chunks;
  return only && chunks.length === 1
    ? Buffer.from(only.buffer, only.byteOffset, size)
    : Buffer.concat(chunks, size);
}

export function isJson(type: string): boolean {
  return type === 'application/json' || /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type.trim());
}
