import type { Edit } from '../../base/span.ts';
import { chooseSyntax } from '../../text/message.ts';
import type { Document, Format, RetargetOptions, Slot } from '../format.ts';
import type { Outline } from '../json/outline.ts';
import { php } from '../php/format.ts';
import { scan, type SourceKeyedArrays } from '../php/scan.ts';

/** Matches the conditions of Yii 1 for its forms: `n==1#one book|n>1#many books`. */
const CHOICE = /(?:^|\|)[\s\dn=<>!%&()]+#/;
/** Yii passes a message to ICU only if it has a typed argument; elsewhere an apostrophe is literal. */
const TYPED_ARGUMENT = /\{\s*[\w.]+\s*,/;

const YII: SourceKeyedArrays = {
  dialect: 'Yii',
  isMessage: ([source = '', ...inner], value) =>
    inner.length === 0 && source !== '' && !isRemoved(value) && !CHOICE.test(source),
  syntaxOf: (source) => (TYPED_ARGUMENT.test(source) ? chooseSyntax(source, 'icu', 'plain') : 'plain'),
};

/** `yii message` encloses a translation in these marks if the program no longer uses its message. */
function isRemoved(value: string): boolean {
  return value.length >= 4 && value.startsWith('@@') && value.endsWith('@@');
}

/**
 * A new file has all messages without translations, and no message that the program no longer uses. Computed values
 * belong to the file's own language. Because removal is by key, a repeated message is only removed with all its
 * occurrences, including those that are not texts.
 */
function retarget({ text }: Document<Outline>, { role }: RetargetOptions): readonly Edit[] {
  if (role === 'existing') return [];
  const all = php.scan(text);
  const texts = all.slots.filter(({ key }) => key.length === 1);
  const kept = new Map<string | undefined, number>();
  for (const {
    key: [source],
  } of all.entries)
    kept.set(source, (kept.get(source) ?? 0) + 1);
  for (const {
    key: [source],
    value,
  } of texts)
    if (isRemoved(value)) kept.set(source, (kept.get(source) ?? 0) - 1);
  const isKept = ({ key: [source] }: Slot): boolean => (kept.get(source) ?? 0) > 0;
  const emptied = texts
    .filter((slot) => isKept(slot) && slot.value !== '')
    .map((slot) => ({ span: slot.span, text: slot.encode('') }));
  const gone = texts.filter((slot) => !isKept(slot));
  const known = new Set(texts.map(({ key: [source] }) => source));
  const computed = all.entries.filter(
    ({ key: [source], noText }) => noText === 'value' && !known.has(source),
  );
  return [
    ...emptied,
    ...php.remove(
      all,
      [...gone, ...computed].map(({ key }) => key),
    ),
  ];
}

/** The messages of Yii: arrays whose keys are the program's texts, with an empty value for each untranslated one. */
export const yii: Format<Outline> = {
  ...php,
  scan: (text, options) => scan(text, options, YII),
  retarget,
};
