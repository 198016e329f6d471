import { grammarOf } from '../grammar.ts';
import { isArgument, showsNumber } from '../adapt.ts';
import type { ComplexNode, MessageNode, MessagePart } from '../node.ts';
import { isPlain, parseValue, type Parsed } from '../parse.ts';
import { everydayCategories, pluralCategories } from '../plural.ts';
import { mayLackOther } from '../complex.ts';
import type { Syntax } from '../syntax.ts';
import { doubleEscaped } from '../verify.ts';
import { type BranchRule, withoutCondition, choicePositions, conditionOf, isChoice } from '../choice.ts';
import { complexIn, hasOther, reviewBranches, variantsOf } from './plurals.ts';
import { mayStillBePassed, nameIn, type References } from './arguments.ts';
import { compareWordings, type WordingRules } from './compare.ts';
import { type EqualNumbers, equalNumbers, renumber } from './equal-numbers.ts';
import { lostInAll, withoutCodes } from './lost.ts';
import { distinct, mismatchRemark, type Remark } from './remark.ts';
import { readVariant, type Wording, COUNT } from './wording.ts';

export interface RemarkOptions {
  readonly syntax: Syntax;
  /** Canonical, if known: without it, plural categories are not checked. */
  readonly locale: string | undefined;
  /** The plural category of a value that is one of several forms. */
  readonly form?: string | undefined;
  /** Whether arguments may have names. If false, names in braces are words. Default: true. */
  readonly hasNames?: boolean | undefined;
  /**
   * Whether the text has no format flag, but others of the file have one: the program then formats this text by its own
   * rules. Default: false.
   */
  readonly hasOwnFormat?: boolean | undefined;
  /** Whether the text belongs to a manual in DocBook or AsciiDoc. Default: false. */
  readonly isManual?: boolean | undefined;
  /** Arguments by which the message selects its texts, if it is split into pieces: `{$n}`. */
  readonly selectors?: readonly string[] | undefined;
  /** Whether the program's notation is known, rather than inferred from the texts of the file. Default: false. */
  readonly isCertain?: boolean | undefined;
  /** The application's rule: see `parseMessage`. */
  readonly rule?: BranchRule | undefined;
  /** Names of arguments that the program supplies for this text, even if its source does not use them. */
  readonly supplied?: ReadonlySet<string> | undefined;
  /** Names of arguments that the text may omit. */
  readonly spared?: ReadonlySet<string> | undefined;
  readonly references?: References | undefined;
  /** See `LintRules`. */
  readonly unwrapsElements?: boolean | undefined;
}

/**
 * The defects of a message that a person wrote, without its source. `verify` is stricter, because it judges machine
 * translations and rejects anything suspicious. Here a finding must be worth a person's time.
 */
export function reviewMessage(value: string, { syntax, locale }: RemarkOptions): readonly Remark[] {
  if (isPlain(value, syntax)) return [];
  const isOpen = (node: ComplexNode): boolean => mayLackOther(syntax) && !hasOther(node);
  return reviewParsed(parseValue(value, syntax), locale, isOpen);
}

function reviewParsed(
  parsed: Parsed,
  locale: string | undefined,
  isOpen: (node: ComplexNode) => boolean,
): readonly Remark[] {
  if (parsed.problem !== undefined)
    return [{ rule: 'icu-syntax', detail: `not a message: ${parsed.problem}` }];
  return parsed.parts.flatMap(({ nodes }) =>
    complexIn(nodes).flatMap((node) => (isOpen(node) ? [] : reviewBranches(node, locale))),
  );
}

/**
 * The defects of a person's translation, by itself and compared with its source.
 *
 * @param sources the possible source texts: all forms of a plural, otherwise one
 */
