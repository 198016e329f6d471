import { DragomanError } from '../../base/errors.ts';
import type { Net } from '../../engines/firefox/models/net.ts';
import type { Offer } from '../../engines/firefox/models/origin.ts';
import { modelsDirectoryOf } from '../models-directory.ts';
import type { Terminal } from '../terminal.ts';

/** @throws DragomanError `usage` when nothing says where models are. */
export function requireModelsDirectory(terminal: Terminal): string {
  const directory = modelsDirectoryOf(terminal);
  if (directory !== undefined) return directory;
  throw new DragomanError('usage', 'there is no directory for translation models', {
    hint: 'Name one with DRAGOMAN_FIREFOX_MODELS_DIR.',
  });
}

/** Runs `work` with what can be installed, from where the environment says. */
export async function withOffer<T>(
  { env, signal }: Terminal,
  work: (offer: Offer, net: Net) => Promise<T>,
): Promise<T> {
  const [{ openNet }, { fetchOffer }] = await Promise.all([
    import('../../engines/firefox/models/net.ts'),
    import('../../engines/firefox/models/origin.ts'),
  ]);
  const net = openNet({ env, signal });
  try {
    const origin = {
      recordsUrl: env['DRAGOMAN_FIREFOX_RECORDS_URL'] || undefined,
      attachmentsUrl: env['DRAGOMAN_FIREFOX_ATTACHMENTS_URL'] || undefined,
    };
    return await work(await fetchOffer(origin, net), net);
  } finally {
    await net.close();
  }
}

/** A size as people read it. */
export function sizeOf(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
