import { DragomanError } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import type { Key } from '../format.ts';
import { joinNotes } from '../xml/blocks.ts';
import { characterDataOf, contentOf } from '../xml/content.ts';
import { normalizeLineEnds } from '../xml/characters.ts';
import { parseXml } from '../xml/parser.ts';
import { attributeOf, elementsOf, type XmlElement, type XmlTree } from '../xml/tree.ts';

export interface QtMessage {
  /** Context, source (or id), and the disambiguating comment, which is usually empty. */
  readonly key: Key;
  readonly element: XmlElement;
  readonly source: XmlElement;
  readonly sourceText: string;
  readonly translation: XmlElement;
  /** The forms of a plural; undefined otherwise. */
  readonly forms: readonly XmlElement[] | undefined;
  /** The key with the source at the time of translation, if lupdate recorded it. */
  readonly takenFrom: Key | undefined;
  /** The developer's note. */
  readonly note: string | undefined;
  /** Whether the program no longer uses the message. */
  readonly isObsolete: boolean;
  /** Whether the translation is one text or plural forms, but not variants by length. */
  readonly isText: boolean;
}

export interface Context {
  readonly name: string;
  readonly element: XmlElement;
  readonly messages: readonly QtMessage[];
}

/** @throws DragomanError `unreadable_input` for a document that is not a Qt translation file */
function requireTranslationFile({ root, text }: XmlTree): void {
  if (root.name !== 'TS') {
    throw new DragomanError('unreadable_input', `<${root.name}> is not the root of a Qt translation file`, {
      at: positionAt(text, root.start),
      hint: 'dragoman reads the .ts files that lupdate writes; their root is <TS>.',
    });
  }
}

export function contextsIn(tree: XmlTree): readonly Context[] {
  requireTranslationFile(tree);
  return elementsOf(tree.root)
    .filter(({ name }) => name === 'context')
    .map((element) => readContext(tree, element));
}

function readContext(tree: XmlTree, element: XmlElement): Context {
  const name = nameOf(tree, element) ?? '';
  const messages = elementsOf(element).flatMap((child) => readMessage(tree, child, name) ?? []);
  return { name, element, messages };
}

function nameOf(tree: XmlTree, context: XmlElement): string | undefined {
  const named = context.children.find((node) => node.type === 'element' && node.name === 'name');
  return named?.type === 'element' ? characterDataOf(tree, named) : undefined;
}

/**
 * Visits the messages of a text in file order while parsing. Each is dropped after its visit: together they take ten
 * times the memory of the text.
 *
 * @returns the tree without contexts
 */
export function readMessages(text: string, visit: (message: QtMessage, tree: XmlTree) => void): XmlTree {
  const open: { context?: XmlElement | undefined; name?: string | undefined } = {};
  const tree = parseXml(text, {
    takeElement(part, element) {
      const { name, parent } = element;
      if (name === 'context' && parent === part.root) {
        requireTranslationFile(part);
        for (const message of readContext(part, element).messages) visit(message, part);
        return true;
      }
      if (name !== 'message' || parent?.name !== 'context' || parent.parent !== part.root) return false;
      requireTranslationFile(part);
      if (open.context !== parent) {
        open.context = parent;
        open.name = nameOf(part, parent);
      }
      // If the context's name follows its messages, which is unusual, they wait for the end of the context.
      if (open.name === undefined) return false;
      const message = readMessage(part, element, open.name);
      if (message) visit(message, part);
      return true;
    },
  });
  requireTranslationFile(tree);
  return tree;
}

const OBSOLETE: ReadonlySet<string | undefined> = new Set(['obsolete', 'vanished']);

function readMessage(tree: XmlTree, element: XmlElement, context: string): QtMessage | undefined {
  if (element.name !== 'message') return undefined;
  const children = new Map(elementsOf(element).map((child) => [child.name, child]));
  const source = children.get('source');
  const translation = children.get('translation');
  if (!source || !translation) return undefined;
  const comment = children.get('comment');
  const texts = [comment, children.get('extracomment')].map((child) => child && characterDataOf(tree, child));
  const isNumerus = attributeOf(tree, element, 'numerus') === 'yes';
  const id = attributeOf(tree, element, 'id');
  const sourceText = textOf(tree, source);
  const hasId = id !== undefined && id !== '';
  const keyOf = (text: string): Key => [context, hasId ? id : text, texts[0] ?? ''];
  const oldSource = children.get('oldsource');
  return {
    key: keyOf(sourceText),
    takenFrom: oldSource && keyOf(textOf(tree, oldSource)),
    element,
    source,
    sourceText,
    translation,
    forms: isNumerus ? elementsOf(translation).filter(({ name }) => name === 'numerusform') : undefined,
    note: joinNotes(texts.map((text) => text?.trim())),
    isObsolete: OBSOLETE.has(attributeOf(tree, translation, 'type')),
    isText: attributeOf(tree, translation, 'variants') !== 'yes',
  };
}

/** Whether the text has elements, such as `<byte value="x1b"/>` for a character that XML cannot hold. */
export function isMarkup(tree: XmlTree, element: XmlElement): boolean {
  return contentOf(tree, element).kind === 'markup';
}

/** @param asMarkup returns XML source even for a text without elements */
export function textOf(tree: XmlTree, element: XmlElement, asMarkup = isMarkup(tree, element)): string {
  if (asMarkup || isMarkup(tree, element))
    return normalizeLineEnds(tree.text.slice(element.openEnd, element.closeStart));
  return characterDataOf(tree, element, contentOf(tree, element).span);
}