export function reviewTranslation(
  sources: readonly string[],
  target: string,
  options: RemarkOptions,
): readonly Remark[] {
  const { syntax, locale } = options;
  const plain = isPlain(target, syntax);
  if (plain && sources.every((source) => source === target || isPlain(source, syntax))) return [];
  if (sources.every((source) => hasSameTokens(source, target, syntax))) return [];
  const to = parseValue(target, syntax);
  // An untranslated value has the forms of the source's language.
  const read = [...new Set(sources)].map((source) => readSource(source, options));
  const from = read.map(({ parsed }) => parsed);
  const known = from.flatMap(({ parts }) => parts.flatMap(({ nodes }) => complexIn(nodes)));
  const isOpen = (node: ComplexNode): boolean =>
    mayLackOther(syntax) &&
    !hasOther(node) &&
    !known.some((one) => one.argument === node.argument && hasOther(one));
  const own = plain ? [] : reviewParsed(to, sources.includes(target) ? undefined : locale, isOpen);
  if (to.problem !== undefined) return own;
  // An invalid source cannot be compared and has its own finding.
  const readable = read.filter(({ parsed }) => parsed.problem === undefined);
  const [first] = readable;
  if (!first) return own;
  const isEscaped =
    target.includes('&amp;') && sources.every((source) => doubleEscaped(source, target).length > 0);
  const escaped: readonly Remark[] = !isEscaped
    ? []
    : doubleEscaped(sources[0] ?? '', target).map(({ detail }) => ({ rule: 'double-escaped', detail }));
  return distinct([...own, ...compareParsed(readable, renumber(to, first.equal), options), ...escaped]);
}

/** A source text, which is compared with its translation in every language. */
interface ReadSource {
  /** With equal numbers replaced. */
  readonly parsed: Parsed;
  readonly equal: EqualNumbers;
  /** Empty for an unreadable text. */
  readonly shown: readonly Wording[];
}

/** The sources already read, by relevant options and text. */
const READ = new Map<string, ReadSource>();
const MOST_READ = 20_000;

function readSource(source: string, options: RemarkOptions): ReadSource {
  const { syntax, hasNames = true, hasOwnFormat = false, isManual = false } = options;
  const id = `${syntax} ${hasNames} ${hasOwnFormat} ${isManual} ${source}`;
  let read = READ.get(id);
  if (read) return read;
  const written = parseValue(source, syntax);
  const equal = equalNumbers(written, syntax);
  const parsed = renumber(written, equal);
  read = { parsed, equal, shown: parsed.problem === undefined ? shownIn(parsed, options) : [] };
  if (READ.size >= MOST_READ) READ.clear();
  READ.set(id, read);
  return read;
}

function shownIn(
  parsed: Parsed,
  { syntax, hasNames = true, hasOwnFormat = false, isManual = false }: RemarkOptions,
): readonly Wording[] {
  return parsed.parts.flatMap((part) =>
    variantsOf(withoutCondition(part, syntax)).map((variant) =>
      readVariant(variant, { syntax, hasNames, hasOwnFormat, isManual }),
    ),
  );
}

function compareParsed(read: readonly ReadSource[], to: Parsed, options: RemarkOptions): readonly Remark[] {
  const { syntax, isManual = false } = options;
  const from = read.map(({ parsed }) => parsed);
  const sources = read.flatMap(({ shown }) => shown);
  const targets = shownIn(to, options);
  const fromNodes = from.flatMap(({ parts }) => parts.flatMap(({ nodes }) => nodes));
  const toNodes = to.parts.flatMap(({ nodes }) => nodes);
  const selecting = complexIn(fromNodes).map(({ argument }) => `{${argument}}`);
  const hasBars = to.parts.length > 1 || from.some(({ parts }) => parts.length > 1);
  const comparison: WordingRules = {
    syntax,
    locale: options.locale,
    // The program's rules choose a text between bars, which may omit the number.
    form: options.form ?? (hasBars && to.parts.length > 1 ? 'one' : undefined),
    known: new Set([
      ...sources.flatMap(({ codes }) => [...codes.keys()]),
      ...selecting,
      ...(options.selectors ?? []),
    ]),
    counted: pluralArguments(toNodes),
    selectors: new Set(options.selectors),
    numbers: hasBars ? numbersIn(sources) : undefined,
    hasOwnFormat: options.hasOwnFormat === true,
    isCertain: options.isCertain === true,
    isManual,
    unwrapsElements: options.unwrapsElements,
    supplied: options.supplied,
    references: options.references,
    spared: hasBars && syntax === 'vue' && usesOwnNumber(sources, targets) ? NUMBER_IN_LIST : options.spared,
  };
  // Without `other`, a plural has no form for many numbers, which is a separate finding.
  const isWhole = complexIn(toNodes).every((node) => hasOther(node));
  const lost = options.form === undefined && isWhole ? lostInAll(sources, targets, comparison) : [];
  const rest = lost.length === 0 ? sources : sources.map((shown) => withoutCodes(shown, lost));
  const remarks = [
    ...lost.flatMap(({ remark }) => remark),
    ...targets.flatMap((target) => compareWithNearest(rest, target, comparison)),
  ];
  return [
    ...compareBars(from, to, options),
    ...remarks,
    ...compareSelectors(fromNodes, toNodes, remarks, comparison),
  ];
}

