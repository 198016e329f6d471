import fc, { type GeneratorValue } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Document, Slot } from '../../src/formats/format.ts';
import { keyId, slotIds, type SlotId } from '../../src/documents/localization/pairing.ts';
import { applyPending } from '../../src/documents/localization/restructure.ts';
import type { Target } from '../../src/documents/localization/target.ts';
import {
  Bench,
  expectLinesKept,
  expectNoCommentTwice,
  expectOneLineEnd,
  expectSourceOrder,
  masked,
  outside,
  valuesOf,
} from './target-checks.ts';
import { DIALECTS, PLURAL_DIALECTS } from './dialects/dialects.ts';
import { runs } from '../property-runs.ts';
import {
  chance,
  commentsOf,
  pick,
  Writer,
  type Dialect,
  type FileModel,
  type Style,
} from './target-model.ts';

/** Enough for every run of the suite. For more and different trials, set TARGET_RUNS=1000 TARGET_SEED=7. */
const RUNS = {
  numRuns: Number(process.env['TARGET_RUNS'] ?? runs(20)),
  seed: Number(process.env['TARGET_SEED'] ?? 20261121),
};

/** Values from the dialect's own spellings of texts, each with its syntax. */
type Values = readonly Pick<Slot, 'value' | 'syntax'>[];

async function readableValues(dialect: Dialect): Promise<Values> {
  const items = dialect.texts.map((text, i) => ({
    name: dialect.names[i] ?? [],
    notes: [],
    gap: false,
    body: { text },
  }));
  const style: Style = { newline: '\n', indent: '  ', finalNewline: true, spelling: 0, compact: false };
  const bench = await Bench.open(
    dialect,
    dialect.write({ locale: dialect.target, items, head: [], foot: [] }, style),
  );
  return bench.source.document.slots;
}

class Case {
  readonly g: GeneratorValue;
  readonly dialect: Dialect;
  readonly writer: Writer;
  readonly source: FileModel;
  readonly values: Values;

  constructor(g: GeneratorValue, dialect: Dialect, values: Values) {
    this.g = g;
    this.dialect = dialect;
    this.values = values;
    this.writer = new Writer(g, dialect);
    this.source = this.writer.source();
  }

  bench(): Promise<Bench> {
    return Bench.open(this.dialect, this.dialect.write(this.source, this.writer.style()));
  }

  value(slot: Slot): string {
    // If the source has markup, the value is markup: not every text is valid.
    const isMarkup = slot.syntax === 'markup';
    const fitting = this.values.filter(({ syntax }) => (syntax === 'markup') === isMarkup);
    return pick(this.g, fitting).value.replaceAll('0000', this.writer.unique());
  }

  /** New values for some slots. */
  some(
    document: Document,
    percent: number,
    wanted: (id: SlotId) => boolean = () => true,
  ): Map<SlotId, string> {
    const values = new Map<SlotId, string>();
    for (const [i, id] of slotIds(document).entries()) {
      const slot = document.slots[i];
      if (slot && wanted(id) && chance(this.g, percent)) values.set(id, this.value(slot));
    }
    return values;
  }
}

