/** The same stream, except for what is written to it. */
export function withWrite<Stream extends NodeJS.WritableStream>(
  stream: Stream,
  write: NodeJS.WritableStream['write'],
): Stream {
  return new Proxy(stream, {
    get(target, name) {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
