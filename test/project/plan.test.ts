import { describe, expect, it } from 'vitest';
import {
  fingerprint,
  type LockMark,
  type LockRecord,
  sourceFingerprint,
} from '../../src/project/state/lock-line.ts';
import { keptRecord, stateOf } from '../../src/project/plan/key-state.ts';
import { matchesKey } from '../../src/project/config/glob.ts';
import { planFile } from '../../src/project/plan/plan.ts';
import { listSourceKeys } from '../../src/project/plan/source-keys.ts';
import { openBytes } from '../../src/documents/localization/open-file.ts';

const [S, S2, O, O2] = ['s', 't', 'o', 'p'].map((text) => fingerprint(text)) as [
  string,
  string,
  string,
  string,
];

type Row = readonly [
  mark: LockMark | 'none' | undefined,
  source: 'same' | 'changed',
  value: 'same' | 'changed' | 'none',
  state: string,
  kept: readonly [source: 'old' | 'new', output: 'old' | 'new', mark?: LockMark] | undefined,
];

// Every combination of lock record, source, and target value.
const TABLE: readonly Row[] = [
  ['none', 'same', 'none', 'missing', undefined],
  ['none', 'same', 'same', 'unknown', ['old', 'old', 'unknown']],
  [undefined, 'same', 'none', 'missing', undefined],
  [undefined, 'same', 'same', 'current', ['old', 'old']],
  [undefined, 'same', 'changed', 'edited', ['old', 'new', 'human']],
  [undefined, 'changed', 'none', 'missing', undefined],
  [undefined, 'changed', 'same', 'stale', ['old', 'old']],
  [undefined, 'changed', 'changed', 'outdated', ['old', 'new', 'outdated']],
  ['human', 'same', 'none', 'missing', undefined],
  ['human', 'same', 'same', 'current', ['old', 'old', 'human']],
  ['human', 'same', 'changed', 'edited', ['old', 'new', 'human']],
  ['human', 'changed', 'same', 'outdated', ['old', 'old', 'outdated']],
  ['human', 'changed', 'changed', 'outdated', ['old', 'new', 'outdated']],
  ['unknown', 'same', 'none', 'missing', undefined],
  ['unknown', 'same', 'same', 'current', ['old', 'old', 'unknown']],
  ['unknown', 'same', 'changed', 'edited', ['old', 'new', 'human']],
  ['unknown', 'changed', 'same', 'outdated', ['old', 'old', 'outdated']],
  ['unknown', 'changed', 'changed', 'outdated', ['old', 'new', 'outdated']],
  ['outdated', 'same', 'same', 'current', ['old', 'old', 'unknown']],
  ['outdated', 'same', 'changed', 'edited', ['old', 'new', 'human']],
  ['outdated', 'changed', 'same', 'outdated', ['old', 'old', 'outdated']],
  ['outdated', 'changed', 'changed', 'edited', ['new', 'new', 'human']],
  ['pending', 'same', 'none', 'missing', undefined],
  ['pending', 'same', 'same', 'pending', ['old', 'old', 'pending']],
  ['pending', 'same', 'changed', 'edited', ['old', 'new', 'human']],
  ['pending', 'changed', 'same', 'pending', ['old', 'old', 'pending']],
  ['pending', 'changed', 'changed', 'edited', ['new', 'new', 'human']],
];

describe('key state', () => {
  it.each(TABLE)('lock %s, source %s, value %s: %s', (mark, source, value, state, kept) => {
    const facts = {
      sourceHash: source === 'same' ? S : S2,
      output: value === 'none' ? undefined : value === 'same' ? O : O2,
      record: mark === 'none' ? undefined : { source: S, output: O, mark },
    };
    expect(stateOf(facts)).toBe(state);
    const record = keptRecord(stateOf(facts), facts);
    expect(record).toEqual(
      kept && { source: kept[0] === 'old' ? S : S2, output: kept[1] === 'old' ? O : O2, mark: kept[2] },
    );
    // Recorded states are final: comparing again changes nothing.
    const again = { ...facts, record };
    if (record) expect(keptRecord(stateOf(again), again)).toEqual(record);
  });
});

