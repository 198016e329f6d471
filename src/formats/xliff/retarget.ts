import type { Edit } from '../../base/span.ts';
import type { Document, RetargetOptions } from '../format.ts';
import { TemplateReadings } from '../template-edits.ts';
import { contentOf } from '../xml/content.ts';
import { nameLanguage } from '../xml/language.ts';
import { parseXml, parseXmlHead } from '../xml/parser.ts';
import { removeSpan } from '../lines.ts';
import { elementsOf, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { StartTag } from './encode.ts';
import { languageAttributes } from './scan.ts';
import { filesOf, localName, versionOf, visitUnits, type XliffUnit } from './units.ts';

/** See `Format.retarget`: a new file has no translations; an existing one gets its missing required attributes. */
export function retargetXliff(document: Document, { spelling, role }: RetargetOptions): readonly Edit[] {
  const isNew = role === 'new';
  // Both versions require BCP 47, regardless of the project's spelling of the locale.
  const language = spelling.replaceAll('_', '-');
  const { version, holders, edits } = isNew
    ? templates.of(document, 0, () => readTemplate(document))
    : readHead(document.text);
  const names = languageAttributes(version);
  return [...edits, ...holders.flatMap((holder) => nameLanguage(holder, names, language, isNew))];
}

interface XliffReading {
  readonly version: 1 | 2;
  /** The elements that name the language. */
  readonly holders: readonly Holder[];
  readonly edits: readonly Edit[];
}

type Holder = Pick<XmlElement, 'start' | 'name' | 'attributes'>;

const templates = new TemplateReadings<XliffReading>();

/** XLIFF 2 requires the language as soon as there is a target (§4.2.2.1); 1.2 does not. */
function readHead(text: string): XliffReading {
  const tree = parseXmlHead(text);
  const version = versionOf(tree);
  return { version, holders: version === 2 ? [tree.root] : [], edits: [] };
}

function readTemplate({ text, locale, sourceLocale }: Document): XliffReading {
  const edits: Edit[] = [];
  const hasOwnTexts = locale === undefined || locale === sourceLocale;
  const tree = parseXml(text);
  visitUnits(tree, {
    enter: (element) => void edits.push(...withoutSuggestions(tree, element)),
    unit: (unit) => void edits.push(...emptied(tree, unit, hasOwnTexts)),
  });
  const version = versionOf(tree);
  const named = version === 2 ? [tree.root] : filesOf(tree);
  // Copies these members: the result is cached, and an element would keep the whole tree in memory.
  const holders = named.map(({ start, name, attributes }) => ({ start, name, attributes }));
  return { version, holders, edits };
}

/**
 * The unit without its translation and the translation's metadata. If the file's targets are its texts, a target in
 * CDATA stays until it is translated: the source, which is a key, does not show the notation.
 */
function emptied(
  tree: XmlTree,
  { element, source, target, stated }: XliffUnit,
  hasOwnTexts: boolean,
): readonly Edit[] {
  const isCdata = (one: XmlElement): boolean => contentOf(tree, one).kind === 'cdata';
  if (hasOwnTexts && target?.attributes.length === 0 && isCdata(target) && !isCdata(source)) return [];
  const unit = new StartTag(tree.text, element.start);
  const segment = stated && stated !== target ? new StartTag(tree.text, stated.start) : undefined;
  // A second target, which is invalid, would otherwise become the first.
  const targets = elementsOf(element).filter((child) => localName(child) === 'target');
  return [
    ...(unit.get('approved') === 'yes' ? unit.set('approved', 'no') : []),
    ...(segment?.get('state') === undefined ? [] : segment.set('state', 'initial')),
    ...(segment?.remove('subState') ?? []),
    ...targets.map((child) => removeSpan(tree.text, child)),
  ];
}

/** Removes suggestions, which belong to another language. */
function withoutSuggestions(tree: XmlTree, unit: XmlElement): readonly Edit[] {
  return elementsOf(unit)
    .filter((child) => localName(child) === 'alt-trans' || localName(child) === 'matches')
    .map((child) => removeSpan(tree.text, child));
}
