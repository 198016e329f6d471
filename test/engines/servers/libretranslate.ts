import {
  shout,
  startVendor,
  type VendorAnswer,
  type VendorRequest,
  type VendorServer,
} from './vendor-server.ts';

export const LIBRETRANSLATE_KEY = '11111111-2222-secret';
const LANGUAGES = [
  { code: 'en', name: 'English', targets: ['en', 'es', 'pb', 'zh-Hans', 'zt'] },
  { code: 'es', name: 'Spanish', targets: ['en', 'es'] },
  { code: 'zh-Hans', name: 'Chinese', targets: ['en'] },
];

/** LibreTranslate: the key in the body, languages with their own targets, HTML as BeautifulSoup writes it. */
export function startLibreTranslate(): Promise<VendorServer> {
  return startVendor({ isTranslation: ({ path }) => path === '/translate', answer });
}

function answer({ path, headers, body }: VendorRequest): VendorAnswer {
  if (path === '/languages') return { status: 200, body: LANGUAGES };
  if (headers.authorization !== undefined || path.includes('api_key')) return refuse(400, 'misplaced key');
  if (body['api_key'] !== LIBRETRANSLATE_KEY) return refuse(403, 'Invalid API key');
  const { q, source, target, format } = body;
  if (!Array.isArray(q) || format !== 'html') return refuse(400, 'Invalid request: missing q parameter');
  const language = LANGUAGES.find(({ code }) => code === source);
  if (!language) return refuse(400, `${String(source)} is not supported`);
  if (!language.targets.includes(String(target))) return refuse(400, `${String(target)} is not supported`);
  const translatedText = q.map((text) =>
    shout(String(text), /<span translate="no"[^>]*>[^<]*<\/span>/).replace(/<br([^>]*[^/>])>/g, '<br$1/>'),
  );
  return { status: 200, body: { translatedText } };
}

function refuse(status: number, error: string): VendorAnswer {
  return { status, body: { error } };
}