describe('source fingerprint', () => {
  it('depends on text, comment and plural category', () => {
    const facts = [
      { text: 'a' },
      { text: 'a', comment: '' },
      { text: 'a', comment: 'c' },
      { text: 'a', category: 'one' },
      { text: 'a', category: 'other' },
      { text: 'a', comment: 'c', category: 'other' },
    ];
    expect(new Set(facts.map(sourceFingerprint)).size).toBe(facts.length);
    expect(sourceFingerprint({ text: 'a', comment: undefined })).toBe(sourceFingerprint({ text: 'a' }));
    // The documented digest: the first 16 digits of SHA-256.
    expect(fingerprint('abc')).toBe('ba7816bf8f01cfea');
  });
});

describe('the plan', () => {
  it('pairs duplicate keys by occurrence; if the target has fewer, its first one with the last of the source', async () => {
    const open = (text: string): ReturnType<typeof openBytes> => openBytes(Buffer.from(text), 'x.properties');
    const source = (await open('a=One\na=Two\na=Three\n')).document;
    const target = (await open('a=Uno\na=\n')).document;
    const expected = listSourceKeys(source, source, 'es');
    const plan = planFile({ expected, skeleton: source, target, locale: 'es', records: new Map() });
    expect(plan.keys.map(({ text, value, state }) => [text, value, state])).toEqual([
      ['Three', 'Uno', 'unknown'],
      ['Two', undefined, 'missing'],
    ]);
    expect(plan.extra).toEqual([]);
    expect(new Set(expected.keys.map(({ lockKey }) => lockKey)).size).toBe(3);
  });

  it('lists unfinished keys, and records without a key', async () => {
    const open = (text: string): ReturnType<typeof openBytes> => openBytes(Buffer.from(text), 'x.properties');
    const names = ['ours', 'human', 'stale', 'edited', 'outdated', 'twice', 'fresh', 'pending'];
    const source = (await open(`${names.map((name) => `${name}=${name}`).join('\n')}\nblank=\nnote=\n`))
      .document;
    const values = names.filter((name) => name !== 'fresh').map((name) => `${name}=es ${name}`);
    const target = (await open(`${values.join('\n')}\nblank=\nnote=\nleft=es left\n`)).document;
    const recordOf = (name: string, mark?: LockMark): LockRecord => ({
      source: sourceFingerprint({ text: name }),
      output: fingerprint(`es ${name}`),
      mark,
    });
    const records = new Map<string, readonly LockRecord[]>([
      ['/ours', [recordOf('ours')]],
      ['/human', [recordOf('human', 'human')]],
      ['/stale', [{ ...recordOf('stale'), source: S }]],
      ['/edited', [{ ...recordOf('edited'), output: O }]],
      ['/outdated', [recordOf('outdated', 'outdated')]],
      ['/twice', [recordOf('twice'), { ...recordOf('twice'), source: S }]],
      ['/pending', [recordOf('pending', 'pending')]],
      ['/note', [recordOf('note')]],
      ['/left', [recordOf('left')]],
      ['/gone', [recordOf('gone')]],
    ]);
    const expected = listSourceKeys(source, source, 'es');
    const plan = planFile({ expected, skeleton: source, target, locale: 'es', records });
    const settled = plan.keys.filter((key) => !plan.open.includes(key)).map(({ key }) => key.join());
    expect(settled).toEqual(['ours', 'human', 'blank']);
    expect([...plan.leftover.keys()]).toEqual(['/left']);
    expect(plan.gone).toEqual(['/gone']);
  });
});

describe('key patterns', () => {
  it.each([
    ['home.*', 'home.title', true],
    ['home.*', 'home.title.sub', true],
    ['home.*', 'homeless', false],
    ['*.title', 'a.b.title', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['*', '', true],
    ['a*b*c', 'a--b--b--c', true],
    ['a*b*c', 'a--b--b--', false],
    ['[a]', '[a]', true],
  ])('%s on %s: %s', (pattern, key, expected) => {
    expect(matchesKey(pattern, key)).toBe(expected);
  });

  it('do not take exponential time', () => {
    expect(matchesKey(`${'*a'.repeat(30)}b`, 'a'.repeat(5000))).toBe(false);
  });
});
