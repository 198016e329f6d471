import { create } from 'xmlbuilder2';
import {
  shout,
  startVendor,
  type VendorAnswer,
  type VendorRequest,
  type VendorServer,
} from './vendor-server.ts';

export const DEEPL_KEY = '0b1c2d3e-secret:fx';

const SOURCES = ['EN', 'ES', 'PT', 'ZH', 'NB', 'DE'];
const TARGETS = ['EN-GB', 'EN-US', 'ES', 'ES-419', 'PT-BR', 'PT-PT', 'ZH', 'ZH-HANS', 'ZH-HANT', 'NB', 'DE'];
const GLOSSARY_LANGUAGES = ['en', 'es', 'pt', 'de', 'zh'];
const KNOWN = new Set(
  (
    'text source_lang target_lang tag_handling tag_handling_version ignore_tags non_splitting_tags ' +
    'outline_detection preserve_formatting formality context glossary_id'
  ).split(' '),
);

/** A glossary as the account stores it. */
export interface StoredGlossary {
  readonly glossary_id: string;
  readonly name: string;
  readonly source_lang: string;
  readonly target_lang: string;
  readonly creation_time: string;
  readonly entries: ReadonlyMap<string, string>;
  /** The number of polls until the glossary is ready. */
  looks: number;
}

export interface DeepLServer extends VendorServer {
  readonly glossaries: Map<string, StoredGlossary>;
  /** The account's maximum. */
  room: number;
  /** The number of polls until a new glossary is ready. */
  looks: number;
  /** The highest number of glossaries at a time. */
  peak: number;
  now: () => number;
}

/** DeepL's API as documented: limits, languages of version 3, key header, XML that must be well-formed. */
export async function startDeepL(): Promise<DeepLServer> {
  const vendor = await startVendor({
    isTranslation: ({ path }) => path === '/v2/translate',
    answer: (request) => answer(request, server),
  });
  const server: DeepLServer = Object.assign(vendor, {
    glossaries: new Map<string, StoredGlossary>(),
    room: 1000,
    looks: 0,
    peak: 0,
    now: () => Date.now(),
  });
  return server;
}

const offerOf = (sources: readonly string[], targets: readonly string[]): readonly object[] =>
  [...new Set([...sources, ...targets])].map((code) => ({
    lang: spell(code),
    name: code,
    usable_as_source: sources.includes(code),
    usable_as_target: targets.includes(code),
    features: {},
  }));

/** Returns a BCP 47 code as version 3 of this endpoint spells it. */
const spell = (code: string): string => new Intl.Locale(code).baseName;

const TEXT_OFFER = offerOf(SOURCES, TARGETS);
const GLOSSARY_OFFER = offerOf(GLOSSARY_LANGUAGES, GLOSSARY_LANGUAGES);

type Account = Pick<DeepLServer, 'glossaries' | 'room' | 'looks' | 'peak' | 'now'>;

function answer(request: VendorRequest, account: Account): VendorAnswer {
  const { method, path, headers, body } = request;
  if (headers.authorization !== `DeepL-Auth-Key ${DEEPL_KEY}`) return refuse(403, 'Authorization failure');
  if (path.startsWith('/v2/glossaries')) return answerGlossary(request, account);
  if (path.startsWith('/v3/languages')) {
    const resource = new URL(path, 'http://localhost').searchParams.get('resource');
    return { status: 200, body: resource === 'glossary' ? GLOSSARY_OFFER : TEXT_OFFER };
  }
  if (method === 'GET') return refuse(404, 'deprecated');
  return translate(body, account);
}

