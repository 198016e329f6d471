import { detectLanguage } from './detection.ts';
import { languageOf, sameLanguage } from './locale.ts';

/** Languages that are often confused in texts of a few words. */
const RELATED: readonly (readonly string[])[] = [
  ['es', 'gl', 'pt', 'ca'],
  ['ca', 'it', 'fr', 'ro'],
  ['sr', 'hr', 'bs', 'sl', 'mk'],
  ['cs', 'sk', 'pl', 'sl'],
  ['ru', 'bg', 'uk', 'be', 'mk'],
  ['sr', 'bg', 'mk', 'ru'],
  ['da', 'nb', 'nn', 'no', 'sv', 'is'],
  ['de', 'nl'],
  ['tr', 'az'],
  ['hi', 'mr'],
  ['ar', 'fa', 'ur'],
  ['fi', 'et'],
];

/** The minimum number of letters for detecting a language from the text alone. */
const LEAST_LETTERS = 40;
const LEAST_CONFIDENCE = 0.7;

/**
 * The language of a text that is clearly not in the target language; otherwise undefined, as for texts that are too
 * short or in a language that is hard to distinguish.
 *
 * @param target canonical
 * @throws DragomanError like `detectLanguage`
 */
export async function foreignLanguageOf(text: string, target: string): Promise<string | undefined> {
  if ((text.match(/\p{L}/gu)?.length ?? 0) < LEAST_LETTERS || !isDetectable(target)) return undefined;
  const { language, confidence } = await detectLanguage(text);
  if (language === undefined || confidence < LEAST_CONFIDENCE || sameLanguage(language, target))
    return undefined;
  const [found, wanted] = [languageOf(language), languageOf(target)];
  const isRelated = RELATED.some((group) => group.includes(found) && group.includes(wanted));
  return found === wanted || isRelated || !isDetectable(language) ? undefined : language;
}

/** Languages that detection never confuses with others. */
const DETECTABLE: ReadonlySet<string> = new Set(
  (
    'ar az be bg bn ca cs da de el en es et fa fi fr gl gu he hi hr hu hy id is it ja ka kn ko lt lv mk ml mr nb nl nn no ' +
    'pa pl pt ro ru sk sl sq sr sv ta te th tr uk ur vi zh'
  ).split(' '),
);

function isDetectable(code: string): boolean {
  return DETECTABLE.has(languageOf(code));
}
