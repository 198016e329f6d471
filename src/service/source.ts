import { DragomanError } from '../base/errors.ts';
import { requireLanguage } from '../languages/catalog.ts';
import { detectLanguage, detectTexts } from '../languages/detection.ts';

/** The definite code that was asked for; undefined for `auto`. @throws DragomanError `unsupported_language`. */
export function namedSource(code: string): string | undefined {
  return code === 'auto' ? undefined : requireLanguage(code);
}

/** Less sure than this, a text of few words is better taken for what the texts beside it are in. */
const SURE = 0.5;

/** The language of each text; undefined where nothing tells. */
export async function detectEach(texts: readonly string[]): Promise<readonly (string | undefined)[]> {
  const together = texts.length > 1 ? (await detectTexts(texts)).language : undefined;
  const own = await Promise.all(
    [...new Set(texts)].map(async (text) => [text, await detectLanguage(text)] as const),
  );
  const languages = new Map(
    own.map(([text, { language, confidence }]) => [
      text,
      confidence >= SURE ? language : (together ?? language),
    ]),
  );
  return texts.map((text) => languages.get(text));
}

/** What tells the language of a document. */
export interface LanguageEvidence {
  /** What the document itself says it is in, canonical. */
  readonly declared?: string | undefined;
  readonly texts: readonly string[];
}

/**
 * The source language of a document: the one that was named, else the one that it declares itself, whatever its texts
 * look like, else what its texts together are in.
 *
 * @throws DragomanError `unsupported_language` for a name nobody knows, and where nothing tells the language.
 */
export async function documentSource(code: string, read: () => LanguageEvidence): Promise<string> {
  const named = namedSource(code);
  if (named !== undefined) return named;
  const { declared, texts } = read();
  if (declared !== undefined) return declared;
  const { language } = await detectTexts(texts);
  if (language !== undefined) return language;
  // Where there is not a letter no engine is asked, whatever the language.
  if (!texts.some((text) => /\p{L}/u.test(text))) return 'und';
  throw new DragomanError('unsupported_language', 'cannot tell the language of the text', {
    hint: 'Name the source language.',
  });
}
