import type { Edit } from '../../base/span.ts';
import { replaceReferences } from './entities.ts';
import { piecesOf } from './fragment.ts';
import { findAttribute, type XmlElement, type XmlTree } from './tree.ts';

/** Declares in the target what inserted elements use of the source: namespace prefixes and entities. */
export function declareMissing(target: XmlTree, source: XmlTree, inserted: readonly XmlElement[]): Edit[] {
  return [...declareEntities(target, source, inserted), ...declarePrefixes(target, source, inserted)];
}

function declarePrefixes(target: XmlTree, source: XmlTree, inserted: readonly XmlElement[]): Edit[] {
  const prefixes = new Set<string>();
  const visit = (element: XmlElement): void => {
    for (const { name } of [element, ...element.attributes]) {
      const colon = name.indexOf(':');
      if (colon > 0) prefixes.add(name.slice(0, colon));
    }
    for (const child of element.children) if (child.type === 'element') visit(child);
  };
  inserted.forEach(visit);
  const { root } = target;
  const last = root.attributes.at(-1);
  const at = last ? last.end + 1 : root.start + 1 + root.name.length;
  return [...prefixes].flatMap((prefix) => {
    const declaration = `xmlns:${prefix}`;
    const value = findAttribute(source.root, declaration);
    if (!value || findAttribute(root, declaration)) return [];
    // The quotes come along: the value may hold the other kind.
    const quoted = source.text.slice(value.start - 1, value.end + 1);
    return [{ span: { start: at, end: at }, text: ` ${declaration}=${quoted}` }];
  });
}

function declareEntities(target: XmlTree, source: XmlTree, inserted: readonly XmlElement[]): Edit[] {
  const needed = new Map<string, string>();
  const collect = (text: string): void => {
    replaceReferences(text, ({ name, character }) => {
      const declaration = source.entities.get(name);
      if (character !== undefined || !declaration || target.entities.get(name) || needed.has(name)) return '';
      // Set first: an entity's replacement may use it again.
      needed.set(name, source.text.slice(declaration.span.start, declaration.span.end));
      collect(declaration.replacement ?? '');
      return '';
    });
  };
  for (const element of inserted) {
    collect(source.text.slice(element.start, element.openEnd));
    for (const { type, span } of piecesOf(element)) {
      if (type !== 'other') collect(source.text.slice(span.start, span.end));
    }
  }
  if (needed.size === 0) return [];
  const { lineEnd, doctype, root } = target;
  const lines = [...needed.values()].map((declaration) => `  ${declaration}${lineEnd}`).join('');
  if (!doctype) {
    const text = `<!DOCTYPE ${root.name} [${lineEnd}${lines}]>${lineEnd}`;
    return [{ span: { start: root.start, end: root.start }, text }];
  }
  const at = doctype.subsetEnd ?? doctype.span.end - 1;
  const text = doctype.subsetEnd === undefined ? ` [${lineEnd}${lines}]` : lines;
  return [{ span: { start: at, end: at }, text }];
}
