import { requireLanguage } from '../languages/catalog.ts';
import { detectTexts, undetectable } from '../languages/detection.ts';

/** The definite code that was asked for; undefined for `auto`. @throws DragomanError `unsupported_language`. */
export function namedSource(code: string): string | undefined {
  return code === 'auto' ? undefined : requireLanguage(code);
}

/** What shows the language of a document. */
export interface LanguageEvidence {
  /** What the document itself says it is in, canonical. */
  readonly declared?: string | undefined;
  readonly texts: readonly string[];
}

/**
 * The source language of a document: the one that was named, else the one that it declares itself, whatever its texts
 * look like, else what its texts together are in.
 *
 * @throws DragomanError `unsupported_language` for an unknown name, and if the language cannot be detected.
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
  throw undetectable('Name the source language.');
}