function translate(body: Record<string, unknown>, { glossaries }: Account): VendorAnswer {
  const unknown = Object.keys(body).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) return refuse(400, `Bad request. Reason: unknown parameter ${unknown}`);
  const texts = body['text'];
  if (!Array.isArray(texts) || texts.length > 50) return refuse(400, "Parameter 'text' is not valid");
  if (Buffer.byteLength(JSON.stringify(body)) > 128 * 1024) return refuse(413, 'Request Entity Too Large');
  const source = String(body['source_lang']);
  const target = String(body['target_lang']);
  if (!SOURCES.includes(source)) return refuse(400, "Value for 'source_lang' not supported.");
  if (!TARGETS.includes(target)) return refuse(400, "Value for 'target_lang' not supported.");
  try {
    for (const text of texts) create(`<document>${String(text)}</document>`);
  } catch {
    return refuse(400, 'Tag handling parsing failed, please check input.');
  }
  const id = body['glossary_id'];
  const glossary = glossaries.get(String(id));
  if (id !== undefined && !glossary) return refuse(404, 'Glossary not found');
  if (glossary && (glossary.source_lang !== baseOf(source) || glossary.target_lang !== baseOf(target))) {
    return refuse(400, 'Glossary languages do not match the languages of the request');
  }
  if (glossary && glossary.looks > 0) return refuse(400, 'Glossary is not ready');
  const translations = texts.map((text) => ({
    detected_source_language: source,
    text: shout(replaceTerms(String(text), glossary), /<x\b[^>]*>[^<]*<\/x>/),
  }));
  return { status: 200, body: { translations } };
}

/** Replaces each term with its translation. */
function replaceTerms(text: string, glossary: StoredGlossary | undefined): string {
  let replaced = text;
  for (const [term, translation] of glossary?.entries ?? []) {
    replaced = replaced.replaceAll(term, translation);
  }
  return replaced;
}

function answerGlossary({ method, path, body }: VendorRequest, account: Account): VendorAnswer {
  const { glossaries } = account;
  const id = path.split('/')[3];
  if (id === undefined) {
    return method === 'POST'
      ? createGlossary(body, account)
      : { status: 200, body: { glossaries: [...glossaries.values()].map(describe) } };
  }
  const glossary = glossaries.get(id);
  if (!glossary) return refuse(404, 'Glossary not found');
  if (method === 'DELETE') {
    glossaries.delete(id);
    return { status: 204, body: '' };
  }
  glossary.looks--;
  return { status: 200, body: describe(glossary) };
}

function createGlossary(body: Record<string, unknown>, account: Account): VendorAnswer {
  const { name, source_lang: source, target_lang: target, entries, entries_format: format } = body;
  const isText = typeof name === 'string' && name !== '' && typeof entries === 'string' && entries !== '';
  if (!isText || format !== 'tsv') return refuse(400, 'Bad request');
  if (![source, target].every((code) => GLOSSARY_LANGUAGES.includes(String(code)))) {
    return refuse(400, 'Unsupported glossary source and target language pair');
  }
  if (account.glossaries.size >= account.room) return refuse(456, 'Quota Exceeded');
  const read = new Map<string, string>();
  for (const line of entries.split('\n')) {
    const cells = line.split('\t');
    const [term = '', translation = ''] = cells;
    const isSound = [term, translation].every(
      (text) =>
        text !== '' && text.trim() === text && !/\p{Cc}/u.test(text) && Buffer.byteLength(text) <= 1024,
    );
    if (cells.length !== 2 || !isSound || read.has(term)) return refuse(400, 'Invalid glossary entries');
    read.set(term, translation);
  }
  const glossary: StoredGlossary = {
    glossary_id: crypto.randomUUID(),
    name,
    source_lang: String(source),
    target_lang: String(target),
    creation_time: new Date(account.now()).toISOString(),
    entries: read,
    looks: account.looks,
  };
  account.glossaries.set(glossary.glossary_id, glossary);
  account.peak = Math.max(account.peak, account.glossaries.size);
  return { status: 201, body: describe(glossary) };
}

function describe({ entries, looks, ...glossary }: StoredGlossary): object {
  return { ...glossary, ready: looks <= 0, entry_count: entries.size };
}

function baseOf(code: string): string {
  return code.toLowerCase().replace(/-.*/, '');
}

function refuse(status: number, message: string): VendorAnswer {
  return { status, body: { message } };
}
