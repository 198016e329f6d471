import type { Edit } from '../../base/span.ts';
import { isPluralCategory, pluralCategories, requiredCategories } from '../../text/plural.ts';
import type { Document, RetargetOptions } from '../format.ts';
import { decodeString, type Node } from '../json/tree.ts';
import {
  isSourceLanguage,
  localeOf,
  memberOf,
  objectIn,
  readStrings,
  substitutionsIn,
  textIn,
  textsOf,
  type CatalogString,
  type CatalogTree,
} from './catalog.ts';
import { MemberWriter, UNTRANSLATED, valueOf, type CatalogValue } from './encode.ts';

/**
 * For a new target, every string gets a localization like the source's. An existing localization keeps its own
 * variations, which may differ between languages, and gets the parts that it needs to work: plural categories,
 * substitutions, devices.
 */
export function retargetCatalog(
  { text, locale: own }: Document<CatalogTree>,
  { locale, spelling, role }: RetargetOptions,
): readonly Edit[] {
  const { root, sourceLanguage } = readStrings(text, () => undefined);
  const from = localeOf(own ?? sourceLanguage);
  const isKey = isSourceLanguage(sourceLanguage, from);
  const writer = new MemberWriter(text, root);
  const retargeting = new Retargeting(text, locale, writer);
  const target = localeOf(locale);
  const isNew = role === 'new' && from !== target;
  const edits: Edit[] = [];
  readStrings(text, (string) => {
    const standing = string.localization(target);
    const source = isNew ? string.localization(from) : undefined;
    if (standing) retargeting.complete(standing, source);
    else if (isNew) {
      const isText = source ? retargeting.hasText(string, source) : isKey && string.key.trim() !== '';
      const value = (): CatalogValue => (source ? retargeting.turn(source) : unitValue(string.key));
      if (isText) addLocalization(writer, string, spelling, value);
    }
    edits.push(...writer.edits());
  });
  // Even without changes, the skeleton must be scanned again: its slots are those of the other language.
  return isNew && edits.length === 0 ? [{ span: { start: 0, end: 0 }, text: '' }] : edits;
}

export function addLocalization(
  writer: MemberWriter,
  { node, localizations }: CatalogString,
  language: string,
  value: () => CatalogValue,
): void {
  if (localizations) writer.add(localizations, language, value);
  else if (!memberOf(node, 'localizations'))
    writer.add(node, 'localizations', () => ({ members: new Map([[language, value()]]) }));
}

function unitValue(value: string): CatalogValue {
  const unit = new Map<string, CatalogValue>([
    ['state', UNTRANSLATED],
    ['value', value],
  ]);
  return { members: new Map([['stringUnit', { members: unit }]]) };
}

/** The parts of a localization that hold texts. */
const PARTS = ['stringUnit', 'stringSet', 'variations'] as const;

/** Adapts localizations to one language. */
class Retargeting {
  readonly #text: string;
  /** The categories of new plurals: all of the language's. */
  readonly #categories: readonly string[];
  readonly #required: readonly string[];
  readonly #writer: MemberWriter;

  constructor(text: string, locale: string, writer: MemberWriter) {
    this.#text = text;
    this.#categories = pluralCategories(locale);
    this.#required = requiredCategories(locale);
    this.#writer = writer;
  }

  /** Whether a localization contains translatable text. */
  hasText({ key }: CatalogString, source: Node): boolean {
    return textsOf(source, key).some(
      ({ value: { start, end } }) => decodeString(this.#text, start, end).trim() !== '',
    );
  }

  /**
   * Adds the missing parts of a localization. @param source the source's localization; without it, only plurals are
   * completed
   */
  complete(own: Node, source: Node | undefined): void {
    const writer = this.#writer;
    if (source && PARTS.every((name) => !memberOf(own, name))) {
      for (const name of PARTS) {
        const part = objectIn(source, name);
        if (part) writer.add(own, name, () => this.turn(part));
      }
    }
    const [variations, others] = [objectIn(own, 'variations'), source && objectIn(source, 'variations')];
    const plural = variations && objectIn(variations, 'plural');
    if (plural) this.#completePlural(plural, others && objectIn(others, 'plural'));
    this.#completeEach(variations && objectIn(variations, 'device'), others && objectIn(others, 'device'));
    this.#completeSubstitutions(own, source && objectIn(source, 'substitutions'));
  }

  #completeEach(own: Node | undefined, source: Node | undefined): void {
    if (!own) return;
    for (const child of own.children)
      if (child.kind === 'object') this.complete(child, source && objectIn(source, child.name));
    for (const child of source?.children ?? [])
      if (child.kind === 'object' && !memberOf(own, child.name))
        this.#writer.add(own, child.name, () => this.turn(child));
  }

  /** A translation may use fewer substitutions than the source, so it only gets those that its text uses. */
  #completeSubstitutions(own: Node, source: Node | undefined): void {
    const present = objectIn(own, 'substitutions');
    for (const child of present?.children ?? [])
      if (child.kind === 'object') this.complete(child, source && objectIn(source, child.name));
    const unit = objectIn(own, 'stringUnit');
    const names = substitutionsIn((unit && textIn(this.#text, unit, 'value')) ?? '');
    const lacking = (source?.children ?? []).filter(
      ({ name }) => names.has(name) && !(present && memberOf(present, name)),
    );
    if (present) for (const child of lacking) this.#writer.add(present, child.name, () => this.turn(child));
    else if (lacking.length > 0 && !memberOf(own, 'substitutions')) {
      const members = new Map(lacking.map((child) => [child.name, this.turn(child)]));
      this.#writer.add(own, 'substitutions', () => ({ members }));
    }
  }

  #completePlural(own: Node, source: Node | undefined): void {
    const model = modelOf(own);
    if (!model) return;
    for (const category of this.#withZero(this.#required, source))
      if (!memberOf(own, category)) this.#writer.add(own, category, () => this.turn(model));
  }

  /** Apple displays `zero` for the number 0 in every language. */
  #withZero(categories: readonly string[], source: Node | undefined): readonly string[] {
    const hasZero = source !== undefined && objectIn(source, 'zero') !== undefined;
    return hasZero && !categories.includes('zero') ? ['zero', ...categories] : categories;
  }

  /** Copies a part of a localization for the language, with untranslated texts, and plurals with the right forms. */
  turn(node: Node): CatalogValue {
    if (node.kind !== 'object') return valueOf(this.#text, node);
    if (node.name === 'plural') return this.#adaptPlural(node);
    const isUnit = node.name === 'stringUnit' || node.name === 'stringSet';
    const members = node.children.map((child) => {
      const value = isUnit && child.name === 'state' ? UNTRANSLATED : this.turn(child);
      return [child.name, value] as const;
    });
    return { members: new Map(members) };
  }

  #adaptPlural(node: Node): CatalogValue {
    const model = modelOf(node);
    if (!model) return valueOf(this.#text, node);
    const members = [...this.#withZero(this.#categories, node)].sort().map((category) => {
      return [category, this.turn(objectIn(node, category) ?? model)] as const;
    });
    return { members: new Map(members) };
  }
}

/** The form that others are copied from. */
function modelOf(plural: Node): Node | undefined {
  const forms = plural.children.filter(({ kind, name }) => kind === 'object' && isPluralCategory(name));
  return forms.find(({ name }) => name === 'other') ?? forms.at(-1);
}
