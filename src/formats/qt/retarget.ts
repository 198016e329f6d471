import type { Edit } from '../../base/span.ts';
import type { Document, RetargetOptions } from '../format.ts';
import { removeSpan } from '../lines.ts';
import { TemplateReadings } from '../template-edits.ts';
import { nameLanguage } from '../xml/language.ts';
import { parseXml, parseXmlHead } from '../xml/parser.ts';
import { isEmptyTag, type XmlTree } from '../xml/tree.ts';
import { messagesIn, type QtMessage } from './messages.ts';
import { numerusRule } from './numerus.ts';

/** See `Format.retarget`: a new file loses its translations; an existing one only gains missing forms. */
export function retargetQt(document: Document, { locale, spelling, role }: RetargetOptions): readonly Edit[] {
  const count = numerusRule(locale)?.nplurals ?? 1;
  const read = (edit: typeof emptied): { readonly edits: readonly Edit[] } => {
    const tree = parseXml(document.text);
    return { edits: messagesIn(tree).flatMap((message) => edit(tree, message, count)) };
  };
  const { edits } = role === 'new' ? templates.of(document, count, () => read(emptied)) : read(completed);
  const { root } = parseXmlHead(document.text);
  const language = spelling.replaceAll('-', '_');
  // Without a declared language, lrelease assumes a single plural form.
  return [...nameLanguage(root, ['language', 'version'], language, role === 'new'), ...edits];
}

const templates = new TemplateReadings<{ readonly edits: readonly Edit[] }>();

/** The message as lupdate would add it. Obsolete messages are not copied to another language. */
function emptied(tree: XmlTree, message: QtMessage, count: number): readonly Edit[] {
  const { element, translation, forms, isObsolete, isText } = message;
  const span = { start: translation.start, end: translation.end };
  if (isObsolete) return [removeSpan(tree.text, element)];
  const content = forms ? layOutForms(tree, message, Array<string>(count).fill('')) : '';
  const kind = isText ? '' : ' variants="yes"';
  const text = `<translation type="unfinished"${kind}>${content}</translation>`;
  return tree.text.startsWith(text, span.start) ? [] : [{ span, text }];
}

function completed(tree: XmlTree, message: QtMessage, count: number): readonly Edit[] {
  const { translation, forms, isObsolete } = message;
  if (isObsolete || !forms || forms.length >= count) return [];
  const last = forms.at(-1);
  const missing = Array<string>(count - forms.length).fill('');
  const { before } = gapsAround(tree, message);
  if (last) {
    const text = missing.map(() => `${before}<numerusform></numerusform>`).join('');
    return [{ span: { start: last.end, end: last.end }, text }];
  }
  const content = layOutForms(tree, message, missing);
  if (!isEmptyTag(translation))
    return [{ span: { start: translation.openEnd, end: translation.closeStart }, text: content }];
  const start = translation.attributes.at(-1)?.end ?? translation.start + translation.name.length;
  return [{ span: { start: start + 1, end: translation.end }, text: `>${content}</translation>` }];
}

function layOutForms(tree: XmlTree, message: QtMessage, texts: readonly string[]): string {
  const { before, after } = gapsAround(tree, message);
  return texts.map((text) => `${before}<numerusform>${text}</numerusform>`).join('') + after;
}

/** The white space before each plural form and after the last. */
function gapsAround(
  { text, lineEnd }: XmlTree,
  { translation, forms }: QtMessage,
): { readonly before: string; readonly after: string } {
  const [first] = forms ?? [];
  const last = forms?.at(-1);
  if (first && last) {
    const before = text.slice(translation.openEnd, first.start);
    const after = text.slice(last.end, translation.closeStart);
    if (before.trim() === '' && after.trim() === '') return { before, after };
  }
  const lineStart = text.lastIndexOf('\n', translation.start) + 1;
  const indent = text.slice(lineStart, translation.start);
  if (indent.trim() !== '') return { before: '', after: '' };
  return { before: `${lineEnd}${indent}    `, after: `${lineEnd}${indent}` };
}
