import { identify, type Inventory } from '../inventory.ts';
import type { CodeNode, Node } from '../node.ts';
import type { Syntax } from '../syntax.ts';
import type { Form, Variant } from './variants.ts';

/** What a text shows besides words, as far as a person's translation is held to it. */
export interface Shown {
  readonly nodes: readonly Node[];
  readonly form: Form | undefined;
  /** Arguments and conversions: how they are written, by what they mean. */
  readonly codes: ReadonlyMap<string, string>;
  readonly inventory: Inventory;
  /** Parts of a date, such as `%Y`: which of them, and in which order, is the language's. */
  readonly dateParts: number;
}

/** A conversion that is a part of a date among parts of a date: `%d` in `%d.%m.%Y`. */
const SHORT_CONVERSION = /^%[-_0^#]?[a-zA-Z]$/;

/** An identifier in braces, with a format or a default behind it. `{ and }` are words about braces. */
const ARGUMENT = /^[#$%@]?\{{1,3}\s*[\w.$@\p{L}/-]*\s*(?:[,:!|?[(].*)?\}{1,3}$/su;

/** Entities, escapes and quoted literals are how a text is written: a translation may be written in another way. */
export function readVariant({ nodes, form }: Variant, syntax: Syntax): Shown {
  const dateParts = nodes.filter(isDatePart).length;
  const compared = nodes.filter((node) => node.type !== 'code' || isCompared(node, dateParts > 0));
  const inventory = identify(compared, syntax, undefined);
  const codes = new Map<string, string>();
  for (const [id, { raw }] of inventory.codes) codes.set(meaningOf(id), raw);
  return { nodes, form, codes, inventory, dateParts };
}

function isDatePart(node: Node): boolean {
  return node.type === 'code' && node.kind === 'escape' && node.raw.startsWith('%');
}

function isCompared({ kind, raw }: CodeNode, amongDateParts: boolean): boolean {
  if (kind === 'entity' || kind === 'escape' || kind === 'quoted') return false;
  if (kind === 'printf') return !amongDateParts || !SHORT_CONVERSION.test(raw);
  return kind !== 'argument' || !raw.endsWith('}') || ARGUMENT.test(raw);
}

/** Which argument it is: its style is the language's, and people know which programs understand numbers. */
function meaningOf(id: string): string {
  if (id.endsWith(' numbered')) return id.slice(0, -' numbered'.length);
  if (id.endsWith(' in order')) return id.slice(0, -' in order'.length);
  const comma = /^\{[^{,]+,/.exec(id)?.[0];
  return comma === undefined ? id : `${comma.slice(0, -1)}}`;
}
