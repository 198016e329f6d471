import { describeLoose } from '../compare.ts';
import { directivesOf } from '../directives.ts';
import { countNumbers } from '../plural.ts';
import type { MessageNode } from '../node.ts';
import type { Syntax } from '../syntax.ts';
import { isReadBy, mayStillBePassed, nameIn, type References } from './arguments.ts';
import { reviewLinks } from './links.ts';
import { mismatchRemark, type Remark } from './remark.ts';
import { COUNT, isShortConversion, isTemplate, type Wording, textOf } from './wording.ts';
import { reviewTags, tagName, type TagContext } from './tags.ts';

export interface WordingRules extends TagContext {
  readonly locale: string | undefined;
  /** The plural category of the whole value, if the file stores each form as a separate value. */
  readonly form: string | undefined;
  /** Codes in any text of the source. */
  readonly known: ReadonlySet<string>;
  /** Arguments for whose plurals the translation has branches. */
  readonly counted: ReadonlySet<string>;
  /** Arguments by which the message selects its texts, if it is split into pieces. */
  readonly selectors: ReadonlySet<string>;
  /** The arguments that may be the number, for a text with forms between bars. */
  readonly numbers: ReadonlySet<string> | undefined;
  /** Whether the program's notation is known. */
  readonly isCertain: boolean;
  /** Whether the program formats the text by its own rules, in which case the order of conversions is free. */
  readonly hasOwnFormat: boolean;
  /** Names of arguments that a text may add, and of those that it may omit. */
  readonly supplied: ReadonlySet<string> | undefined;
  readonly spared: ReadonlySet<string> | undefined;
  readonly references: References | undefined;
}

/** The significant differences between a translated text and its source text. */
export function compareWordings(
  source: Wording,
  target: Wording,
  comparison: WordingRules,
): readonly Remark[] {
  const tags = reviewTags(source.nodes, target.nodes, {
    ...comparison,
    form: target.form?.selector ?? comparison.form,
    isForOneNumber: isForOneNumber(target, comparison),
  });
  return [
    ...compareCodes(source, target, comparison),
    ...compareSigns(source, target, comparison),
    ...tags,
    ...reviewLinks(source, target),
  ];
}

