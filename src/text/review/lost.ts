import { everydayCategories } from '../plural.ts';
import { compareWordings, type WordingRules } from './compare.ts';
import type { Remark } from './remark.ts';
import type { Wording } from './wording.ts';

/** A form for so few numbers that it may omit the number. */
const FEW = /^(?:zero|one|two|=.*)$/;

interface LostCode {
  readonly id: string;
  readonly remark: Remark;
}

/**
 * Codes that the source's forms for many numbers display, but no form of the translation. The form for one number may
 * omit them, but at least one other form must have them. A language with one form for all numbers may use the argument
 * of the form for one number instead: `{item}` for `{items}`.
 */
export function lostInAll(
  sources: readonly Wording[],
  targets: readonly Wording[],
  comparison: WordingRules,
): readonly LostCode[] {
  const [source, target] = [sources.at(-1), targets.at(-1)];
  if (!source || !target || (sources.length < 2 && targets.length < 2)) return [];
  const many = sources.filter((shown) => shown === source || (shown.form && !FEW.test(shown.form.selector)));
  const lost = [...source.codes].filter(
    ([id]) => many.every(({ codes }) => codes.has(id)) && !targets.some(({ codes }) => codes.has(id)),
  );
  const isOwnOfFew = (id: string): boolean =>
    !source.codes.has(id) && targets.some(({ codes }) => codes.has(id));
  const standIns = sources.flatMap((shown) =>
    many.includes(shown) ? [] : [...shown.codes.keys()].filter(isOwnOfFew),
  );
  const { locale } = comparison;
  const hasOneForm = locale !== undefined && everydayCategories(locale).length === 1;
  if (lost.length === 0 || (hasOneForm && new Set(standIns).size >= lost.length)) return [];
  const strict = { ...comparison, form: undefined, numbers: undefined, counted: new Set<string>() };
  const remarks = compareWordings(source, target, strict);
  return lost.flatMap(([id, raw]) => {
    const remark = remarks.find(({ detail }) => detail === `${raw} is missing`);
    return remark ? { id, remark } : [];
  });
}

/** A text without the codes that are already reported. */
export function withoutCodes(shown: Wording, lost: readonly LostCode[]): Wording {
  const ids = new Set(lost.map(({ id }) => id));
  return { ...shown, codes: new Map([...shown.codes].filter(([id]) => !ids.has(id))) };
}
