import { nameForms, type FormNaming } from '../../formats/po/plural-categories.ts';
import { readPluralForms } from '../../formats/po/plural-expression.ts';
import { pluralFormsOf } from '../../formats/po/plural-forms.ts';
import { exportHeader, keyword } from '../../formats/po/export.ts';
import { contextOf } from '../../pipeline/memory.ts';
import type { StoredEntry } from '../stored-memory.ts';
import { keyOfContext, nameContext } from './context-name.ts';
import type { PairExportOptions } from './exchange.ts';
import { describeUnwritable, valuesOf, type ReadableValues } from './notation.ts';
import { SOURCE_FIELD } from './po-reader.ts';
import { addTo } from '../../base/map-of-lists.ts';

/**
 * Writes a PO file in UTF-8, with named placeholders and keys as contexts. The forms of a plural are one message, with
 * the language's gettext forms. Entries that would not read back the same are skipped and reported.
 */
export async function* writePo(
  entries: AsyncIterable<StoredEntry>,
  options: PairExportOptions,
): AsyncGenerator<string> {
  const writer = new PoWriter(options);
  yield writer.header();
  for await (const entry of entries) yield writer.take(entry);
  yield* writer.plurals();
}

class PoWriter {
  readonly #options: PairExportOptions;
  readonly #rule: string;
  /** gettext's message ids, which must be unique. */
  readonly #written = new Set<string>();
  readonly #plurals = new Map<string, StoredEntry[]>();

  constructor(options: PairExportOptions) {
    this.#options = options;
    this.#rule = pluralFormsOf(options.pair.target);
  }

  header(): string {
    const { pair, version } = this.#options;
    const fields = [`Plural-Forms: ${this.#rule}`, `${SOURCE_FIELD}: ${pair.source}`];
    return exportHeader(pair.target, fields, version);
  }

  /** Returns the message of an entry; empty for a plural form, which waits for the others. */
  take(entry: StoredEntry): string {
    if (entry.category === '') {
      const values = valuesOf(entry);
      return values ? this.#message(entry, contextName(entry, values.source), values) : this.#refuse(entry);
    }
    const group = JSON.stringify(groupOf(entry));
    addTo(this.#plurals, group, entry);
    return '';
  }

  *plurals(): Generator<string> {
    const rule = readPluralForms(this.#rule);
    const naming = nameForms(rule, this.#options.pair.target);
    for (const forms of this.#plurals.values()) yield this.#plural(forms, naming, rule?.nplurals ?? 1);
  }

  #message(entry: StoredEntry, context: string, { source, target }: ReadableValues): string {
    if (!this.#isFirst(context, source))
      return this.#refuse(entry, `another translation of the same text was written: ${source}`);
    return this.#head(entry, context) + keyword('msgid', source) + keyword('msgstr', target);
  }

  #plural(forms: readonly StoredEntry[], naming: FormNaming, count: number): string {
    const spelled = new Map(forms.map((entry) => [entry.category, valuesOf(entry)]));
    const all = [...spelled.values()].flatMap((values) => values?.source ?? []);
    for (const entry of forms) spelled.set(entry.category, valuesOf(entry, all));
    const categories = Array.from({ length: count }, (_, index) => naming.categoryOf(index));
    const fitting = forms.filter((entry) => {
      if (!spelled.get(entry.category)) this.#refuse(entry);
      else if (categories.includes(entry.category)) return true;
      else this.#refuse(entry, `gettext has no form ${entry.category} here: ${entry.segments.join(' | ')}`);
      return false;
    });
    const [first] = fitting;
    const singular = spelled.get('one') ?? spelled.get('other') ?? spelled.get(first?.category ?? '');
    const plural = spelled.get('other') ?? singular;
    if (!first || !singular || !plural) return '';
    const context = contextName(first, singular.source);
    if (!this.#isFirst(context, singular.source)) {
      for (const entry of fitting)
        this.#refuse(entry, `another translation of the same text was written: ${singular.source}`);
      return '';
    }
    const lines = categories.map((category, index) =>
      keyword(`msgstr[${index}]`, fitting.length > 0 ? (spelled.get(category)?.target ?? '') : ''),
    );
    return [
      this.#head(first, context),
      keyword('msgid', singular.source),
      keyword('msgid_plural', plural.source),
      ...lines,
    ].join('');
  }

  #head({ origin, engine }: StoredEntry, context: string): string {
    const machine =
      origin === 'machine' ? `# machine translation${engine ? ` (${oneLine(engine)})` : ''}\n` : '';
    return `\n${machine}${context === '' ? '' : keyword('msgctxt', context)}`;
  }

  #isFirst(context: string, source: string): boolean {
    const id = JSON.stringify([context, source]);
    if (this.#written.has(id)) return false;
    this.#written.add(id);
    return true;
  }

  #refuse(entry: StoredEntry, detail = describeUnwritable(entry)): '' {
    this.#options.onSkip({ reason: 'unwritable', detail });
    return '';
  }
}

function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]/g, ' ');
}

/** The key shared by the forms of a plural. */
function groupOf({ context, category }: StoredEntry): readonly string[] {
  const key = keyOfContext(context);
  const last = key.at(-1);
  if (last === category) return key.slice(0, -1);
  if (last?.endsWith(`_${category}`)) return [...key.slice(0, -1), last.slice(0, -category.length - 1)];
  return key;
}

/** Writes a gettext key, which consists of context and msgid, as a gettext context. */
function contextName(entry: StoredEntry, source: string): string {
  const key = entry.category === '' ? keyOfContext(entry.context) : groupOf(entry);
  const [context = '', id] = key;
  return key.length === 2 && id === source ? context : nameContext(contextOf(key));
}
