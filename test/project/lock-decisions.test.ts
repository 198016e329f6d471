import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Decision } from '../../src/project/state/decision.ts';
import { parseLine, serializeLine, type LockLine } from '../../src/project/state/lock-line.ts';
import { Lock, parseLock, serializeLock } from '../../src/project/state/lock.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

const decision: fc.Arbitrary<Decision> = fc.record(
  {
    verdict: fc.constantFrom('reviewed', 'final', 'rejected', 'needs-review'),
    by: fc.constantFrom('person', 'agent', 'import:Acme_2.0'),
    note: fc.stringMatching(/^[a-z:~/ ]{1,20}$/),
  },
  { requiredKeys: ['verdict', 'by'] },
);
const digest = fc.stringMatching(/^[0-9a-f]{16}$/);
const lineFields = {
  file: fc.constantFrom('en.json', 'a b:reviewed:person.json'),
  key: fc.constantFrom('/a', '/reviewed:person', '~='),
  locale: fc.constantFrom('es', 'pt-BR'),
  source: digest,
  output: digest,
};
const line: fc.Arbitrary<LockLine> = fc.record(
  {
    ...lineFields,
    mark: fc.constantFrom('human', 'unknown', 'outdated', 'pending', 'review'),
    decision,
  },
  { requiredKeys: ['file', 'key', 'locale', 'source', 'output'] },
);

