import { describe, expect, it } from 'vitest';
import { isProblem, rowOf } from '../../src/cli/project/report-page/row.ts';
import type { ListedKey } from '../../src/project/plan/key-list.ts';

const LISTED: ListedKey = {
  key: ['menu', 'save'],
  status: 'translated',
  syntax: 'plain',
  source: 'Save {file}',
  value: 'Guardar {file}',
  sourcePlace: { line: 3, column: 8 },
  targetPlace: { line: 4, column: 9 },
  faults: [],
};

const row = (listed: Partial<ListedKey>): ReturnType<typeof rowOf> =>
  rowOf({ ...LISTED, ...listed }, (text) => text.replaceAll('secret', '[key]'));

const written = (listed: Partial<ListedKey>): unknown => JSON.parse(JSON.stringify(row(listed)));

describe('a row of the report', () => {
  it('is short if there is nothing to report', () => {
    expect(written({})).toEqual({
      key: 'menu.save',
      source: 'Save {file}',
      value: 'Guardar {file}',
      at: '3:8',
      to: '4:9',
      code: [
        [5, 11],
        [8, 14],
      ],
    });
    expect(written({ source: 'Save', value: 'Guardar' })).not.toHaveProperty('code');
  });

  it('shows whether the memory or an engine translated, and the key that a value came from', () => {
    expect(written({ result: { action: 'translated', engine: 'deepl' } })).toMatchObject({
      done: 'translated',
      by: 'deepl',
    });
    expect(written({ result: { action: 'translated', memory: 'human' } })).toMatchObject({ memory: 'human' });
    expect(written({ result: { action: 'reused', from: ['old', 'key'] } })).toMatchObject({
      from: 'old.key',
    });
  });

  it('describes every problem', () => {
    const terms = [
      { term: 'file', translation: 'archivo' },
      { term: 'Dragoman', translation: 'Dragoman' },
    ];
    const { problems } = row({ faults: ['lost'], result: { action: 'translated', missingTerms: terms } });
    expect(problems).toEqual(['lost', '"file" is not translated as "archivo"', '"Dragoman" is missing']);
    expect(row({ result: { action: 'failed', reason: 'the server said secret' } }).problems).toEqual([
      'the server said [key]',
    ]);
  });

  it('is a problem if it needs attention', () => {
    expect(isProblem(row({}))).toBe(false);
    expect(isProblem(row({ status: 'edited' }))).toBe(false);
    for (const status of ['missing', 'pending', 'stale', 'outdated', 'extra'] as const)
      expect(isProblem(row({ status })), status).toBe(true);
    expect(isProblem(row({ faults: ['lost'] }))).toBe(true);
    expect(isProblem(row({ result: { action: 'failed', reason: 'x' } }))).toBe(true);
    expect(isProblem(row({ result: { action: 'translated', engine: 'a' } }))).toBe(false);
  });

  it('truncates long values, and shows how many characters are missing', () => {
    const { source, value, cut, code } = row({
      source: '😀'.repeat(2600),
      value: `{file}${'x'.repeat(5000)}`,
    });
    expect(source).toBe('😀'.repeat(2500));
    expect(value).toHaveLength(5000);
    expect(cut).toEqual([200, 6]);
    expect(code).toBeUndefined();
    expect(row({ source: `a${'😀'.repeat(2600)}` }).source?.isWellFormed()).toBe(true);
    expect(row({ comment: 'x'.repeat(9000) }).note).toHaveLength(500);
  });
});
