import type { Document } from '../../src/formats/format.ts';
import type { BuiltInFormatId } from '../../src/formats/registry.ts';
import type { Entry } from '../../test/readers/reader.ts';
import { SPECIMENS } from '../../test/specimens/specimens.ts';
import { compareOne, compareTwo, type Both } from './comparison.ts';
import type { Examination, Version } from './examination.ts';
import type { Readings } from './readings.ts';

export interface Case {
  readonly name: string;
  readonly format: BuiltInFormatId;
  readonly bytes: Uint8Array;
  readonly examination: Examination;
}

export type Mark = 'ok' | 'FAIL' | 'SKIPPED' | 'refuses' | '-';

export interface Verdict {
  readonly name: string;
  readonly format: BuiltInFormatId;
  readonly dialect: string;
  readonly encoding: string;
  readonly slots: number;
  readonly identity: Mark;
  readonly changed: number;
  readonly kept: number;
  readonly outside: Mark;
  readonly reader: Mark;
  readonly i18n: Mark;
  /** Problems. */
  readonly problems: readonly string[];
  /** Notes that are not problems. */
  readonly notes: readonly string[];
}

/** Combines the program's result for a file with the readers' reports. */
export function judge({ name, format, bytes, examination }: Case, readings: Readings): Verdict {
  const nothing = { name, format, dialect: '-', encoding: '-', slots: 0, changed: 0, kept: 0 };
  if ('refused' in examination) {
    const reading = readings.of(bytes);
    const agreed = reading && 'refused' in reading;
    const reader: Mark = reading ? (agreed ? 'refuses' : 'FAIL') : 'SKIPPED';
    const said = `refused: ${examination.refused}`;
    const problems = reading && !agreed ? [`${said}, but ${SPECIMENS[format].reader.name} reads it`] : [];
    const notes = agreed
      ? [`${said}; ${SPECIMENS[format].reader.name}: ${firstLine(reading.refused)}`]
      : [said];
    return { ...nothing, identity: '-', outside: '-', reader, i18n: '-', problems, notes };
  }
  const { file, identical, pseudo, i18n } = examination;
  const source: Version = { bytes, document: file.document };
  const seen = lookAt(format, source, pseudo, readings);
  const anew = lookAtNew(format, source, i18n, readings);
  const { charset, bom } = file.encoding;
  return {
    name,
    format,
    dialect: file.document.dialect,
    encoding: bom && charset === 'utf-8' ? 'utf-8+bom' : charset,
    slots: file.document.slots.length,
    identity: identical ? 'ok' : 'FAIL',
    changed: pseudo.changed,
    kept: pseudo.kept,
    outside: pseudo.problems.length > 0 ? 'FAIL' : 'ok',
    reader: seen.mark,
    i18n: i18n.problems.length > 0 ? 'FAIL' : anew.mark,
    problems: [
      ...(identical ? [] : ['identity: the bytes differ']),
      ...pseudo.problems.map((problem) => `pseudo: ${problem}`),
      ...seen.problems.map((problem) => `reader: ${problem}`),
      ...i18n.problems.map((problem) => `i18n: ${problem}`),
      ...anew.problems.map((problem) => `i18n: ${problem}`),
    ],
    notes: [
      ...seen.notes,
      ...anew.notes,
      ...pseudo.failures.map((failure) => `kept: ${failure}`),
      ...i18n.failures.map((failure) => `kept in es: ${failure}`),
    ],
  };
}

