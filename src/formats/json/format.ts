import type { Edit } from '../../base/span.ts';
import type { Document, Entry, Format, ReadValue, RetargetOptions, ScanOptions } from '../format.ts';
import { stringEncoder } from './escapes.ts';
import { insert } from './insert.ts';
import { visitMessages } from './messages.ts';
import { outlineOf } from './outline.ts';
import { remove } from './remove.ts';
import { shapeOf } from './shape.ts';
import { readContent, type Content } from './slots.ts';
import { decodeString, parse, type Node } from './tree.ts';

const LOCALE = '@@locale';

function scan(text: string, options: ScanOptions = {}): Document {
  const root = parse(text);
  const content = readContent(text, root, stringEncoder(text, options.encodable));
  const member = content.shape === 'ARB' ? localeMember(root) : undefined;
  return documentOf(text, content, member && decodeString(text, member.start, member.end));
}

/** A function of its own: its getter must not hold the tree. */
function documentOf(
  text: string,
  { dialect, slots, warnings }: Content,
  locale: string | undefined,
): Document {
  let entries: readonly Entry[] | undefined;
  return {
    text,
    slots,
    // Most scans are for values only: keeping the tree for entries would double what a document holds.
    get entries() {
      return (entries ??= outlineOf(text).entries);
    },
    dialect,
    locale,
    warnings,
  };
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

function retarget(document: Document, { spelling }: RetargetOptions): readonly Edit[] {
  if (document.locale === undefined || document.locale === spelling) return [];
  const member = localeMember(parse(document.text));
  if (!member) return [];
  return [{ span: { start: member.start, end: member.end }, text: JSON.stringify(spelling) }];
}

/** JSON with comments and trailing commas, in the dialects of common localization libraries. */
export const json: Format = { scan, read, retarget, insert, remove };