function compareCodes(source: Wording, target: Wording, comparison: WordingRules): readonly Remark[] {
  const isShownAs = isWord(source, target, comparison.syntax);
  const standsIn = findUnread(source, target, comparison);
  // Such a text may have no number: "Nothing was changed".
  const isForNone = /^(?:zero|=0)$/.test(target.form?.selector ?? comparison.form ?? '');
  const isOwn = isOwnSign(source, target, comparison);
  const isFree = (raw: string, names: ReadonlySet<string> | undefined): boolean =>
    names?.has(nameIn(raw)) === true ||
    names?.has(raw) === true ||
    comparison.references?.isKnown(raw) === true ||
    isShownAs(raw) ||
    isOwn(raw);
  const added = [...target.codes].filter(
    ([id, raw]) =>
      !source.codes.has(id) &&
      !isFree(raw, comparison.supplied) &&
      !isKnown(id, raw, source, comparison) &&
      !standsIn(raw, source) &&
      !isOfLoneTag(raw, target, source),
  );
  // Qt only replaces `%n` in messages with numerus forms: in others, `%name%` is a word.
  const isLiteral = (raw: string): boolean =>
    comparison.syntax === 'qt' && /^%L?n$/.test(raw) && (target.form ?? comparison.form) === undefined;
  const isAllowed = isForNone && isForOneNumber(target, comparison);
  const missing = isAllowed
    ? []
    : [...source.codes].filter(
        ([id, raw]) =>
          !target.codes.has(id) &&
          !isFree(raw, comparison.spared) &&
          !isLiteral(raw) &&
          !standsIn(raw, target) &&
          !isOfLoneTag(raw, source, target),
      );
  const quoted = comparison.syntax === 'icu' && !comparison.isCertain;
  if (quoted) missing.push(...quotedOnlyIn(source, target));
  if (quoted) added.push(...quotedOnlyIn(target, source));
  const number = added.length === 0 ? findNumber(missing, source, target, comparison) : undefined;
  const remark = (raw: string, detail: string, isAdded: boolean | undefined): Remark => ({
    ...mismatchRemark(`${raw} ${detail}`),
    ...(isAdded !== undefined && { argument: { raw, isAdded } }),
    // Code is only displayed.
    ...(isReadBy(comparison.syntax, raw) && !raw.startsWith('`') ? {} : { isDoubtful: true }),
  });
  // `hover:bg-white` is a CSS class: `:bg` in it is not an argument.
  const isPart = (raw: string): boolean => comparison.syntax === 'laravel' && isEnding(raw, textOf(source));
  const isUnquoted = (raw: string): boolean =>
    raw.startsWith('`') && textOf(target).includes(raw.replace(/^`+|`+$/g, ''));
  // `One result` may replace `%1 to %2 of %n results`.
  const isWrittenOut = (raw: string): boolean =>
    number !== undefined && (isLikely(raw) || /^%L?\d+$/.test(raw)) && isForOneNumber(target, comparison);
  const remarks = missing
    .filter((one) => one !== number)
    .map(([, raw]): Remark =>
      isUnquoted(raw)
        ? { rule: 'markup-changed', detail: `${raw} is written without backticks` }
        : {
            ...remark(raw, 'is missing', false),
            ...((isPart(raw) || isWrittenOut(raw)) && { isDoubtful: true }),
          },
    );
  for (const [, raw] of added) {
    const isNamed = mayStillBePassed(comparison.syntax, raw) && comparison.references?.includes(raw) !== true;
    // Code that the source quotes is an example.
    const isPassed = isNamed && !textOf(source).includes(raw);
    remarks.push({
      ...remark(raw, 'is not in the source', isNamed ? true : undefined),
      ...(isPassed && { isDoubtful: true }),
    });
  }
  if (source.dateParts > 1 && !target.nodes.some(mayShowDate))
    remarks.push(mismatchRemark('the parts of the date are missing'));
  if (number && !isForOneNumber(target, comparison)) {
    const form = target.form?.selector ?? comparison.form;
    const where = form === undefined ? '' : `the form ${form} is for several numbers, but `;
    remarks.push({ rule: 'number-left-out', detail: `${where}${number[1]} is missing` });
  }
  return remarks;
}

/** Arguments between apostrophes that the other text lacks: only some programs read the apostrophes as quotes. */
function quotedOnlyIn(own: Wording, other: Wording): [id: string, raw: string][] {
  const raws = new Set(
    own.nodes.flatMap((node) =>
      node.type === 'code' && node.kind === 'quoted' ? (node.raw.match(/\{\w+\}/g) ?? []) : [],
    ),
  );
  if (raws.size === 0) return [];
  const words = textOf(other);
  return [...raws].filter((raw) => !words.includes(raw)).map((raw) => [raw, raw]);
}

/** Whether a code only occurs in attributes of tags that the other text lacks: the missing tag is then the finding. */
function isOfLoneTag(raw: string, own: Wording, other: Wording): boolean {
  const within = own.nodes.filter((node) => node.type !== 'complex' && node.raw.includes(raw));
  const names = new Set(other.nodes.map(tagName));
  return (
    within.length > 0 && within.every((node) => tagName(node) !== undefined && !names.has(tagName(node)))
  );
}

/**
 * Recognizes words that look like codes, if the value is not known to be a format string: names in capitals that the
 * source explains (`{INTEGER}` beside INTEGER, `${HOME}` beside `%s`), and text after a percent sign if a bare percent
 * sign shows that no program formats the text.
 */