describe.each([...DIALECTS, ...PLURAL_DIALECTS].map((dialect) => [dialect.name, dialect] as const))(
  '%s',
  (_, dialect) => {
    const holds = async (promise: (each: Case) => Promise<void>): Promise<void> => {
      const values = await readableValues(dialect);
      expect(values.length).toBe(dialect.texts.length);
      await fc.assert(
        fc.asyncProperty(fc.gen(), (g) => promise(new Case(g, dialect, values))),
        RUNS,
      );
    };

    it('starts a target as the skeleton of its source', () =>
      holds(async (each) => {
        const bench = await each.bench();
        const { skeleton } = bench;
        const ids = slotIds(skeleton);
        const values = each.some(skeleton, 70);
        const target = await bench.build(undefined, values);
        expect(target.rejected).toEqual(new Map());
        const old = valuesOf(skeleton);
        expect([...valuesOf(target.document)]).toEqual(ids.map((id) => [id, values.get(id) ?? old.get(id)]));
        expect(outside(target.document)).toEqual(
          outside(applyPending(bench.source, skeleton, dialect.target)),
        );
        expectSourceValues(bench);
      }));

    it('edits an existing target', () =>
      holds(async (each) => {
        const bench = await each.bench();
        const existing = await existingOf(each, bench);
        const { base, changed, missing, edited } = existing;
        if (!dialect.plurals && !dialect.path.endsWith('.po')) expect(base.document.text).toBe(existing.text);
        expectLinesKept(withoutPluralRule(existing.text), base.document.text);
        expect(outside(edited.document)).toEqual(outside(base.document));

        const target = await bench.build(existing.file, new Map([...changed, ...missing]));
        const note = `${existing.text}\n=>\n${target.document.text}`;
        requireReasons(target, base.document, bench.skeleton, missing);
        const after = valuesOf(target.document);
        for (const [id, value] of [...changed, ...missing])
          if (!target.rejected.has(id)) expect(after.get(id), `${id} in ${note}`).toBe(value);
        for (const [id, value] of valuesOf(base.document))
          if (!changed.has(id)) expect(after.get(id), `${id} in ${note}`).toBe(value);
        expectNothingElse(bench.skeleton, base.document, missing, target.document);
        expectSourceOrder(
          bench.skeleton.entries,
          base.document.entries,
          target.document.entries,
          `${bench.skeleton.text}\n+\n${note}`,
        );
        const comments = [...commentsOf(each.source), ...commentsOf(existing.model)];
        expectNoCommentTwice(comments, existing.text, bench.skeleton.text, target.document.text);
        if (existing.style.compact) return;
        expectLinesKept(masked(edited.document, changed), masked(target.document, changed));
        expectOneLineEnd(existing.text, outside(target.document).join(''));
      }));

    it('changes nothing when built again', () =>
      holds(async (each) => {
        const bench = await each.bench();
        const { file, changed, missing } = await existingOf(each, bench);
        for (const existing of [file, undefined]) {
          const values = existing ? new Map([...changed, ...missing]) : each.some(bench.skeleton, 50);
          const target = await bench.build(existing, values);
          const again = await bench.openTarget(target.bytes);
          expect((await bench.build(again, new Map())).document.text).toBe(target.document.text);
          const written = [...values].filter(([id]) => !target.rejected.has(id));
          const same = await bench.build(again, new Map(written));
          expect(same.document.text).toBe(target.document.text);
          expect(Buffer.compare(same.bytes, target.bytes)).toBe(0);
        }
      }));

    it('removes entries and nothing else', () =>
      holds(async (each) => {
        const bench = await each.bench();
        const { file, base, model, style } = await existingOf(each, bench);
        const doomed = removable(base.document).filter(() => chance(each.g, 40));
        const gone = new Set(doomed.map(keyId));
        const remove = doomed;
        const target = await bench.build(file, new Map(), { remove });
        const kept = base.document.slots.filter(({ key, plural }) => !gone.has(keyId(plural?.group ?? key)));
        const note = `${base.document.text}\n=>\n${target.document.text}`;
        expect(
          target.document.slots.map(({ key, value }) => ({ key, value })),
          note,
        ).toEqual(kept.map(({ key, value }) => ({ key, value })));
        for (const comment of [...model.head, ...model.foot])
          expect(target.document.text, note).toContain(comment);
        if (!style.compact) expectLinesKept(target.document.text, base.document.text);
      }));

    it('removes its insertions without a trace', () =>
      holds(async (each) => {
        const bench = await each.bench();
        const { file, base, missing, model, style } = await existingOf(each, bench);
        if (base.document.slots.length === 0 || hasEmpty(model.items)) return;
        if (bench.skeleton.slots.some(({ key }) => isListElement(key))) return;
        const target = await bench.build(file, missing);
        const present = new Set(slotIds(base.document));
        const groups = new Set(base.document.slots.map(({ plural }) => plural && keyId(plural.group)));
        const added = target.document.slots
          .filter(({ key }) => !present.has(keyId(key)))
          .map(({ key, plural }) => (plural && !groups.has(keyId(plural.group)) ? plural.group : key));
        const back = await bench.build(await bench.openTarget(target.bytes), new Map(), { remove: added });
        const note = `${base.document.text}\n=>\n${target.document.text}`;
        if (style.finalNewline && isDense(each.source.items) && isEven(model.items))
          expect(back.document.text, note).toBe(base.document.text);
        // Blank lines and comments may belong to a whole section: whether they move along is a guess.
        else expect(withoutSections(back.document.text), note).toBe(withoutSections(base.document.text));
      }));

    interface Existing {
      readonly model: FileModel;
      readonly style: Style;
      readonly text: string;
      readonly file: Awaited<ReturnType<Bench['openTarget']>>;
      /** The target without requested changes: only missing plural branches and header fields were added. */
      readonly base: Target;
      readonly changed: ReadonlyMap<SlotId, string>;
      readonly missing: ReadonlyMap<SlotId, string>;
      /** The target with the changed values only. */
      readonly edited: Target;
    }

    async function existingOf(each: Case, bench: Bench): Promise<Existing> {
      const model = each.writer.existing(each.source);
      const style = each.writer.style();
      const text = dialect.write(model, style);
      const file = await bench.openTarget(text);
      const base = await bench.build(file, new Map());
      const present = new Set(slotIds(base.document));
      const changed = each.some(inSyntaxOf(bench.skeleton, base.document), 25);
      const missing = each.some(bench.skeleton, 70, (id) => !present.has(id));
      const edited = await bench.build(file, changed);
      expect(edited.rejected).toEqual(new Map());
      return { model, style, text, file, base, changed, missing, edited };
    }
  },
);

