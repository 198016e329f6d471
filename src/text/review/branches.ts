import { type BranchRule, choicePositions, conditionOf, isChoice } from '../choice.ts';
import type { MessagePart } from '../node.ts';
import type { Parsed } from '../parse.ts';
import { everydayCategories, pluralCategories } from '../plural.ts';
import type { Syntax } from '../syntax.ts';
import { compareWordings, type WordingRules } from './compare.ts';
import type { Remark } from './remark.ts';
import { COUNT, type Wording } from './wording.ts';

interface BarOptions {
  readonly syntax: Syntax;
  readonly locale: string | undefined;
  /** The application's rule: see `parseMessage`. */
  readonly rule?: BranchRule | undefined;
}

/**
 * Vue and Laravel separate plural forms by bars: as many as in the source, as many as the language needs, or one for
 * all. Forms with explicit numbers may be any number.
 */
export function compareBars(
  from: readonly Parsed[],
  to: Parsed,
  { syntax, locale, rule }: BarOptions,
): readonly Remark[] {
  const wanted = from.map(({ parts }) => parts.length);
  const found = to.parts.length;
  const saysNumbers = (part: MessagePart): boolean => conditionOf(part, syntax) !== undefined;
  if (to.parts.some(saysNumbers)) return [];
  const own = syntax === 'vue' && found > 1 && locale !== undefined ? rule?.(locale)?.length : undefined;
  if (own !== undefined && locale !== undefined) {
    if (rule?.(locale, found)) return [];
    const detail = `${found} branches between bars instead of ${own} for ${locale}: nothing is shown for some numbers`;
    return [{ rule: 'plural-categories', detail }];
  }
  const isPlural = found > 1 && from.some(({ parts }) => isChoice(parts, syntax));
  const chosen = isPlural && locale !== undefined ? choicePositions(locale)?.length : undefined;
  if (chosen !== undefined && found < chosen) {
    const detail = `${found} branches between bars instead of ${chosen} for ${locale}: the first one is shown in place of the others`;
    return [{ rule: 'plural-categories', detail }];
  }
  if (wanted.includes(found)) return [];
  const hasForms = wanted.some((count) => count > 1);
  const usual =
    locale === undefined ? [] : [everydayCategories(locale).length, pluralCategories(locale).length];
  if (hasForms && (found === 1 || usual.includes(found) || usual.includes(found - 1))) return [];
  const detail = `${found} branches between bars instead of ${wanted[0] ?? 1}`;
  // With a wrong number of forms, the program displays another form. Laravel displays the bar of a text that it does
  // not split.
  return [
    { rule: 'placeholder-mismatch', detail, ...(hasForms || syntax === 'vue' ? { isDoubtful: true } : {}) },
  ];
}

/** The arguments that may be the number in a text with forms between bars: a form may omit it. */
export function numbersIn(sources: readonly Wording[]): ReadonlySet<string> {
  const codes = new Map(sources.flatMap((source) => [...source.codes]));
  if (codes.size <= 1) return new Set(codes.keys());
  return new Set([...codes].flatMap(([id, raw]) => (COUNT.test(raw) ? id : [])));
}

/** A form for so few numbers that it may omit the number. */
const FEW = /^(?:zero|one|two|=.*)$/;

interface LostCode {
  readonly id: string;
  readonly remark: Remark;
}

/**
 * Codes that the source's forms for many numbers display and no form of the translation does: the form for one number
 * may omit them, but not all forms.
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
  if (lost.length === 0) return [];
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
