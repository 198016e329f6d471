import type { Edit } from '../../base/span.ts';
import type { Document, RetargetOptions } from '../format.ts';
import { TemplateReadings } from '../template-edits.ts';
import { contentOf } from '../xml/content.ts';
import { parseXmlHead } from '../xml/parser.ts';
import { removeSpan } from '../xml/remove.ts';
import { elementsOf, findAttribute, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { changeAttribute, removeAttribute } from './encode.ts';
import { languageAttributes } from './scan.ts';
import { filesOf, localName, readUnits, versionOf, type XliffUnit } from './units.ts';

/** See `Format.retarget`: a new file has no translations, an existing one gets its missing required attributes. */
export function retargetXliff(document: Document, { spelling, role }: RetargetOptions): readonly Edit[] {
  const isNew = role === 'new';
  const { tree, edits }: XliffReading = isNew
    ? templates.of(document, 0, () => readTemplate(document))
    : { tree: parseXmlHead(document.text), edits: [] };
  const version = versionOf(tree);
  // Both versions require BCP 47, regardless of the project's spelling of the locale.
  const language = spelling.replaceAll('_', '-');
  // XLIFF 2 requires the language as soon as there is a target (§4.2.2.1); 1.2 does not.
  const holders = version === 2 ? [tree.root] : isNew ? filesOf(tree) : [];
  return [...edits, ...holders.flatMap((holder) => nameLanguage(holder, { version, language, isNew }))];
}

interface XliffReading {
  /** Without units. */
  readonly tree: XmlTree;
  readonly edits: readonly Edit[];
}

const templates = new TemplateReadings<XliffReading>();

function readTemplate({ text, locale, sourceLocale }: Document): XliffReading {
  const edits: Edit[] = [];
  const hasOwnTexts = locale === undefined || locale === sourceLocale;
  const tree = readUnits(text, (part) => ({
    enter: (element) => void edits.push(...withoutSuggestions(part, element)),
    unit: (unit) => void edits.push(...emptied(part, unit, hasOwnTexts)),
  }));
  return { tree, edits };
}

interface LanguageName {
  readonly version: 1 | 2;
  readonly language: string;
  readonly isNew: boolean;
}

function nameLanguage(holder: XmlElement, { version, language, isNew }: LanguageName): readonly Edit[] {
  const [name, sourceName] = languageAttributes(version);
  const own = findAttribute(holder, name);
  if (own && !isNew) return [];
  if (own) return [{ span: { start: own.start, end: own.end }, text: language }];
  const source = findAttribute(holder, sourceName);
  const at = source ? source.end + 1 : holder.start + 1 + holder.name.length;
  return [{ span: { start: at, end: at }, text: ` ${name}="${language}"` }];
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
  const segment = stated === target ? undefined : stated;
  // A second target, which is invalid, would become the first.
  const targets = elementsOf(element).filter((child) => localName(child) === 'target');
  return [
    ...changeAttribute(tree, element, 'approved', (value) => (value === 'yes' ? 'no' : value)),
    ...(segment ? changeAttribute(tree, segment, 'state', () => 'initial') : []),
    ...(segment ? removeAttribute(tree, segment, 'subState') : []),
    ...targets.map((child) => removeSpan(tree.text, child)),
  ];
}

/** A second target, which is invalid, would otherwise become the first. */
function withoutSuggestions(tree: XmlTree, unit: XmlElement): readonly Edit[] {
  return elementsOf(unit)
    .filter((child) => localName(child) === 'alt-trans' || localName(child) === 'matches')
    .map((child) => removeSpan(tree.text, child));
}
