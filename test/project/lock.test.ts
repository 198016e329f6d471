import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { lockKey, readHeader } from '../../src/project/state/lock-line.ts';
import { Lock, parseLock, serializeLock } from '../../src/project/state/lock.ts';
import { chooseRecord } from '../../src/project/plan/key-state.ts';
import { processorTime } from '../processor-time.ts';
import { codePoint } from '../code-point.ts';

const hash = fc.stringMatching(/^[0-9a-f]{16}$/);
const path = fc
  .array(fc.oneof(fc.string({ minLength: 1, maxLength: 8 }), fc.constantFrom('a b', '~', 'ä', '\t')), {
    minLength: 1,
  })
  .map((parts) => parts.join('/'))
  .filter((text) => text.isWellFormed());
const key = fc.tuple(fc.array(fc.string({ unit: codePoint, maxLength: 12 }), { maxLength: 4 }), fc.nat(3));
const lineParts = {
  file: path,
  key: key.map(([segments, occurrence]) => lockKey(segments, occurrence)).filter((text) => text !== ''),
  locale: fc.constantFrom('es', 'fr', 'pt-BR', 'zh-CN'),
  source: hash,
  output: hash,
  mark: fc.constantFrom(undefined, 'human' as const, 'outdated' as const, 'pending' as const),
};
const line = fc.record(lineParts);
/** Keys that are likely to be equal, or the beginning of another. */
const shortKey = fc.stringMatching(/^[ab-]{1,2}$/).map((text) => lockKey([text], 0));

function lockOf(lines: readonly Parameters<Lock['add']>[0][]): Lock {
  const lock = new Lock({ source: 'en', targets: ['es', 'fr'] });
  for (const each of lines) lock.add(each);
  return lock;
}

/**
 * The result of merging two branches that only add and remove whole lines: the lines of both, without those that either
 * removed.
 */
function mergeLines(base: string, ours: string, theirs: string): string {
  const [b, o, t] = [base, ours, theirs].map((text) => new Set(text.split('\n')));
  const all = [...new Set([...(o ?? []), ...(t ?? [])])];
  return all.filter((each) => !b?.has(each) || (o?.has(each) && t?.has(each))).join('\n');
}

