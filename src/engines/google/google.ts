import type { ErrorCode } from '../../base/errors.ts';
import { fieldOf, textOf } from '../../base/json.ts';
import type { Engine } from '../engine.ts';
import { type Detail, listOf, type Provider } from '../hosted/provider.ts';
import { HostedConnection, type HostedOptions } from '../hosted/connection.ts';
import type { VendorDirection } from '../hosted/languages.ts';
import { createMachineTranslator } from '../hosted/machine-translator.ts';
import { toHtml } from '../hosted/markup.ts';

const GOOGLE: Provider = {
  id: 'google',
  name: 'Google Cloud Translation',
  keyVariable: 'GOOGLE_API_KEY',
  urlVariable: 'GOOGLE_BASE_URL',
  defaultUrl: () => 'https://translation.googleapis.com',
};

const PATH = '/language/translate/v2';
const MOST_TEXTS = 128;
/** The maximum number of code points in a request. */
const MOST_CHARACTERS = 30_000;

/**
 * Google Cloud Translation, Basic (version 2), with an API key. The key is sent in a header, because addresses are
 * logged.
 *
 * @throws DragomanError `configuration` without a key, or for an unusable address
 */
export function createGoogleEngine(options: HostedOptions): Engine {
  const connection = new HostedConnection(GOOGLE, options, {
    keyHeaders: (key) => ({ 'x-goog-api-key': key }),
    readDetail,
  });
  return createMachineTranslator({
    connection,
    limits: { texts: MOST_TEXTS, size: MOST_CHARACTERS },
    // Google's recommended maximum for fast answers.
    batch: { texts: MOST_TEXTS, characters: 5_000 },
    // UTF-16 code units: at least as many as code points.
    sizeOf: (text) => text.length,
    write: toHtml,
    languages: async (signal): Promise<readonly VendorDirection[]> => {
      const answer = await connection.send({ method: 'GET', path: `${PATH}/languages`, signal });
      const languages = listOf(GOOGLE, answer, 'data', 'languages');
      const codes = languages.flatMap((item) => textOf(item, 'language') ?? []);
      return codes.map((source) => ({ source, targets: codes }));
    },
    send: async ({ texts, source, target }, signal) => {
      const body = { q: texts, source, target, format: 'html' };
      const answer = await connection.send({ method: 'POST', path: PATH, body, signal });
      return listOf(GOOGLE, answer, 'data', 'translations').map((item) => fieldOf(item, 'translatedText'));
    },
  });
}

/** Quotas, keys and other errors share a status; the reason distinguishes them. */
const REASONS: Readonly<Record<string, ErrorCode>> = {
  rateLimitExceeded: 'rate_limited',
  userRateLimitExceeded: 'rate_limited',
  RATE_LIMIT_EXCEEDED: 'rate_limited',
  dailyLimitExceeded: 'insufficient_credits',
  quotaExceeded: 'insufficient_credits',
  dailyLimitExceededUnreg: 'unauthenticated',
  keyInvalid: 'unauthenticated',
  API_KEY_INVALID: 'unauthenticated',
};

function readDetail(_: number, body: unknown): Detail {
  const error = fieldOf(body, 'error');
  const reasons = ['errors', 'details'].flatMap((name) => {
    const list = fieldOf(error, name);
    return Array.isArray(list) ? list.flatMap((item) => textOf(item, 'reason') ?? []) : [];
  });
  const code = reasons.flatMap((reason) => (Object.hasOwn(REASONS, reason) ? [REASONS[reason]] : []))[0];
  return { message: textOf(error, 'message'), code };
}
