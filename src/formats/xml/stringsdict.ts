import { DragomanError } from '../../base/errors.ts';
import { type Edit, firstFrom, type Span } from '../../base/span.ts';
import { isXmlSource, type Syntax } from '../../text/syntax.ts';
import { isPluralCategory, pluralCategories, requiredCategories } from '../../text/plural.ts';
import type { Document, Entry, Key, RetargetOptions } from '../format.ts';
import { blocksOf, describeBlock, joinNotes } from './blocks.ts';
import { characterDataOf } from './content.ts';
import { type Collector, type CollectOptions, Findings } from './findings.ts';
import { parseXml } from './parser.ts';
import { readVerbatimText, type Reading, type ReadOptions } from './reading.ts';
import { adaptForms, type XmlForm } from './plural-forms.ts';
import { xmlFrameOf, type XmlElement, type XmlTree } from './tree.ts';

/** The key of an entry's text, which contains variables: `%#@files@ left`. */
const FORMAT = 'NSStringLocalizedFormatKey';
/** Keys of dictionaries with texts by width and by device. */
const RULES: ReadonlySet<string> = new Set([
  'NSStringVariableWidthRuleType',
  'NSStringDeviceSpecificRuleType',
]);

/** A key of a property list with its value, and the comments of both. */
interface DictPair {
  readonly name: string;
  readonly key: XmlElement;
  readonly value: XmlElement;
  readonly span: Span;
  readonly comment: string | undefined;
}

function pairsOf(tree: XmlTree, dict: XmlElement): readonly DictPair[] {
  const blocks = blocksOf(tree, dict);
  return blocks.flatMap((block, i) => {
    const key = blocks[i - 1];
    if (key?.element.name !== 'key' || block.element.name === 'key') return [];
    return {
      name: characterDataOf(tree, key.element),
      key: key.element,
      value: block.element,
      span: { start: key.span.start, end: block.span.end },
      comment: joinNotes([describeBlock(tree, key), describeBlock(tree, block)]),
    };
  });
}

/** A property list without a dictionary has no pairs. */
function pairsIn(tree: XmlTree): readonly DictPair[] {
  return tree.list === tree.root ? [] : pairsOf(tree, tree.list);
}