function isWord(source: Wording, target: Wording, syntax: Syntax): (raw: string) => boolean {
  const raws = [...source.codes.values()];
  const conversions = raws.filter((raw) => CONVERSION.test(raw));
  const hasSign = source.inventory.loose.has('%');
  // Apple's programs display a text without arguments unchanged.
  if (syntax === 'apple') return (raw) => hasSign && conversions.length === 0 && CONVERSION.test(raw);
  if (!MAY_BE_PROSE.has(syntax)) return () => false;
  const [from, to] = [textOf(source), textOf(target)];
  const words = raws.filter((raw) => {
    const [, sigil, name] = METAVARIABLE.exec(raw) ?? [];
    if (name === undefined) return hasSign && conversions.includes(raw) && to.includes(raw);
    return sigil === '${' ? conversions.length > 0 : countOf(from, name) > countOf(from, raw);
  });
  const hasMetavariable = words.some((raw) => METAVARIABLE.test(raw));
  return (raw) => {
    if (words.includes(raw)) return true;
    if (raws.includes(raw)) return false;
    if (CONVERSION.test(raw)) return hasSign && conversions.length === 0;
    return raw.startsWith('$') && from.includes(`$${nameIn(raw)}`)
      ? true
      : hasMetavariable && TRANSLATED_METAVARIABLE.test(raw);
  };
}

/** Syntaxes whose values are not known to be format strings. */
const MAY_BE_PROSE: ReadonlySet<Syntax> = new Set(['plain', 'symfony', 'vscode']);