describe('decisions in the lock', () => {
  it('are read back as written, and turn the lock into format 2', () => {
    fc.assert(
      fc.property(fc.uniqueArray(line, { selector: serializeLine }), (lines) => {
        for (const one of lines) expect(parseLine(serializeLine(one))).toEqual({ ...one, mark: one.mark });
        const lock = new Lock({ source: 'en', targets: ['es'] });
        for (const one of lines) lock.add(one);
        const text = serializeLock(lock);
        const isDecided = lines.some((one) => one.decision);
        expect(text.startsWith(`# dragoman.lock ${isDecided ? 2 : 1}: `)).toBe(true);
        expect(serializeLock(parseLock(text))).toBe(text);
        // Without decisions, only the first line differs.
        const bare = new Lock({ source: 'en', targets: ['es'] });
        for (const one of lines) bare.add({ ...one, decision: undefined });
        const first = serializeLock(bare).split('\n');
        expect(first[0]).toContain('# dragoman.lock 1: ');
        const without = (each: string): string =>
          each.replace(/\t(?:reviewed|final|rejected|needs-review):.*$/, '');
        expect([...new Set(text.split('\n').slice(1).map(without))].sort()).toEqual(first.slice(1).sort());
      }),
    );
  });

  it('let the lock record which texts came from the memory; without decisions it stays in format 1', () => {
    const withMark = fc.record({ ...lineFields, mark: fc.constantFrom('memory', 'human', undefined) });
    fc.assert(
      fc.property(fc.uniqueArray(withMark, { selector: serializeLine }), line, (lines, decided) => {
        const lockOf = (all: readonly LockLine[]): string => {
          const lock = new Lock({ source: 'en', targets: ['es'] });
          for (const one of all) lock.add(one);
          return serializeLock(lock);
        };
        const text = lockOf(lines);
        const unmarked = lines.map((one) => (one.mark === 'memory' ? { ...one, mark: undefined } : one));
        expect(text).toBe(lockOf(unmarked));
        expect(text).toContain('# dragoman.lock 1: ');
        expect(serializeLock(parseLock(text))).toBe(text);
        const other = lockOf([
          ...lines,
          { ...decided, file: 'other', decision: { verdict: 'final', by: 'person' } },
        ]);
        for (const one of lines) expect(other).toContain(`${serializeLine(one)}\n`);
      }),
    );
  });

  it('merge by git’s union from two branches, one of which an older version wrote', () => {
    const keys = ['/a', '/b', '/c'];
    const textOf = (decided: Readonly<Record<string, Decision>>): string => {
      const lock = new Lock({ source: 'en', targets: ['es'] });
      for (const [i, key] of keys.entries()) {
        const value = String(i).repeat(16);
        lock.add({
          file: 'en.json',
          key,
          locale: 'es',
          source: value,
          output: value,
          decision: decided[key],
        });
      }
      return serializeLock(lock);
    };
    const directory = mkdtempSync(join(tmpdir(), 'dragoman-union-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const merge = (ours: string, base: string, theirs: string): string => {
      const paths = Object.entries({ ours, base, theirs }).map(([name, text]) => {
        writeFileSync(join(directory, name), text);
        return join(directory, name);
      });
      return execFileSync('git', ['merge-file', '--union', '-p', ...paths], { encoding: 'utf8' });
    };
    const ours = textOf({ '/a': { verdict: 'reviewed', by: 'person' } });
    const theirs = textOf({ '/b': { verdict: 'rejected', by: 'agent', note: 'not our tone' } });
    const merged = parseLock(merge(ours, textOf({}), theirs));
    const decided = [...merged.lines()].filter((one) => one.decision);
    expect(decided.map(({ key, decision: made }) => [key, made?.verdict])).toEqual([
      ['/a', 'reviewed'],
      ['/b', 'rejected'],
    ]);
    // The older version has added a line, and kept the first one.
    const older = `${textOf({})}en.json\t/d\tes\t${'d'.repeat(16)}\t${'d'.repeat(16)}\n`;
    const both = merge(ours, textOf({}), older);
    expect([...parseLock(both).lines()].map(({ key }) => key)).toContain('/d');
    expect(serializeLock(parseLock(both)).split('\n')[0]).toContain('# dragoman.lock 2: ');
  });
});

/** Writes a decision into the line of a key, as a review does. */
function decide(project: ProjectDirectory, key: string, text: string): void {
  const lock = project.read('dragoman.lock').split('\n');
  project.write(
    'dragoman.lock',
    lock.map((one) => (one.includes(`\t${key}\t`) ? `${one}\t${text}` : one)).join('\n'),
  );
}

const lineOf = (project: ProjectDirectory, key: string): string => {
  const [, , , , , ...rest] =
    project
      .read('dragoman.lock')
      .split('\n')
      .find((one) => one.includes(`\t${key}\t`))
      ?.split('\t') ?? [];
  return rest.join(' ');
};

describe('a decision', () => {
  const start = async (): Promise<[ProjectDirectory, RecordingEngine]> => {
    const project = new ProjectDirectory();
    project.json('en.json', { a: 'Save', b: 'Open' });
    const engine = new RecordingEngine();
    await project.sync(engine, { source: 'en', targets: ['es'] });
    engine.calls.length = 0;
    return [project, engine];
  };

  it('survives a sync, a renamed key, and a source that changes and changes back', async () => {
    const [project, engine] = await start();
    decide(project, '/a', 'human\treviewed:person');
    const sync = (en: object): Promise<unknown> => {
      project.json('en.json', en);
      return project.sync(engine, { source: 'en', targets: ['es'] });
    };
    await sync({ a: 'Save', b: 'Open', c: 'Close' });
    expect(lineOf(project, '/a')).toBe('human reviewed:person');
    await sync({ first: 'Save', b: 'Open', c: 'Close' });
    expect(lineOf(project, '/first')).toBe('human reviewed:person');
    await sync({ first: 'Save all', b: 'Open', c: 'Close' });
    expect(lineOf(project, '/first')).toBe('outdated reviewed:person');
    await sync({ first: 'Save', b: 'Open', c: 'Close' });
    expect(lineOf(project, '/first')).toBe('human reviewed:person');
    expect(engine.texts).toEqual(['es Close']);
  });

  it('ends when its text is changed', async () => {
    const [project, engine] = await start();
    decide(project, '/a', 'human\tfinal:person');
    project.json('es.json', { a: 'Guardar', b: 'es:Open' });
    await project.sync(engine, { source: 'en', targets: ['es'] });
    expect(lineOf(project, '/a')).toBe('human');
    expect(project.read('dragoman.lock')).toContain('# dragoman.lock 1: ');
  });

  it('keeps a rejected text until sync retranslates it, and applies to equal texts', async () => {
    const [project, engine] = await start();
    decide(project, '/a', 'rejected:person\tnot our tone');
    await project.sync(engine, { source: 'en', targets: ['es'] });
    expect(engine.texts).toEqual([]);
    await project.sync(engine, { source: 'en', targets: ['es'], force: true, keys: ['a'] });
    expect(engine.texts).toEqual(['es Save']);
    expect(lineOf(project, '/a')).toBe('rejected:person not our tone');
    project.json('en.json', { a: 'Save all', b: 'Open' });
    await project.sync(engine, { source: 'en', targets: ['es'] });
    expect(lineOf(project, '/a')).toBe('');
  });
});
