import { fileURLToPath, pathToFileURL } from 'node:url';
import { DragomanError } from '../../../base/errors.ts';
import { escapeControls } from '../../../base/escape-controls.ts';

/** A URL or, for a copy on this machine, a path. */
export function addressOf(text: string, name: string): URL {
  const url = text.startsWith('/') ? pathToFileURL(text) : URL.canParse(text) ? new URL(text) : undefined;
  if (url && isAllowed(url)) return url;
  throw new DragomanError(
    'configuration',
    `${name} is no address that models may come from: ${shown(text)}`,
    {
      hint: 'It takes an https: or file: address; http: only for this machine, since nothing else tells a forged list of models from a true one.',
    },
  );
}

/** Whether models may come from there: what says which hashes are right must not be changed on its way. */
export function isAllowed({ protocol, hostname }: URL): boolean {
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  return protocol === 'https:' || protocol === 'file:' || (protocol === 'http:' && isHere);
}

/** A location of a record below the base address. It cannot lead out of it. */
export function resolveBelow(base: URL, location: string): URL {
  const parts = location.split('/');
  const isPlain = parts.every((part) => /^[\w.@+-]{1,200}$/.test(part) && !/^\.+$/.test(part));
  if (!isPlain)
    throw new DragomanError(
      'contract_violation',
      `a model's file has a location that is none: ${shown(location)}`,
    );
  const root = new URL(base);
  if (!root.pathname.endsWith('/')) root.pathname += '/';
  return new URL(location, root);
}

/** For messages: a path where it is one. */
export function nameOf(url: URL): string {
  return url.protocol === 'file:' ? fileURLToPath(url) : `${url.origin}${url.pathname}`;
}

/** A name from a record or a user in a message. */
function shown(text: string): string {
  return escapeControls(text.slice(0, 100));
}