/** Represents the number of a plural in a list of arguments. */
const NUMBER_IN_LIST: ReadonlySet<string> = new Set(['0']);

/**
 * Whether a translation uses the number that vue-i18n itself passes as `{n}` and `{count}`, but its source uses
 * another.
 */
function usesOwnNumber(sources: readonly Wording[], targets: readonly Wording[]): boolean {
  const isOwn = ({ codes }: Wording): boolean => codes.has('{n}') || codes.has('{count}');
  return targets.some(isOwn) && !sources.some(isOwn);
}

/** Text that needs a full comparison: branches, tags, entities, links, escapes, quotes. */
const INTRICATE = /[{}<&|@$\\~']|:\/\/|www\./;

/** Arguments without options: `{name}`, `{{count}}`, and with a character before them: `%{name}`. */
const ARGUMENT = /[#$%]?(?:\{\{ ?\w+ ?\}\}|\{\w+\})/g;

/** A quick check for the usual case, without parsing the values: only the same placeholders in the same order. */
function hasSameTokens(from: string, to: string, syntax: Syntax): boolean {
  if (syntax === 'laravel') return false;
  let [source, target] = [from, to];
  if (source.includes('{') && target.includes('{')) {
    const [wanted, found] = [source.match(ARGUMENT) ?? [], target.match(ARGUMENT) ?? []];
    if (wanted.length !== found.length || !found.every((one, i) => one === wanted[i])) return false;
    [source, target] = [source.replace(ARGUMENT, '\0'), target.replace(ARGUMENT, '\0')];
  }
  if (INTRICATE.test(source) || INTRICATE.test(target)) return false;
  const grammar = grammarOf(syntax);
  const tokens = grammar.tokensFor(source);
  // A character can be syntax in one text and literal in the other text.
  if (grammar.tokensFor(target) !== tokens) return false;
  const wanted = source.match(tokens) ?? [];
  const found = target.match(tokens) ?? [];
  if (wanted.length !== found.length || !found.every((token, i) => token === wanted[i])) return false;
  return countSigns(target) === found.reduce((sum, token) => sum + countSigns(token), 0);
}

function countSigns(text: string): number {
  return text.split('%').length - 1;
}

/** The remarks from the comparison with the source text that yields the fewest, weighted by rule. */
function compareWithNearest(
  sources: readonly Wording[],
  target: Wording,
  comparison: WordingRules,
): readonly Remark[] {
  let nearest: readonly Remark[] | undefined;
  let least = Infinity;
  for (const source of sources) {
    const remarks = compareWordings(source, target, comparison);
    const weight = remarks.reduce((sum, { rule }) => sum + (SLIGHT.has(rule) ? 1 : 1000), 0);
    if (weight >= least) continue;
    [nearest, least] = [remarks, weight];
    if (weight === 0) break;
  }
  return nearest ?? [];
}

const SLIGHT: ReadonlySet<Remark['rule']> = new Set(['number-left-out', 'markup-changed', 'link-mismatch']);

/** Plurals that are missing, with or without their number, and plurals that the source lacks. */
function compareSelectors(
  source: readonly MessageNode[],
  target: readonly MessageNode[],
  found: readonly Remark[],
  { known, counted, locale, syntax }: WordingRules,
): readonly Remark[] {
  const remarks: Remark[] = [];
  const forms = locale === undefined ? 1 : everydayCategories(locale).length;
  for (const name of pluralArguments(source)) {
    if (counted.has(name) || showsArgument(target, name)) continue;
    // A language with one form for all numbers needs neither the plural nor the number.
    const isShown = complexIn(source).some((node) => node.argument === name && showsIn(node));
    if ((forms === 1 && !isShown) || found.some(({ detail }) => detail === `{${name}} is missing`)) continue;
    // A text without the number may be the same for all numbers: the French "Pays" means one country or many.
    remarks.push({
      ...mismatchRemark(`{${name}, plural, …} is missing`),
      ...(isShown ? {} : { isDoubtful: true }),
    });
  }
  const named = new Set([...[...known].map(nameIn), ...complexIn(source).map(({ argument }) => argument)]);
  for (const { argument, style } of complexIn(target)) {
    if (named.has(argument)) continue;
    const detail = `{${argument}, ${style}, …} is not in the source`;
    // A language may need an argument that the source's language does not.
    if (style === 'select') remarks.push({ rule: 'select-added', detail });
    else
      remarks.push({
        ...mismatchRemark(detail),
        ...(mayStillBePassed(syntax, `{${argument}}`) && { isDoubtful: true }),
      });
  }
  return remarks;
}

function showsIn({ argument, branches }: ComplexNode): boolean {
  return branches.some(({ body }) => showsNumber(body, argument));
}

/** Whether a text displays the argument outside its branches, or in branches of others. */
function showsArgument(nodes: readonly MessageNode[], argument: string): boolean {
  return nodes.some((node) =>
    node.type === 'complex'
      ? node.branches.some(({ body }) => showsArgument(body, argument))
      : node.type === 'code' && isArgument(node.raw, argument),
  );
}

function pluralArguments(nodes: readonly MessageNode[]): ReadonlySet<string> {
  return new Set(complexIn(nodes).flatMap(({ style, argument }) => (style === 'select' ? [] : [argument])));
}

interface BarOptions {
  readonly syntax: Syntax;
  readonly locale: string | undefined;
  /** The application's rule: see `parseMessage`. */
  readonly rule?: BranchRule | undefined;
}

/**
 * Vue and Laravel separate plural forms with bars: as many as in the source, as many as the language needs, or one for
 * all. There may be any number of forms with explicit numbers.
 */
function compareBars(
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
    const detail = `${found} branches between bars instead of ${own} for ${locale}: nothing is displayed for some numbers`;
    return [{ rule: 'plural-categories', detail }];
  }
  const isPlural = found > 1 && from.some(({ parts }) => isChoice(parts, syntax));
  const chosen = isPlural && locale !== undefined ? choicePositions(locale)?.length : undefined;
  if (chosen !== undefined && found < chosen) {
    const detail = `${found} branches between bars instead of ${chosen} for ${locale}: the first one is displayed instead of the others`;
    return [{ rule: 'plural-categories', detail }];
  }
  if (wanted.includes(found)) return [];
  const hasForms = wanted.some((count) => count > 1);
  const usual =
    locale === undefined ? [] : [everydayCategories(locale).length, pluralCategories(locale).length];
  if (hasForms && (found === 1 || usual.includes(found) || usual.includes(found - 1))) return [];
  const detail = `${found} branches between bars instead of ${wanted[0] ?? 1}`;
  // With a wrong number of forms, the program displays the wrong form. Laravel displays the bar of a text that it does
  // not split, but a text with a number may be one that it splits.
  const isCounted = from.some(({ parts }) => parts.some(({ nodes }) => nodes.some(isNumber)));
  const isDoubtful = hasForms || isCounted || syntax === 'vue';
  return [{ rule: 'placeholder-mismatch', detail, ...(isDoubtful && { isDoubtful }) }];
}

function isNumber(node: MessageNode): boolean {
  return node.type === 'code' && COUNT.test(node.raw);
}

/** The arguments that may be the number in a text with forms between bars: a form may omit it. */
function numbersIn(sources: readonly Wording[]): ReadonlySet<string> {
  const codes = new Map(sources.flatMap((source) => [...source.codes]));
  if (codes.size <= 1) return new Set(codes.keys());
  return new Set([...codes].flatMap(([id, raw]) => (COUNT.test(raw) ? id : [])));
}
