import { parseLocale } from '../../languages/locale.ts';
import { makeDocument } from '../document.ts';
import type { Document, DocumentWarning, ScanOptions } from '../format.ts';
import { letterSpeller } from '../json/encode.ts';
import type { MemberCode } from '../json/layout.ts';
import { outlineOf, type Outline } from '../json/outline.ts';
import { noteOf } from '../json/scan.ts';
import { type Node, pluralsOf, type Shape, syntaxOfShape, withShape } from '../json/tree.ts';
import { warnOfDuplicates, visitMessages } from '../json/walk.ts';
import { withLineEnds } from '../lines.ts';
import { markForms } from '../sibling-forms.ts';
import { applyDialect, TextSlot, type TextWriter } from '../text-slot.ts';
import { writeLiteral } from './encode.ts';
import { type ExportName, type Module, parseModule } from './syntax.ts';

export function scan(
  text: string,
  { encodable, locale: language, messages }: ScanOptions = {},
): Document<ModuleOutline> {
  const module = parseShaped(text);
  const { shape } = module;
  const spell = letterSpeller(text, encodable);
  const writer: TextWriter = { text, write: (value, raw) => spell(writeLiteral(value, raw)) };
  const slots: TextSlot[] = [];
  const warnings: DocumentWarning[] = module.unread.map((offset) => ({
    rule: 'unread-code',
    message: 'strings in code and in spread constants are not translated',
    offset,
  }));
  const textOf = ({ start }: Node): string | undefined => module.texts.get(start)?.value;
  const member = localeMember(text, module.root);
  visitMessages(text, module.root, shape, {
    message: (path, node, entry) => {
      const isLocale =
        node === member || (path.length > 1 && node.name !== 'name' && isLocaleName(text, node));
      const found = module.texts.get(node.start);
      if (!found || isLocale) return;
      const span = { start: node.start, end: found.end };
      const comment = entry && noteOf(entry, textOf);
      slots.push(new TextSlot(writer, { key: path.slice(), value: found.value, span, comment }, undefined));
    },
    object: (path, node) => warnOfDuplicates(path, node, warnings),
  });
  const notation = applyDialect(slots, messages, syntaxOfShape(shape));
  markForms(slots, pluralsOf(shape, notation), language);
  const locale = member && textOf(member);
  const dialect = shape === 'values' ? notation.dialect : shape;
  return makeDocument({ text, slots, dialect, locale, warnings }, (whole) => readTree(whole, language));
}

type ShapedModule = Module & { readonly shape: Shape };

function parseShaped(text: string): ShapedModule {
  const module = parseModule(text);
  return { ...module, ...withShape(module.root, ({ start }) => module.texts.get(start)?.value) };
}

/** Member names with which modules of component libraries declare their language. */
const LOCALE_NAMES: ReadonlySet<string> = new Set(['locale', 'lang', 'language', 'code', 'name']);

/** The member of the whole module that declares its language. */
export function localeMember(text: string, root: Node): Node | undefined {
  return root.kind === 'object' ? root.children.find((member) => isLocaleName(text, member)) : undefined;
}

function isLocaleName(text: string, { kind, name, start, end }: Node): boolean {
  if (kind !== 'string' || !LOCALE_NAMES.has(name) || end - start > 24) return false;
  const value = text.slice(start + 1, end - 1);
  return /^[a-z]{2,3}(?:[-_][A-Za-z]{2,4}){0,2}$/.test(value) && parseLocale(value) !== undefined;
}

export interface ModuleOutline extends Outline {
  readonly exportName: ExportName | undefined;
  /** The language of the file, canonical, if known. */
  readonly language: string | undefined;
}

function readTree(text: string, language: string | undefined): ModuleOutline {
  const module = parseShaped(text);
  const outline = outlineOf(new ModuleCode(text, module), module);
  return { ...outline, exportName: module.exportName, language };
}

/** The lexical rules of modules for editing the literal. */
class ModuleCode implements MemberCode {
  readonly text: string;
  readonly #module: Module;
  readonly #ends = new Map<number, number>();

  constructor(text: string, module: Module) {
    this.text = text;
    this.#module = module;
    for (const [start, end] of module.opaque) this.#ends.set(start, end);
    this.#addEnds(module.root);
  }

  #addEnds({ kind, nameStart, nameEnd, start, end, children }: Node): void {
    if (nameEnd > nameStart) this.#ends.set(nameStart, nameEnd);
    if (kind === 'string') this.#ends.set(start, this.#module.texts.get(start)?.end ?? end);
    for (const child of children) this.#addEnds(child);
  }

  endOfComment(at: number): number | undefined {
    return this.#module.comments.get(at);
  }

  endOfString(at: number): number | undefined {
    return this.#ends.get(at);
  }

  makeSpeller(lineEnd: string): (raw: string) => string {
    const spell = letterSpeller(this.text);
    return (raw) => {
      const lines = withLineEnds(raw, lineEnd);
      return /^["'`]/.test(raw) ? spell(lines) : lines;
    };
  }
}
