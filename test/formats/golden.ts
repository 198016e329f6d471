import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { splice } from '../../src/base/span.ts';
import type {
  Document,
  Format,
  Key,
  RetargetOptions,
  ReviewCause,
  ScanOptions,
} from '../../src/formats/format.ts';
import { render } from '../../src/formats/render.ts';

/**
 * Each directory under fixtures/formats/<format>/ is a case. Its files determine the checks (EXT is the extension):
 * - `source.EXT` with `slots.json`: the scan, as a list of {key, value, syntax, comment?, plural?, source?, state?}
 * - `values.json` (index → new value) with `rendered.EXT`: the result of writing these values
 * - `for-review.EXT`: the same with the format's mark for review. A scan must find the mark, and writing the values
 * without it must remove it
 * - `retarget.json` (RetargetOptions) with `retargeted.EXT`
 * - `target.EXT` with `merge.json` ({missing: [key, …]}) and `merged.EXT`: entries of the source inserted into the
 * target
 * - `remove.json` ([key, …]) with `removed.EXT`
 * - `options.json` ({locale}), for files that hold all languages: the language in which the source is scanned (default:
 * its source language). The target of a merge is scanned in the language of `retarget.json`
 * - `error.json` ({code, line, column, message, hint?}): the error of the scan; `message` is a regular expression
 */
export function goldenCases(name: string, format: Format): void {
  const root = new URL(`../../fixtures/formats/${name}/`, import.meta.url).pathname;
  describe(`${name} fixtures`, () => {
    for (const name of readdirSync(root)) it(name, () => expectCase(format, join(root, name)));
  });
}

function expectCase(format: Format, directory: string): void {
  const files = readdirSync(directory);
  const extension = /\.([^.]+)$/.exec(files.find((file) => file.startsWith('source.')) ?? '')?.[1];
  if (extension === undefined) throw new Error(`${directory} has no source file`);
  const text = (name: string): string => readFileSync(join(directory, `${name}.${extension}`), 'utf8');
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names what the fixture holds
  const json = <T>(name: string): T | undefined => {
    const path = join(directory, `${name}.json`);
    if (name === 'source' || !existsSync(path)) return undefined;
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  };

  const failure = json<{ code: string; line: number; column: number; message: string; hint?: string }>(
    'error',
  );
  if (failure) {
    const error = thrownBy(() => format.scan(text('source')));
    expect({ code: error.code, line: error.at?.line, column: error.at?.column }).toEqual({
      code: failure.code,
      line: failure.line,
      column: failure.column,
    });
    expect(error.message).toMatch(new RegExp(failure.message));
    if (failure.hint !== undefined) expect(error.hint).toBe(failure.hint);
    return;
  }

  const options = json<ScanOptions>('options');
  const document = format.scan(text('source'), options);
  let checks = 0;
  const slots = json<unknown[]>('slots');
  if (slots) checks += check(describeSlots(document, JSON.stringify(slots).includes('"state"')), slots);
  const values = json<Record<string, string>>('values');
  if (values) {
    const rendering = render(
      format,
      document,
      new Map(Object.entries(values).map(([i, v]) => [Number(i), v])),
      options,
    );
    expect(rendering.rejected.size).toBe(0);
    checks += check(rendering.document.text, text('rendered'));
    if (files.includes(`for-review.${extension}`))
      checks += checkMarks(format, document, values, options, text);
  }
  const retarget = json<RetargetOptions>('retarget');
  const retargeted = retarget ? splice(document.text, format.retarget(document, retarget)) : document.text;
  if (retarget) checks += check(retargeted, text('retargeted'));
  const merge = json<{ missing: Key[] }>('merge');
  if (merge) {
    const own = format.languages ? { locale: retarget?.locale } : {};
    const target = format.scan(text('target'), own);
    const edits = format.insert(target, format.scan(retargeted, own), merge.missing);
    checks += check(splice(target.text, edits), text('merged'));
  }
  const removed = json<Key[]>('remove');
  if (removed) checks += check(splice(document.text, format.remove(document, removed)), text('removed'));
  expect(checks, 'a case that checks nothing').toBeGreaterThan(0);
}

function checkMarks(
  format: Format,
  document: Document,
  values: Record<string, string>,
  options: ScanOptions | undefined,
  text: (name: string) => string,
): number {
  const written = new Map(Object.entries(values).map(([i, v]) => [Number(i), v]));
  const causes = new Map(
    [...written.keys()].map((i): [number, ReviewCause] => [i, i % 2 === 0 ? 'machine' : 'other']),
  );
  const marked = render(format, document, written, { ...options, marked: causes });
  expect(marked.rejected.size).toBe(0);
  for (const [i, value] of written) {
    const { value: found, review, provisional } = marked.document.slots[i] ?? {};
    expect([found, review !== undefined, provisional]).toEqual([value, true, undefined]);
  }
  const again = render(format, marked.document, written, { ...options, marked: causes });
  expect(again.text).toBe(marked.text);
  const settled = render(format, marked.document, written, options).document;
  for (const i of written.keys()) expect(settled.slots[i]?.review).toBeUndefined();
  return check(marked.text, text('for-review'));
}

function check(actual: unknown, expected: unknown): number {
  expect(actual).toEqual(expected);
  return 1;
}

function thrownBy(action: () => unknown): DragomanError {
  try {
    action();
  } catch (error) {
    if (error instanceof DragomanError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** The parts of a scan that fixtures contain; rendering verifies the positions. */
/** @param states whether the fixture contains the states of translations */
function describeSlots(document: Document, states: boolean): unknown[] {
  return document.slots.map(({ key, value, syntax, comment, plural, source, provisional, review, state }) => {
    const form = plural && { group: plural.group, category: plural.category };
    const stated = states ? { state } : {};
    return JSON.parse(
      JSON.stringify({ key, value, syntax, comment, plural: form, source, provisional, review, ...stated }),
    );
  });
}
