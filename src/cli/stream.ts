/**
 * The same stream, except for what is written to it. Whoever replaces `write` of the result, as spinners do, replaces it
 * there only: in the stream itself it would call itself.
 */
export function withWrite<Stream extends NodeJS.WritableStream>(
  stream: Stream,
  write: NodeJS.WritableStream['write'],
): Stream {
  let current: unknown = write;
  return new Proxy(stream, {
    get(target, name) {
      if (name === 'write') return current;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
    set(target, name, value) {
      if (name !== 'write') return Reflect.set(target, name, value, target);
      current = value;
      return true;
    },
  });
}
