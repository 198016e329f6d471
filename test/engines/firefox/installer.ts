import { chooseModels } from '../../../src/engines/firefox/models/choice.ts';
import { installModel } from '../../../src/engines/firefox/models/install.ts';
import { openNet } from '../../../src/engines/firefox/models/net.ts';
import { fetchOffer, type ModelOrigin } from '../../../src/engines/firefox/models/origin.ts';

export interface Install {
  readonly origin?: ModelOrigin;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly onProgress?: (done: number, total: number) => unknown;
}

/** Installs as the command does, and returns the number of downloaded bytes. */
export async function installInto(
  directory: string,
  pairs: readonly string[],
  options: Install,
): Promise<number> {
  const { origin = {}, signal = new AbortController().signal, timeoutMs = 10_000, onProgress } = options;
  const net = openNet({ env: {}, signal, timeoutMs });
  try {
    const offer = await fetchOffer(origin, net);
    let downloaded = 0;
    for (const model of chooseModels(pairs, offer)) {
      downloaded += await installModel(model, offer, { directory, net, pauseMs: 1, onProgress });
    }
    return downloaded;
  } finally {
    await net.close();
  }
}
