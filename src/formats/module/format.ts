import type { Edit } from '../../base/span.ts';
import type { Document, Format, RetargetOptions } from '../format.ts';
import type { Outline } from '../json/outline.ts';
import { turnForms } from '../json/plurals.ts';
import { remove } from '../json/remove.ts';
import { writeLiteral } from './encode.ts';
import { insert } from '../json/insert.ts';
import { localeMember, read, scan } from './scan.ts';

/** A module that names its language, as the modules of component libraries do (`locale: 'en-US'`). */
function renameLocale(document: Document<Outline>, { spelling }: RetargetOptions): readonly Edit[] {
  if (document.locale === undefined || document.locale === spelling) return [];
  const member = localeMember(document.text, document.tree.root);
  if (!member) return [];
  const raw = document.text.slice(member.start, member.end);
  return [{ span: { start: member.start, end: member.end }, text: writeLiteral(spelling, raw) }];
}

function retarget(document: Document<Outline>, options: RetargetOptions): readonly Edit[] {
  return [...renameLocale(document, options), ...turnForms(document, options)];
}

/** JavaScript and TypeScript modules whose default export is a literal. Nothing is ever executed. */
export const module: Format<Outline> = { scan, read, retarget, insert, remove };
