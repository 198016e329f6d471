import { createHash } from 'node:crypto';
import type { RowForm, Pack, Row } from '../../src/review/protocol.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** A form as a server sends it. */
export function form(source: string, translation?: string, more: Partial<RowForm> = {}): RowForm {
  return {
    source,
    sourceHash: digest(source),
    syntax: 'plain',
    ...(translation === undefined ? {} : { translation }),
    base: translation === undefined ? '' : digest(translation),
    findings: [],
    ...more,
  };
}

/** A row of one form, translated by a machine if at all. */
export function row(key: string, source: string, translation?: string, more: Partial<Row> = {}): Row {
  const locale = more.locale ?? 'es';
  return {
    id: digest(`${locale} ${key}`),
    file: 0,
    locale,
    key,
    line: 1,
    forms: [form(source, translation)],
    state: translation === undefined ? 'initial' : 'translated',
    ...(translation === undefined ? {} : { needsReview: 'machine' as const }),
    ...more,
  };
}

export function pack(rows: readonly Row[], more: Partial<Pack> = {}): Pack {
  return {
    version: 1,
    project: digest('project'),
    title: 'shop',
    source: 'en',
    locales: [...new Set(rows.map(({ locale }) => locale))],
    files: [
      { path: 'locales/en.json', format: 'json', framework: 'plain' },
      { path: 'po/shop.po', format: 'po', framework: 'gettext' },
    ],
    rows,
    next: 1,
    ...more,
  };
}

/** Rows without any special features. */
export function plainRows(count: number): readonly Row[] {
  return Array.from({ length: count }, (_, i) =>
    row(`menu.item.${i}`, `Open document ${i} in a new window`, `Abrir el documento ${i} en otra ventana`, {
      line: i + 2,
    }),
  );
}

/** Rows of every kind. */
export function mixedRows(): readonly Row[] {
  return [
    row('cart.empty', 'Your cart is empty.', 'Su carrito está vacío.', { line: 2 }),
    row('cart.greeting', 'Hello {name}, you have {count} items', 'Hola {name}, tiene {count} artículos', {
      line: 3,
      comment: 'Shown at the top of the cart.\nKeep it short.',
      limit: { max: 60, unit: 'characters' },
      provenance: { by: 'engine' },
    }),
    row('cart.checkout', 'Go to <b>checkout</b>', undefined, { line: 4 }),
    row('cart.terms', 'Read the %s and the %s', 'Lea los %s y la %s', { file: 1, line: 12 }),
    row('cart.total', 'The new total is {sum}', 'El total es {sum}', {
      line: 6,
      sourceBefore: 'The total is {sum}',
      needsReview: 'source-changed',
      decision: { verdict: 'needs-review', by: 'person', note: 'Is “total” right here?' },
    }),
    row('cart.items', '', undefined, {
      line: 7,
      state: 'translated',
      needsReview: 'machine',
      forms: [
        form('{n} file', '{n} archivo', { category: 'one', examples: [1] }),
        form('{n} files', '{n} archivos', { category: 'other', examples: [0, 2, 3, 10] }),
      ],
    }),
    row('cart.brand', 'Shop', 'Shop', { line: 9, isUnchanged: true, state: 'reviewed' }),
  ].map(({ needsReview, ...one }) =>
    one.state === 'reviewed' || needsReview === undefined ? one : { ...one, needsReview },
  );
}