const CONVERSION = /^%[^({<%]*[A-Za-z]$/;
const METAVARIABLE = /^(\$\{|[{%])([A-Z][A-Z_]+)[}%]$/;
const TRANSLATED_METAVARIABLE = /^(?:\$?\{[^{}a-z]+\}|%[^%a-z]+%)$/;

/** `%BWords%b`: codes that switch a style on and off, which could be read as a name between two percent signs. */
const STYLED = /%([A-Z])[^%]*%([a-z])(?![a-z])/gu;

/**
 * Recognizes a program's own codes, if both texts have the same number of them: `%0e` and `%u` in any order, `%B` and
 * `%b`.
 */
function isOwnSign(
  source: Wording,
  target: Wording,
  { syntax, hasOwnFormat }: WordingRules,
): (raw: string) => boolean {
  if (!MAY_BE_PROSE.has(syntax)) return () => false;
  if (hasOwnFormat && hasSame([...source.codes.values()], [...target.codes.values()])) return () => true;
  const [from, to] = [textOf(source), textOf(target)];
  const isStyled = [...from.matchAll(STYLED)].some(([, on, off]) => on?.toLowerCase() === off);
  const isSame = isStyled && hasSame(from.match(/%[A-Za-z]/g) ?? [], to.match(/%[A-Za-z]/g) ?? []);
  return (raw) => isSame && raw.startsWith('%');
}

function hasSame(some: readonly string[], others: readonly string[]): boolean {
  return some.toSorted().join(' ') === others.toSorted().join(' ');
}

/** No text for people has more codes. */
const MAX_CODES = 64;

/**
 * Whether a text contains the characters of a code, read as something else. If the value is not known to be a format
 * string, the characters around a percent sign determine how it is read: `%02dKiB` does not contain `%02d`, `%1st` does
 * not contain `%1`, and `%1` before a percent sign is read as `%1%`. Languages that put the percent sign before the
 * number write `%{n}` for `{n}%`, and `%0` for `0%`. In a Java source, braces between apostrophes are an argument only
 * for programs that do not treat apostrophes as quotes.
 */
function findUnread(
  source: Wording,
  target: Wording,
  { syntax, isCertain }: WordingRules,
): (raw: string, other: Wording) => boolean {
  const isFormat = directivesOf(syntax) !== undefined || syntax === 'apple' || syntax === 'android';
  if (source.codes.size + target.codes.size > MAX_CODES) return () => false;
  const [from, to] = [textOf(source), textOf(target)];
  // `%40` for `40%`; without arguments nothing formats the text: `90%-ban` and `%90eko` for `95% sure`.
  const isLiteral = syntax === 'android' && source.codes.size === 0 && /\d ?%/.test(from);
  const hasNumbers = syntax === 'qt' || syntax === 'kde';
  const isPercentage = (raw: string): boolean => {
    if (!raw.startsWith('%') || (!isLiteral && !hasNumbers)) return false;
    // Qt reads two digits at most: `%10` of `%100`.
    const digits = /^\d+/.exec(to.slice(to.indexOf(raw) + 1))?.[0] ?? raw.slice(1);
    // `%&1` displays `%1` with an accelerator: Qt replaces neither.
    return isLiteral || from.includes(`${digits}%`) || from.includes(`%&${digits}`);
  };
  return (raw, other) => {
    const text = other === source ? from : to;
    if (syntax === 'java' || (syntax === 'icu' && !isCertain))
      return other === source ? from.includes(raw) : isShownByJava(to, raw);
    const [, name, part] = /^\{(\w+)([.[][^{}]+)?\}$/.exec(raw) ?? [];
    if (name !== undefined) {
      const isPart = part === undefined ? hasPart(to, name) : from.includes(`{${name}}`);
      if (isPart) return true;
    }
    const isInside = other.nodes.some(
      (node) => node.type === 'code' && isTemplate(node.raw) && node.raw.includes(raw),
    );
    if (isInside) return true;
    if (isFormat) return other === source && isPercentage(raw);
    // `:Attribute:en` has a Swedish suffix. Laravel leaves it unchanged.
    if (syntax === 'laravel' && other === source && isEnding(raw, to)) return true;
    if (/^%?\{\w+\}$/.test(raw)) {
      const name = raw.replace('%', '');
      return to.includes(`%${name}`) && (from.includes(`${name}%`) || from.includes(`${name} %`));
    }
    if (!raw.startsWith('%')) return false;
    // `%%name%`: a percentage, in a language with the percent sign in front.
    if (/^%\w+%$/.test(raw) && text.includes(`%${raw}`)) return true;
    if (/^%[A-Za-z]?\d+%$/.test(raw)) return text.includes(raw.slice(0, -1));
    if (/^%\d+$/.test(raw) && (text.includes(`${raw}%`) || (other === source && /\d ?%/.test(from))))
      return true;
    if (/^%\d[A-Za-z]?$/.test(raw) && hasLetterBehind(raw, text)) return true;
    // A whole date: the source leaves the order to the system, and the translation lists the parts.
    if (/^%[cxXrDFTR]$/.test(raw) && raw === from) return target.dateParts > 1;
    return other.nodes.some((node) => node.type === 'text' && hasWord(node.raw, raw));
  };
}

/** Whether a text has an argument's notation only after letters. */
function isEnding(raw: string, text: string): boolean {
  const parts = text.split(raw);
  return parts.length > 1 && parts.slice(0, -1).every((before) => /[\p{L}\p{N}_]$/u.test(before));
}

/** Whether java.text reads an argument outside quotations: any single apostrophe opens or closes one. */
function isShownByJava(text: string, raw: string): boolean {
  return text.split(/'(?!')/).some((part, at) => at % 2 === 0 && part.includes(raw));
}

/** Whether a text has a part of an argument, such as a grammatical case: `{month.f[G]}` for `{month}`. */
function hasPart(text: string, name: string): boolean {
  return text.includes(`{${name}.`) || text.includes(`{${name}[`);
}

/** `%1s` is read as one conversion, even if it is `%1` and a letter, which a translation may replace: `%1d`, `%1j`. */
function hasLetterBehind(raw: string, text: string): boolean {
  const at = text.indexOf(raw.slice(0, 2));
  const behind = text.slice(at + 2);
  return at >= 0 && (raw.length === 2 ? /^[A-Za-z]/ : /^(?![\d$.%])/).test(behind);
}

function hasWord(text: string, raw: string): boolean {
  const at = text.indexOf(raw);
  return at >= 0 && !(/\d$/.test(raw) && /^\d/.test(text.slice(at + raw.length)));
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** A named argument can be used in any plural form; a conversion takes the next argument. */
function isKnown(id: string, raw: string, source: Wording, { form, known, syntax }: WordingRules): boolean {
  if (source.dateParts > 0 && isShortConversion(raw)) return true;
  // A plural's number is available in all its forms.
  const hasNumber = syntax === 'qt' || directivesOf(syntax) === undefined;
  if (form !== undefined && COUNT.test(raw) && hasNumber) return true;
  if (!id.startsWith('%') || /^%[({<]/.test(id)) {
    if (known.has(id)) return true;
    // The text is not an argument if the source has none: a translation of "Stray } without {" may have words between
    // braces.
    const hasArguments = [...source.codes.values()].some((other) => other.endsWith('}'));
    return syntax !== 'icu' && !hasArguments && raw.endsWith('}') && /[^\0-\x7f]/.test(raw);
  }
  return false;
}

/** Whether a node may be part of a date, even with other digits: `%OH:%OM`. */
function mayShowDate(node: MessageNode): boolean {
  return node.type !== 'complex' && /%[-_0^#EO]{0,3}[A-Za-z]/.test(node.raw);
}

/** The number that a plural form may omit, if nothing else is missing. */
function findNumber(
  missing: readonly (readonly [string, string])[],
  source: Wording,
  { form }: Wording,
  { counted, numbers, selectors, syntax, form: category }: WordingRules,
): readonly [string, string] | undefined {
  if (numbers) return missing.find(([id]) => numbers.has(id));
  const named = missing.find(([, raw]) => raw.endsWith('}') && counted.has(nameIn(raw)));
  if (named) return named;
  const selector = form?.selector ?? category;
  if (selector === undefined || !/^(?:zero|one|two|=.*)$/.test(selector)) return undefined;
  if (form?.argument !== undefined && syntax === 'icu') return undefined;
  if (selectors.size > 0) return missing.find(([id]) => selectors.has(id));
  const [only] = missing;
  // `a day and an hour` may replace `%1$u day and %2$u hour`.
  const isAllNumbers = missing.length > 1 && missing.every(([, raw]) => isLikely(raw));
  if (!only || missing.length > 1)
    return missing.find(([, raw]) => COUNT.test(raw)) ?? (isAllNumbers ? only : undefined);
  const others = [...source.codes.values()].filter((raw) => raw !== only[1]);
  return isLikely(only[1]) || !others.some(isLikely) ? only : undefined;
}

/** Whether a code is likely to be the number, by its name or type. */
function isLikely(raw: string): boolean {
  return COUNT.test(raw) || /^%.*[diouxXeEfgG]$/.test(raw);
}

function isForOneNumber({ form }: Wording, { form: category, locale }: WordingRules): boolean {
  const selector = form?.selector ?? category;
  if (selector === undefined) return false;
  if (selector.startsWith('=')) return true;
  const numbers = locale === undefined ? 1 : (countNumbers(selector, locale, form?.type ?? 'cardinal') ?? 1);
  return numbers <= 1;
}

/** A format character outside directives is literal if the value is not known to be a format string. */
function compareSigns(source: Wording, target: Wording, { syntax, form }: WordingRules): readonly Remark[] {
  const [from, to] = [source.inventory, target.inventory];
  const remarks: Remark[] = [];
  // Java counts unnumbered conversions separately, and aapt only rejects a mixture in single strings.
  const mayMix = form !== undefined && (syntax === 'android' || syntax === 'markup');
  if (to.mixed && !from.mixed && !mayMix)
    remarks.push(mismatchRemark('placeholders with and without numbers are mixed'));
  const isFormat =
    directivesOf(syntax) !== undefined || ((syntax === 'apple' || syntax === 'android') && from.format);
  for (const sign of isFormat ? to.loose : [])
    if (!from.loose.has(sign)) remarks.push(mismatchRemark(describeLoose(sign)));
  if (to.doublePercent && !from.doublePercent && from.loose.has('%') && !hasSignInFront(source, target))
    remarks.push(mismatchRemark('%% is not in the source'));
  return remarks;
}

/** Whether a single percent sign belongs to the name after it: `%%name%` for `%name%%`. */
function hasSignInFront(source: Wording, target: Wording): boolean {
  const to = textOf(target);
  return [...source.codes.values()].some((raw) => /^%\w+%$/.test(raw) && to.includes(`%${raw}`));
}
