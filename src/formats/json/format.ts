import type { Edit } from '../../base/span.ts';
import { makeDocument } from '../document.ts';
import type { Document, Format, ReadValue, RetargetOptions, ScanOptions } from '../format.ts';
import { stringEncoder } from './escapes.ts';
import { insert } from './insert.ts';
import { visitMessages } from './messages.ts';
import { outlineOf, type Outline } from './outline.ts';
import { remove } from './remove.ts';
import { shapeOf } from './shape.ts';
import { readContent } from './slots.ts';
import { decodeString, parse, type Node } from './tree.ts';

const LOCALE = '@@locale';

function scan(text: string, options: ScanOptions = {}): Document<Outline> {
  const root = parse(text);
  const content = readContent(text, root, stringEncoder(text, options.encodable));
  const member = content.shape === 'ARB' ? localeMember(root) : undefined;
  const locale = member && decodeString(text, member.start, member.end);
  const { dialect, slots, warnings } = content;
  return makeDocument({ text, slots, dialect, locale, warnings }, outlineOf);
}

function read(text: string, visit: ReadValue): void {
  const root = parse(text);
  visitMessages(text, root, shapeOf(root), {
    message: (path, { start, end }) => visit(path, decodeString(text, start, end)),
  });
}

function localeMember(root: Node): Node | undefined {
  return root.children.find(({ name, kind }) => name === LOCALE && kind === 'string');
}

function retarget(document: Document<Outline>, { spelling }: RetargetOptions): readonly Edit[] {
  if (document.locale === undefined || document.locale === spelling) return [];
  const member = localeMember(document.tree.root);
  if (!member) return [];
  return [{ span: { start: member.start, end: member.end }, text: JSON.stringify(spelling) }];
}

/** JSON with comments and trailing commas, in the dialects of common localization libraries. */
export const json: Format<Outline> = { scan, read, retarget, insert, remove };
