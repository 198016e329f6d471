import { DragomanError } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import type { Key } from '../format.ts';
import { joinNotes } from '../xml/blocks.ts';
import { characterDataOf, textOf } from '../xml/content.ts';
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
export function contextsIn(tree: XmlTree): readonly Context[] {
  const { root, text } = tree;
  if (root.name !== 'TS') {
    throw new DragomanError('unreadable_input', `<${root.name}> is not the root of a Qt translation file`, {
      at: positionAt(text, root.start),
      hint: 'dragoman reads the .ts files that lupdate writes; their root is <TS>.',
    });
  }
  return elementsOf(root)
    .filter(({ name }) => name === 'context')
    .map((element) => readContext(tree, element));
}

function readContext(tree: XmlTree, element: XmlElement): Context {
  const children = elementsOf(element);
  const named = children.find((child) => child.name === 'name');
  const name = named ? characterDataOf(tree, named) : '';
  return { name, element, messages: children.flatMap((child) => readMessage(tree, child, name) ?? []) };
}

/** The messages in file order. */
export function messagesIn(tree: XmlTree): readonly QtMessage[] {
  return contextsIn(tree).flatMap(({ messages }) => messages);
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