interface Look {
  readonly mark: Mark;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

const SKIPPED: Look = { mark: 'SKIPPED', problems: [], notes: [] };
const marked = (problems: readonly string[], notes: readonly string[] = []): Look => ({
  mark: problems.length > 0 ? 'FAIL' : 'ok',
  problems,
  notes,
});

/**
 * The reader must read the same source as the program, and the result must have the intended values and no other
 * changes.
 */
function lookAt(format: BuiltInFormatId, source: Version, result: Version, readings: Readings): Look {
  const { lastWins, name } = SPECIMENS[format].reader;
  const before = readings.of(source.bytes);
  const after = readings.of(result.bytes);
  if (!before || !after) return SKIPPED;
  if ('refused' in before) {
    return {
      mark: 'refuses',
      problems: [],
      notes: [`${name} refuses the source: ${firstLine(before.refused)}`],
    };
  }
  if ('refused' in after) return marked([`${name} refuses the result: ${firstLine(after.refused)}`]);
  const old: Both = { document: source.document, reading: before };
  const now: Both = { document: result.document, reading: after };
  const gnu = format === 'po' ? lookWithGnu(source, result, readings) : marked([]);
  return marked(
    [
      ...compareOne(format, old, lastWins).map((problem) => `source: ${problem}`),
      ...compareOne(format, now, lastWins).map((problem) => `result: ${problem}`),
      ...compareTwo(format, old, now, lastWins),
      ...gnu.problems,
    ],
    gnu.notes,
  );
}

/**
 * Checks the new file in another language: the reader must see its values, and a PO file must pass all checks
 * of msgfmt.
 */
function lookAtNew(format: BuiltInFormatId, source: Version, result: Version, readings: Readings): Look {
  const { lastWins, name } = SPECIMENS[format].reader;
  const before = readings.of(source.bytes);
  const after = readings.of(result.bytes);
  if (!before || !after) return SKIPPED;
  if ('refused' in before) return { mark: 'refuses', problems: [], notes: [] };
  if ('refused' in after) return marked([`${name} refuses the result: ${firstLine(after.refused)}`]);
  const problems = [...compareOne(format, { document: result.document, reading: after }, lastWins)];
  if (format !== 'po') return marked(problems);
  const checked = readings.gnuCheck(result.bytes);
  if (!checked) return { ...SKIPPED, problems };
  const compiled = readings.gnu(source.bytes);
  if (!('refused' in checked)) problems.push(...compareCompiled(result.document, checked.entries));
  else if (compiled && 'refused' in compiled) {
    return marked(problems, [`msgfmt refuses source and result: ${firstLine(checked.refused)}`]);
  } else problems.push(`msgfmt --check refuses the result: ${checked.refused}`);
  return marked(problems);
}

function lookWithGnu(source: Version, result: Version, readings: Readings): Look {
  const before = readings.gnu(source.bytes);
  const after = readings.gnu(result.bytes);
  if (!before || !after) return SKIPPED;
  if ('refused' in before) return marked([], [`msgfmt refuses the source: ${firstLine(before.refused)}`]);
  if ('refused' in after) return marked([`msgfmt refuses the result: ${firstLine(after.refused)}`]);
  return marked([
    ...compareCompiled(source.document, before.entries),
    ...compareCompiled(result.document, after.entries),
  ]);
}

/** A compiled catalogue contains exactly the translated messages that are not fuzzy. */
function compareCompiled({ slots }: Document, entries: readonly Entry[]): readonly string[] {
  const here = messages(
    slots
      .filter(({ provisional, review }) => !provisional && !review)
      .map(({ key, plural, value }) => [plural?.group ?? key, value]),
  );
  const there = messages(
    entries.filter(({ key, kind }) => kind === 'text' && key[1] !== '').map(({ key, value }) => [key, value]),
  );
  return [...new Set([...here.keys(), ...there.keys()])]
    .filter((key) => here.get(key) !== there.get(key))
    .map(
      (key) =>
        `msgfmt has ${JSON.stringify(there.get(key))} for ${JSON.stringify(key)}, not ${JSON.stringify(here.get(key))}`,
    );
}

/** Messages with their forms joined. msgfmt considers a message without its first form untranslated. */
function messages(
  list: Iterable<readonly [key: readonly string[], value: string]>,
): ReadonlyMap<string, string> {
  const forms = new Map<string, string[]>();
  for (const [key, value] of list) {
    const id = key.join('\u0004');
    forms.set(id, [...(forms.get(id) ?? []), value]);
  }
  const translated = [...forms].filter(([, [first]]) => first !== '');
  return new Map(translated.map(([id, values]) => [id, values.join('\0')]));
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}