/** The document with its slots in the source's current syntax, in which values are written. */
function inSyntaxOf(skeleton: Document, document: Document): Document {
  const ids = slotIds(skeleton);
  const own = slotIds(document);
  const syntaxes = new Map(ids.map((id, i) => [id, skeleton.slots[i]?.syntax]));
  const slots = document.slots.map((slot, i) => ({
    ...slot,
    syntax: syntaxes.get(own[i] ?? '') ?? slot.syntax,
    encode: (value: string) => slot.encode(value),
  }));
  return { ...document, entries: document.entries, slots };
}

/** Slots without a given value hold the source's value; those of a catalogue are empty. */
function expectSourceValues({ source, skeleton }: Bench): void {
  const values = valuesOf(source.document);
  for (const [i, id] of slotIds(skeleton).entries()) {
    const slot = skeleton.slots[i];
    if (source.format.id === 'po') expect(slot?.value).toBe('');
    else if (!slot?.plural) expect(slot?.value).toBe(values.get(id));
    else expect([...values.values()]).toContain(slot.value);
  }
}

/** A Plural-Forms line may be inserted; an existing one stays. */
function withoutPluralRule(text: string): string {
  return text;
}

/**
 * Entries that may be refused: a list element whose position is not next in the target's list, and plural forms that
 * would be inserted without their `other`.
 */
function requireReasons(
  target: Target,
  base: Document,
  skeleton: Document,
  values: ReadonlyMap<SlotId, string>,
): void {
  const ids = slotIds(skeleton);
  const has = (id: SlotId): boolean => values.has(id) || slotIds(base).includes(id);
  for (const [id, error] of target.rejected) {
    expect(error.message).toMatch(/^the entry could not be inserted: the surrounding entries differ/);
    const { key, plural } = skeleton.slots[ids.indexOf(id)] ?? { key: [] };
    const parent = key.slice(0, -1);
    const earlier = plural ? ['other'] : Array.from({ length: Number(key.at(-1)) }, (_, i) => String(i));
    expect(
      earlier.every((name) => has(keyId([...parent, name]))),
      `${id}: ${error.message}`,
    ).toBe(false);
  }
}

/** Inserted entries were requested, or are other forms of a requested plural. */
function expectNothingElse(
  skeleton: Document,
  base: Document,
  missing: ReadonlyMap<SlotId, string>,
  after: Document,
): void {
  const before = valuesOf(base);
  const ids = slotIds(skeleton);
  const group = (slot: Document['slots'][number] | undefined): string =>
    keyId(slot?.plural?.group ?? slot?.key ?? []);
  const asked = new Set(skeleton.slots.filter((_, i) => missing.has(ids[i] ?? '')).map(group));
  for (const [i, id] of slotIds(after).entries())
    if (!before.has(id)) expect(asked, `${id} in\n${after.text}`).toContain(group(after.slots[i]));
}

function removable(document: Document): readonly (readonly string[])[] {
  const groups = new Map(
    document.slots.map(({ key, plural }) => [keyId(plural?.group ?? key), plural?.group ?? key] as const),
  );
  // Removing a list element renumbers the following ones.
  return [...groups.values()].filter((key) => !isListElement(key));
}

function hasEmpty(items: FileModel['items']): boolean {
  return items.some(
    ({ body }) => 'children' in body && (body.children.length === 0 || hasEmpty(body.children)),
  );
}

function isDense(items: FileModel['items']): boolean {
  return items.every(
    ({ gap, notes, body }) => !gap && notes.length === 0 && (!('children' in body) || isDense(body.children)),
  );
}

/**
 * The same number of blank lines between entries everywhere: if they differ, inserted entries use the most frequent
 * number.
 */
const isEven = (items: FileModel['items']): boolean =>
  new Set(items.slice(1).map(({ gap }) => gap)).size <= 1;

const isListElement = (key: readonly string[]): boolean => /^[0-2]$/.test(key.at(-1) ?? '');

function withoutSections(text: string): string {
  const lines = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !/^\s*\S+ (?:note|own) \d+/.test(line));
  return lines.join('\n').trim();
}
