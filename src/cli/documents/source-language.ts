import { DragomanError } from '../../base/errors.ts';
import type { DocumentKind } from '../../documents/kind.ts';
import { detectTexts } from '../../languages/detection.ts';
import { languageOf, sameLanguage } from '../../languages/locale.ts';

/**
 * The final source language: the one named on the command line, otherwise the one that the document declares
 * (canonical, regardless of its texts), otherwise the one detected from all texts.
 *
 * @throws DragomanError `unsupported_language` if no language is found
 */
export async function resolveSource(
  named: string | undefined,
  texts: readonly string[],
  what: string,
  declared?: string,
): Promise<string> {
  const known = named ?? declared;
  if (known !== undefined) return known;
  const { language } = await detectTexts(texts);
  if (language !== undefined) return language;
  throw new DragomanError('unsupported_language', `cannot detect the language of ${what}`, {
    hint: 'Name it with -s, for example -s en.',
  });
}

/** Like {@link resolveSource}, for an open document. */
export function sourceOfDocument<Opened>(
  kind: Pick<DocumentKind<Opened, never, unknown>, 'textsOf' | 'languageOf'>,
  opened: Opened,
  { named, what }: { readonly named: string | undefined; readonly what: string },
): Promise<string> {
  // The texts are extracted only if the language must be detected.
  const known = named ?? kind.languageOf(opened);
  return resolveSource(known, known === undefined ? kind.textsOf(opened) : [], what);
}

/**
 * The source language for a service that gets a whole document. A named language is sent unchanged. The service must
 * know the code, so a declared language is sent without its region, like a detected one. `auto` if no language is named
 * or declared.
 */
export function sourceForService(named: string | undefined, declared: string | undefined): string {
  return named ?? (declared === undefined ? 'auto' : withoutRegion(declared));
}

/** Spellings that every service supports: by region for Chinese, the common code for Norwegian. */
const COMMON = ['zh-CN', 'zh-TW', 'no'];

function withoutRegion(code: string): string {
  const language = languageOf(code);
  const common = COMMON.find((other) => sameLanguage(other, code));
  return common ?? (sameLanguage(language, code) ? language : code);
}
