import type { Edit } from '../../base/span.ts';
import type { Document, Format, RetargetOptions } from '../format.ts';
import { insert } from './insert.ts';
import type { Outline } from './outline.ts';
import { remove } from './remove.ts';
import { localeMember, read, scan } from './scan.ts';

function retarget(document: Document<Outline>, { spelling }: RetargetOptions): readonly Edit[] {
  if (document.locale === undefined || document.locale === spelling) return [];
  const member = localeMember(document.tree.root);
  if (!member) return [];
  return [{ span: { start: member.start, end: member.end }, text: JSON.stringify(spelling) }];
}

/** JSON with comments and trailing commas, in the dialects of common localization libraries. */
export const json: Format<Outline> = { scan, read, retarget, insert, remove };
