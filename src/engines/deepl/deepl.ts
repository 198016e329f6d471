import { fieldOf, textOf } from '../../base/json.ts';
import { systemClock } from '../../base/clock.ts';
import type { DragomanError } from '../../base/errors.ts';
import type { Engine, Formality, SegmentHint } from '../engine.ts';
import { boundComments } from '../hints.ts';
import { listOf, type Provider } from '../hosted/provider.ts';
import { HostedConnection, type HostedOptions } from '../hosted/connection.ts';
import type { VendorDirection } from '../hosted/languages.ts';
import { createMachineTranslator } from '../hosted/machine-translator.ts';
import { toXml } from '../hosted/markup.ts';
import { Glossaries } from './glossaries.ts';
import { GlossaryApi } from './glossary-api.ts';
import { readOffer } from './languages.ts';

export interface DeepLOptions extends HostedOptions {
  /** Called with the reason when terms are not sent; the translations may then lack them. */
  readonly onWithoutTerms?: ((error: DragomanError) => void) | undefined;
}

const DEEPL: Provider = {
  id: 'deepl',
  name: 'DeepL',
  keyVariable: 'DEEPL_API_KEY',
  urlVariable: 'DEEPL_BASE_URL',
  defaultUrl: (key) => (key.endsWith(':fx') ? 'https://api-free.deepl.com' : 'https://api.deepl.com'),
};

/** A part of DeepL's limit of 128 KiB; the rest is for other parts of the request. */
const MOST_BYTES = 120 * 1024;
const MOST_TEXTS = 50;
/** The context is shared by all texts of a request. */
const LONGEST_CONTEXT = 1_000;
/** Languages without forms of address ignore a preference but reject a requirement. */
const FORMALITY: Readonly<Record<Formality, string>> = { formal: 'prefer_more', informal: 'prefer_less' };

/**
 * DeepL's API, version 2. Terms are sent as a glossary, which is removed when the engine is closed. Placeholders are
 * elements that are not translated and do not split sentences.
 *
 * @throws DragomanError `configuration` without a key, or for an unusable address
 */
export function createDeepLEngine({ onWithoutTerms, ...options }: DeepLOptions): Engine {
  const { clock = systemClock } = options;
  const connection = new HostedConnection(DEEPL, options, {
    keyHeaders: (key) => ({ authorization: `DeepL-Auth-Key ${key}` }),
    readDetail: (_, body) => ({ message: textOf(body, 'message') ?? textOf(body, 'detail') }),
  });
  const glossaries = new Glossaries({
    api: new GlossaryApi(connection, clock),
    clock,
    closing: connection.closing,
    onTrouble: onWithoutTerms,
  });
  const engine = createMachineTranslator({
    connection,
    limits: { texts: MOST_TEXTS, size: MOST_BYTES },
    batch: { texts: MOST_TEXTS, characters: 16_000 },
    // The size in a JSON body, with quotes and comma.
    sizeOf: (text) => Buffer.byteLength(JSON.stringify(text)) + 1,
    write: toXml,
    languages: (signal) => readLanguages(connection, signal),
    send: (request, signal) => {
      const { source, target, formality, hints, terms } = request;
      const context = contextOf(hints);
      const body = {
        text: request.texts,
        source_lang: source,
        target_lang: target,
        tag_handling: 'xml',
        tag_handling_version: 'v2',
        ignore_tags: ['x'],
        non_splitting_tags: ['x', 'g'],
        outline_detection: false,
        preserve_formatting: true,
        ...(formality && { formality: FORMALITY[formality] }),
        ...(context !== '' && { context }),
      };
      return glossaries.with({ source, target }, terms, signal, async (glossary) => {
        const named = { ...body, ...(glossary !== undefined && { glossary_id: glossary }) };
        const answer = await connection.send({ method: 'POST', path: '/v2/translate', body: named, signal });
        return listOf(DEEPL, answer, 'translations').map((item) => fieldOf(item, 'text'));
      });
    },
  });
  return {
    ...engine,
    uses: { hints: true, terms: true },
    close: async () => {
      await glossaries.close();
      await engine.close();
    },
  };
}

/**
 * Only developers' comments: keys are not prose, and the neighbours of one text would mislead the rest of the batch.
 */
function contextOf(hints: readonly (SegmentHint | undefined)[] = []): string {
  const comments = new Set(hints.flatMap((hint) => boundComments(hint?.comments)));
  let context = '';
  for (const comment of comments) {
    const longer = context === '' ? comment : `${context}\n${comment}`;
    if (longer.length <= LONGEST_CONTEXT) context = longer;
  }
  return context;
}

async function readLanguages(
  connection: HostedConnection,
  signal: AbortSignal,
): Promise<readonly VendorDirection[]> {
  const { sources, targets } = await readOffer(connection, 'translate_text', signal);
  return sources.map((source) => ({ source, targets }));
}
