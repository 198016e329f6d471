import type { DefaultTreeAdapterMap } from 'parse5';

type Element = DefaultTreeAdapterMap['element'];
type Parent = DefaultTreeAdapterMap['parentNode'];

/**
 * The language that a page says it is in, as spelled there: `lang` of its `<html>`, `xml:lang` where XHTML has only
 * that, or the `Content-Language` that its head declares, which HTML lets count where the element says nothing.
 * Undefined where nothing is said; a `lang` that is empty says that the language is not known.
 */
export function languageOfDocument(document: DefaultTreeAdapterMap['document']): string | undefined {
  const root = childOf(document, 'html');
  if (!root) return undefined;
  return valueOf(root, 'lang') ?? valueOf(root, 'xml:lang') ?? pragmaOf(childOf(root, 'head'));
}

/** HTML: a comma makes it no language; otherwise the first word. */
function pragmaOf(head: Element | undefined): string | undefined {
  const pragma = elementsOf(head, 'meta').find(
    (meta) => valueOf(meta, 'http-equiv')?.toLowerCase() === 'content-language',
  );
  const content = pragma && valueOf(pragma, 'content');
  return content === undefined || content.includes(',') ? undefined : content.split(/\s+/, 1)[0];
}

function childOf(parent: Parent, name: string): Element | undefined {
  return elementsOf(parent, name)[0];
}

function elementsOf(parent: Parent | undefined, name: string): readonly Element[] {
  return (parent?.childNodes ?? []).filter((node): node is Element => node.nodeName === name);
}

function valueOf({ attrs }: Element, name: string): string | undefined {
  return attrs.find((attribute) => attribute.name === name)?.value.trim();
}
