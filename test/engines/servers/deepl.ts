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
const KNOWN = new Set(
  (
    'text source_lang target_lang tag_handling tag_handling_version ignore_tags non_splitting_tags ' +
    'outline_detection preserve_formatting formality'
  ).split(' '),
);

/** Version 2 of DeepL's API as documented: limits, languages, header of the key, XML that has to be well-formed. */
export function startDeepL(): Promise<VendorServer> {
  return startVendor({ isTranslation: ({ path }) => path === '/v2/translate', answer });
}

function answer(request: VendorRequest): VendorAnswer {
  const { method, path, headers, body } = request;
  if (headers.authorization !== `DeepL-Auth-Key ${DEEPL_KEY}`) return refuse(403, 'Authorization failure');
  if (method === 'GET') {
    const type = new URL(path, 'http://localhost').searchParams.get('type');
    const codes = type === 'target' ? TARGETS : SOURCES;
    return { status: 200, body: codes.map((language) => ({ language, name: language })) };
  }
  const unknown = Object.keys(body).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) return refuse(400, `Bad request. Reason: unknown parameter ${unknown}`);
  const texts = body['text'];
  if (!Array.isArray(texts) || texts.length > 50) return refuse(400, "Parameter 'text' is not valid");
  if (Buffer.byteLength(JSON.stringify(body)) > 128 * 1024) return refuse(413, 'Request Entity Too Large');
  if (!SOURCES.includes(String(body['source_lang']))) {
    return refuse(400, "Value for 'source_lang' not supported.");
  }
  if (!TARGETS.includes(String(body['target_lang']))) {
    return refuse(400, "Value for 'target_lang' not supported.");
  }
  try {
    for (const text of texts) create(`<document>${String(text)}</document>`);
  } catch {
    return refuse(400, 'Tag handling parsing failed, please check input.');
  }
  const translations = texts.map((text) => ({
    detected_source_language: body['source_lang'],
    text: shout(String(text), /<x\b[^>]*>[^<]*<\/x>/),
  }));
  return { status: 200, body: { translations } };
}

function refuse(status: number, message: string): VendorAnswer {
  return { status, body: { message } };
}