/** Whether a text has more than variables and is therefore translatable. */
function isMoreThanVariables(text: string): boolean {
  return text.replaceAll(/%(?:\d{1,3}\$?)?#@[^@\s]{1,200}@/g, '').trim() !== '';
}

/**
 * Apple's plurals: each key has a format with variables, whose forms are texts by plural category. A format that only
 * consists of variables is not a text, unless it translates a format that is one: a translator may move words into the
 * forms. An entry is removed as a whole with its format.
 */
export class StringsdictCollector implements Collector {
  readonly #tree: XmlTree;
  readonly #reading: ReadOptions;
  readonly #source: Document | undefined;
  #formats: Map<string, boolean> | undefined;
  readonly findings: Findings;

  constructor(tree: XmlTree, options: CollectOptions) {
    this.#tree = tree;
    this.#source = options.source;
    this.#reading = { frame: xmlFrameOf(tree), encodable: options.encodable, needsText: false };
    this.findings = new Findings(() => 'apple', options);
  }

  collect(): void {
    this.#readPairs(pairsIn(this.#tree), [], undefined, this.findings.entries);
  }

  /** @param entries receives the dictionary's entries */
  #readPairs(pairs: readonly DictPair[], group: Key, above: string | undefined, entries: Entry[]): void {
    const isRule = RULES.has(group.at(-1) ?? '');
    for (const { name, value, span, comment } of pairs) {
      const key = group.concat(name);
      const note = joinNotes([above, comment]);
      if (value.name === 'dict') {
        const children: Entry[] = [];
        this.#readPairs(pairsOf(this.#tree, value), key, note, children);
        this.findings.enter({ key, span, children }, value, entries);
      } else if (value.name !== 'string' || group.length === 0) continue;
      else if (isRule || isPluralCategory(name)) {
        this.findings.add(key, value, this.#read(value), note, isRule ? undefined : group);
        this.findings.enter({ key, span }, value, entries);
      } else if (name === FORMAT && this.#isText(key, value))
        this.findings.add(key, value, new FormatReading(this.#read(value)), note);
    }
  }

  #isText(key: Key, value: XmlElement): boolean {
    this.#formats ??= formatsOf(this.#source);
    const id = idOf(key.slice(0, -1));
    const isText = this.#formats.get(id);
    // If several formats have the same key, only the first is compared with the source.
    this.#formats.delete(id);
    return isText ?? isMoreThanVariables(characterDataOf(this.#tree, value));
  }

  #read(element: XmlElement): Reading {
    return readVerbatimText(this.#tree, element, this.#reading);
  }
}

/** Whether each format of a source is a text, by its dictionary. */
function formatsOf(source: Document | undefined): Map<string, boolean> {
  const formats = new Map<string, boolean>();
  if (source?.dialect !== 'stringsdict') return formats;
  for (const { key, plural } of source.slots) {
    if (key.at(-1) === FORMAT) formats.set(idOf(key.slice(0, -1)), true);
    // The forms of a variable are in a dictionary next to the format.
    const id = idOf(plural?.group.slice(0, -1) ?? []);
    if (plural && !formats.has(id)) formats.set(id, false);
  }
  return formats;
}

// NUL cannot occur in XML.
const idOf = (key: Key): string => key.join('\0');

/** A format that counts as a text only if it contains words besides its variables. */
class FormatReading implements Reading {
  readonly value: string;
  readonly markup: boolean;
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.value = reading.value;
    this.markup = reading.markup;
    this.#reading = reading;
  }

  get span(): Span {
    return this.#reading.span;
  }

  encode(value: string, syntax?: Syntax): string {
    const isMarkup = syntax === undefined ? this.markup : isXmlSource(syntax);
    // Tags, comments and instructions are not text.
    const words = isMarkup ? value.replaceAll(/<[^<>]*>/g, '') : value;
    if (isMoreThanVariables(words)) return this.#reading.encode(value, syntax);
    throw new DragomanError(
      'unencodable_value',
      'a format that only consists of variables is not translatable',
    );
  }
}

/** An entry requires its format and is removed as a whole. */
export function wholeEntries(keys: readonly Key[]): readonly Key[] {
  return keys.map((key) => (key.at(-1) === FORMAT ? key.slice(0, -1) : key));
}

/**
 * Whether a key without a value precedes an entry: if the entry were removed, the next element would become that key's
 * value.
 */
export function isBehindKey({ span }: Pick<Entry, 'span'>, value: XmlElement | undefined): boolean {
  const siblings = value?.parent?.children ?? [];
  let at = firstFrom(siblings, span.start) - 1;
  while (siblings[at] && siblings[at]?.type !== 'element') at--;
  const before = siblings[at];
  return before?.type === 'element' && before.name === 'key';
}

/**
 * Gives every variable the language's plural categories, and `zero` if the source has it: Apple displays it for the
 * number 0 in every language. Missing forms start as copies of `other`.
 */
export function retargetStringsdict(text: string, options: RetargetOptions): readonly Edit[] {
  const tree = parseXml(text);
  const edits: Edit[] = [];
  const visit = (pairs: readonly DictPair[]): void => {
    for (const { name, value } of pairs) {
      if (value.name !== 'dict') continue;
      if (!RULES.has(name)) edits.push(...retargetVariable(tree, value, options));
      visit(pairsOf(tree, value));
    }
  };
  visit(pairsIn(tree));
  return edits;
}

function retargetVariable(
  tree: XmlTree,
  dict: XmlElement,
  { locale, role }: RetargetOptions,
): readonly Edit[] {
  const forms = pairsOf(tree, dict)
    .filter(({ name, value }) => value.name === 'string' && isPluralCategory(name))
    .map((pair): XmlForm => {
      const { name: category, key, value, span } = pair;
      const name = { start: key.openEnd, end: key.closeStart };
      const copied = { start: key.start, end: value.end };
      return { category, name, span, copied, isFixed: isBehindKey(pair, value) };
    });
  if (role === 'existing') return adaptForms(tree, forms, forms, requiredCategories(locale));
  const wanted = pluralCategories(locale);
  const kept = forms.filter(
    ({ category, isFixed }) => category === 'zero' || wanted.includes(category) || isFixed,
  );
  return adaptForms(tree, forms, kept, wanted);
}