describe('lock', () => {
  it('reads back the records that it wrote, sorted and on one line each', () => {
    fc.assert(
      fc.property(fc.array(line), fc.infiniteStream(fc.nat()), (lines, random) => {
        const text = serializeLock(lockOf(lines));
        expect(serializeLock(parseLock(text))).toBe(text);
        expect(serializeLock(parseLock(text.replaceAll('\n', '\r\n')))).toBe(text);
        const shuffled = [...lines].map((each) => ({ each, at: random.next().value ?? 0 }));
        shuffled.sort((a, b) => a.at - b.at);
        expect(serializeLock(lockOf(shuffled.map(({ each }) => each)))).toBe(text);
        const body = text.split('\n').slice(4, -1);
        expect(body).toHaveLength(lines.length);
        expect(body).toEqual([...body].sort());
      }),
    );
  });

  it('spells different keys differently', () => {
    fc.assert(
      fc.property(key, key, (a, b) => {
        const same = JSON.stringify(a) === JSON.stringify(b);
        expect(lockKey(...a) === lockKey(...b)).toBe(same);
        expect(lockKey(...a)).not.toMatch(/[\t\n\r\u2028]/);
        expect(lockKey(...a).isWellFormed()).toBe(true);
      }),
    );
    const long = 'x'.repeat(500);
    expect(lockKey([`${long}1`], 0)).not.toBe(lockKey([`${long}2`], 0));
    expect(lockKey([long], 0).length).toBeLessThan(130);
    expect(lockKey(['a/b', 'c~\t'], 1)).toBe('/a~1b/c~0~u0009~:2');
  });

  it('merges line by line: every record of both branches is there', () => {
    const lines = fc.uniqueArray(line, {
      selector: ({ file, key: k, locale }) => `${file}\t${k}\t${locale}`,
    });
    fc.assert(
      fc.property(lines, lines, lines, (base, ours, theirs) => {
        const text = (more: typeof base): string => serializeLock(lockOf([...base, ...more]));
        const merged = parseLock(mergeLines(text([]), text(ours), text(theirs)));
        for (const { file, locale, key: k, ...record } of [...base, ...ours, ...theirs]) {
          expect(merged.section(file, locale).get(k)).toContainEqual(record);
        }
        expect(merged.header).toEqual({ source: 'en', targets: ['es', 'fr'] });
      }),
    );
  });

  it('resolves conflicting records of branches according to the files', () => {
    const [s, s2, o, o2] = ['0', '1', '2', '3'].map((digit) => digit.repeat(16)) as [
      string,
      string,
      string,
      string,
    ];
    const records = [
      { source: s, output: o },
      { source: s2, output: o2 },
      { source: s2, output: o },
    ];
    expect(chooseRecord(records, s2, o2)).toBe(records[1]);
    expect(chooseRecord(records, s2, o)).toBe(records[2]);
    expect(chooseRecord(records, s, o2)).toBe(records[1]);
    expect(chooseRecord(records, s2, 'f'.repeat(16))).toBe(records[1]);
    expect(chooseRecord(records, 'f'.repeat(16), undefined)).toBe(records[0]);
  });

  it.each([
    ['<<<<<<< HEAD', 2, /conflict/, /both sides/],
    ['=======', 2, /conflict/, /both sides/],
    ['en.json\t/a\tes\tnothex\t0123456789abcdef', 2, /invalid line in the lock file/, /version control/],
    [
      'en.json\t/a\tes\t0123456789abcdef\t0123456789abcdef\tnonsense',
      2,
      /invalid line in the lock file/,
      /version control/,
    ],
    [
      'en.json\t/a\tes\t0123456789abcdef\t0123456789abcdef\treviewed:ann@example.org',
      2,
      /invalid line in the lock file/,
      /version control/,
    ],
    ['# dragoman.lock 3: of the future', 2, /newer/, /Update/],
  ])('refuses %s', (damage, number, message, hint) => {
    const [first, ...rest] = serializeLock(new Lock({ source: 'en', targets: ['es'] })).split('\n');
    const text = [first, damage, ...rest].join('\n');
    try {
      parseLock(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(DragomanError);
      const { code, at, message: said, hint: hinted } = error as DragomanError;
      expect({ code, line: at?.line }).toEqual({ code: 'configuration', line: number });
      expect(said).toMatch(message);
      expect(hinted).toMatch(hint);
    }
  });

  it('contains a record only once if two locks agree', () => {
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const twice = lockOf([...lines, ...lines]);
        expect(serializeLock(twice)).toBe(serializeLock(lockOf(lines)));
        expect(serializeLock(lockOf([...twice.lines()]))).toBe(serializeLock(twice));
      }),
    );
  });

  it('writes updates as if all lines were new', () => {
    // A few of many lines are edited; short locks are sorted again.
    const file = fc.constantFrom('a.json', `${'long/'.repeat(800)}b.json`);
    const some = fc.array(fc.record({ ...lineParts, file, key: shortKey }), { maxLength: 30 });
    const update = fc.record({ file, locale: lineParts.locale, lines: some, isWritten: fc.boolean() });
    fc.assert(
      fc.property(some, fc.array(update, { maxLength: 4 }), (before, updates) => {
        const lock = parseLock(serializeLock(lockOf(before)));
        let lines = before;
        for (const { file: replaced, locale, lines: after, isWritten } of updates) {
          const own = after.map((each) => ({ ...each, file: replaced, locale }));
          const section = lockOf(own).section(replaced, locale);
          const gone = [...lock.section(replaced, locale).keys()].map((k) => [k, []] as const);
          lock.update(replaced, locale, new Map([...gone, ...section]));
          lines = [...lines.filter((each) => each.file !== replaced || each.locale !== locale), ...own];
          if (isWritten) expect(serializeLock(lock)).toBe(serializeLock(lockOf(lines)));
        }
        expect(serializeLock(lock)).toBe(serializeLock(lockOf(lines)));
      }),
    );
  });

  it('returns source and targets without reading the rest', () => {
    const text = serializeLock(lockOf([]));
    expect(readHeader(text)).toEqual({ source: 'en', targets: ['es', 'fr'] });
  });

  it('reads and writes 200,000 lines in well under a second', () => {
    const lock = new Lock({ source: 'en', targets: ['es'] });
    for (let i = 0; i < 200_000; i++) {
      const digest = i.toString(16).padStart(16, '0');
      lock.add({
        file: `locales/en/${i >> 8}.json`,
        key: `/a/${i}`,
        locale: 'es',
        source: digest,
        output: digest,
      });
    }
    const text = serializeLock(lock);
    const start = processorTime();
    serializeLock(parseLock(text));
    // About 250 ms on a quiet machine: the bound only catches faster growth.
    expect(processorTime() - start).toBeLessThan(3000);
  });
});
