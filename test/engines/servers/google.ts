import {
  shout,
  startVendor,
  type VendorAnswer,
  type VendorRequest,
  type VendorServer,
} from './vendor-server.ts';

export const GOOGLE_KEY = 'AIzaSecretSecretSecret';
const CODES = ['en', 'es', 'pt', 'pt-PT', 'zh', 'zh-CN', 'zh-TW', 'iw', 'no'];

/**
 * A server that imitates Google Cloud Translation, Basic: it collapses white space in HTML, escapes quotes, and writes
 * `br` without a slash.
 */
export function startGoogle(): Promise<VendorServer> {
  return startVendor({
    isTranslation: ({ path, method }) => path === '/language/translate/v2' && method === 'POST',
    answer,
  });
}

function answer({ path, headers, body }: VendorRequest): VendorAnswer {
  if (path.includes('key=')) return refuse(400, 'badRequest', 'the key is in the address');
  if (headers['x-goog-api-key'] !== GOOGLE_KEY) return refuse(400, 'keyInvalid', 'API key not valid.');
  if (path.endsWith('/languages')) {
    return { status: 200, body: { data: { languages: CODES.map((language) => ({ language })) } } };
  }
  const texts = body['q'];
  if (!Array.isArray(texts) || texts.length > 128) return refuse(400, 'badRequest', 'Too many text segments');
  if (texts.join('').length > 30_000) return refuse(400, 'badRequest', 'Text too long');
  if (![body['source'], body['target']].every((code) => CODES.includes(String(code)))) {
    return refuse(400, 'invalid', 'Invalid Value');
  }
  const translations = texts.map((text) => ({
    translatedText: shout(String(text), /<span translate="no"[^>]*>[^<]*<\/span>/)
      .replace(/[\t\n\r ]+/g, ' ')
      .replace(/(<[^>]*>)|'|"/g, (quote, tag) => tag ?? (quote === "'" ? '&#39;' : '&quot;')),
  }));
  return { status: 200, body: { data: { translations } } };
}

export function refuse(code: number, reason: string, message: string): VendorAnswer {
  return {
    status: code,
    body: { error: { code, message, errors: [{ message, domain: 'global', reason }] } },
  };
}
