import { fieldOf, textOf } from '../../base/json.ts';
import type { Engine } from '../engine.ts';
import { listOf, type Provider } from '../hosted/provider.ts';
import { HostedConnection, type HostedOptions } from '../hosted/connection.ts';
import type { VendorDirection } from '../hosted/languages.ts';
import { createMachineTranslator } from '../hosted/machine-translator.ts';
import { toHtml } from '../hosted/markup.ts';

const LIBRETRANSLATE: Provider = {
  id: 'libretranslate',
  name: 'LibreTranslate',
  keyVariable: 'LIBRETRANSLATE_API_KEY',
  urlVariable: 'LIBRETRANSLATE_BASE_URL',
  defaultUrl: () => 'https://libretranslate.com',
};

/** Servers may have lower limits; they translate text by text, so smaller requests lose nothing. */
const MOST_TEXTS = 25;
const MOST_CHARACTERS = 5_000;

/**
 * A LibreTranslate server. The key is sent in the body of requests, never in the address.
 *
 * @throws DragomanError `configuration` for an unusable key or address
 */
export function createLibreTranslateEngine(options: HostedOptions): Engine {
  const connection = new HostedConnection(LIBRETRANSLATE, options, {
    readDetail: (_, body) => ({ message: textOf(body, 'error') }),
  });
  const { key } = connection.access;
  return createMachineTranslator({
    connection,
    limits: { texts: MOST_TEXTS, size: MOST_CHARACTERS * 4 },
    batch: { texts: MOST_TEXTS, characters: MOST_CHARACTERS },
    sizeOf: (text) => text.length,
    write: toHtml,
    languages: (signal) => readLanguages(connection, signal),
    // It uses English as a pivot if it has no model for a pair, and lists such pairs with the others.
    pivots: true,
    hasOwnLimits: true,
    send: async ({ texts, source, target }, signal) => {
      const body = { q: texts, source, target, format: 'html', ...(key !== undefined && { api_key: key }) };
      const answer = await connection.send({ method: 'POST', path: '/translate', body, signal });
      return listOf(LIBRETRANSLATE, answer, 'translatedText');
    },
  });
}

async function readLanguages(
  connection: HostedConnection,
  signal: AbortSignal,
): Promise<readonly VendorDirection[]> {
  const answer = await connection.send({ method: 'GET', path: '/languages', signal });
  const languages = listOf(LIBRETRANSLATE, answer);
  const codes = languages.flatMap((item) => textOf(item, 'code') ?? []);
  return languages.flatMap((item): VendorDirection[] => {
    const source = textOf(item, 'code');
    if (source === undefined) return [];
    const targets = fieldOf(item, 'targets');
    // Older servers list no targets, because they translate into every language.
    const named = Array.isArray(targets) ? targets.filter((target) => typeof target === 'string') : codes;
    return [{ source, targets: named }];
  });
}
