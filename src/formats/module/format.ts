import type { Edit } from '../../base/span.ts';
import type { Document, Format, RetargetOptions } from '../format.ts';
import type { Outline } from '../json/outline.ts';
import { adaptForms } from '../json/plurals.ts';
import { remove } from '../json/remove.ts';
import { writeLiteral } from './encode.ts';
import { insert } from '../json/insert.ts';
import { localeMember, type ModuleOutline, scan } from './scan.ts';

/** Renames the locale that a module declares, as modules of component libraries do (`locale: 'en-US'`). */
function renameLocale(document: Document<Outline>, { spelling }: RetargetOptions): readonly Edit[] {
  if (document.locale === undefined || document.locale === spelling) return [];
  const member = localeMember(document.text, document.tree.root);
  if (!member) return [];
  const raw = document.text.slice(member.start, member.end);
  return [{ span: { start: member.start, end: member.end }, text: writeLiteral(spelling, raw) }];
}

/** Turns `export const en` into `export const de`, and `enMessages` into `deMessages`. Other names do not change. */
function renameExport({ tree }: Document<ModuleOutline>, { locale, role }: RetargetOptions): readonly Edit[] {
  const { exportName, language } = tree;
  if (!exportName || language === undefined || role !== 'new') return [];
  const name = nameFor(exportName.name, language, locale);
  return name === undefined ? [] : exportName.spans.map((span) => ({ span, text: name }));
}

/** Spellings of a language in identifiers: `enUS`, `en_US`, `EnUS`, `EN_US`. */
const SPELLINGS: readonly ((code: string) => string)[] = [
  (code) => code.replaceAll('-', ''),
  (code) => code.replaceAll('-', '_'),
  (code) => code.charAt(0).toUpperCase() + code.slice(1).replaceAll('-', ''),
  (code) => code.toUpperCase().replaceAll('-', '_'),
];

/** A name whose first or last words denote the language. */
function nameFor(name: string, from: string, to: string): string | undefined {
  for (const code of [from, from.split('-', 1)[0] ?? '']) {
    for (const spell of SPELLINGS) {
      const own = spell(code);
      const isFirst = name.startsWith(own) && /^(?:[A-Z_]|$)/.test(name.slice(own.length));
      const isLast = name.endsWith(own) && /[a-z]$/.test(name.slice(0, -own.length)) && /^[A-Z]/.test(own);
      if (!isFirst && !isLast && !name.endsWith(`_${own}`)) continue;
      const renamed = isFirst ? spell(to) + name.slice(own.length) : name.slice(0, -own.length) + spell(to);
      return RESERVED.test(renamed) ? undefined : renamed;
    }
  }
  return undefined;
}

/** Language codes that are reserved words in JavaScript. */
const RESERVED = /^(?:do|for|if|in|new|try|var)$/;

function retarget(document: Document<ModuleOutline>, options: RetargetOptions): readonly Edit[] {
  return [
    ...renameLocale(document, options),
    ...renameExport(document, options),
    ...adaptForms(document, options),
  ];
}

/** JavaScript and TypeScript modules that export a literal. No code is executed. */
export const module: Format<ModuleOutline> = { scan, retarget, insert, remove };
