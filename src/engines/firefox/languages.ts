import { areVariants } from '../../languages/locale.ts';
import { fallbackCodes } from '../fallback.ts';
import { codesFor } from './installed.ts';

/**
 * Languages that have models from English, to English or both, as they are spelled there. A hint only: what there is
 * says the list of models when something is installed.
 */
const LANGUAGES = (
  'ar az be bg bn bs ca cs da de el en es et fa fi fr gu he hi hr hu id is it ja kn ko lt lv ml ms nb nl nn pl pt ro ' +
  'ru sk sl sq sr sv ta te th tr uk vi zh-Hans zh-Hant'
).split(' ');

const HUB = 'en';

/** The command that installs this pair, with English as pivot if needed; undefined if there are no such models. */
export function installHintFor(source: string, target: string): string | undefined {
  const from = spelledAs(source, LANGUAGES);
  const to = spelledAs(target, LANGUAGES);
  if (from === undefined || to === undefined || areVariants(source, target)) return undefined;
  const names = from === HUB || to === HUB ? [`${from}-${to}`] : [`${from}-${HUB}`, `${HUB}-${to}`];
  return `dragoman engines install ${names.join(' ')}`;
}

/** A canonical code as these languages are spelled, or what may stand in for it: `pt` for `pt-BR`. */
export function spelledAs(code: string, languages: readonly string[]): string | undefined {
  for (const candidate of fallbackCodes(code)) {
    const found = languages.find((language) => codesFor(language).includes(candidate));
    if (found !== undefined) return found;
  }
  return undefined;
}
