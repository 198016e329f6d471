import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { RowBefore } from '../../src/project/review/undo.ts';
import { AnswerHistory } from '../../src/review/answer-history.ts';
import { GlossaryFile } from '../../src/project/glossary/glossary-file.ts';
import { acquireSyncLock, SYNC_LOCK_NAME } from '../../src/project/state/sync-lock.ts';
import { ProjectSource } from '../../src/review/project-source.ts';
import type { Answer, Pack, Result } from '../../src/review/protocol.ts';
import { answerTo as answerToText, rowsOf, save } from '../project/review/answers.ts';
import { ProjectDirectory } from '../project/project-directory.ts';

const APP = {
  'locales/en.json': '{"save": "Save", "open": "Open {{name}}"}\n',
  'locales/es.json': '{"save": "Guardar",  "open": "Abrir {{name}}"}\n',
  'package.json': '{"dependencies": {"i18next": "25.0.0"}}',
};

async function openSource(directory = new ProjectDirectory(APP), terms?: GlossaryFile) {
  const stop = new AbortController();
  const source = new ProjectSource(await directory.open({ source: 'en', targets: ['es'] }), {
    id: 'p',
    terms,
    version: 'test',
    env: process.env,
    cacheDirectory: directory.cache,
    stateDirectory: directory.state,
    signal: stop.signal,
    pause: 10,
    longestWait: 100,
  });
  return { directory, source, stop, pack: await source.rows() };
}

function answerTo({ rows }: Pick<Pack, 'rows'>, key: string, answer: Partial<Answer>): Answer {
  const { id = '', forms = [] } = rows.find((row) => row.key === key) ?? {};
  return {
    id,
    sourceHashes: forms.map(({ sourceHash }) => sourceHash),
    bases: forms.map(({ base }) => base),
    ...answer,
  };
}

const numberOf = (result: Result | undefined): number | undefined =>
  result?.kind === 'saved' ? result.number : undefined;

describe('the texts of a project for the review page', () => {
  it('are idle only when no search for a context still uses the memory', async () => {
    let isRead = false;
    class SlowGlossary extends GlossaryFile {
      override async read() {
        await setImmediate();
        isRead = true;
        return super.read();
      }
    }
    const directory = new ProjectDirectory({ ...APP, 'glossary.csv': 'term,es\nsave,guardar\n' });
    const glossary = new SlowGlossary(join(directory.path, 'glossary.csv'), directory.path);
    const { source, pack } = await openSource(directory, glossary);
    const context = source.context(pack.rows[0]?.id ?? '');
    await source.idle();
    expect(isRead).toBe(true);
    expect((await context)?.terms).toHaveLength(1);
  });

  it('keep a decision that somebody made after the undone answer', async () => {
    const { directory, source, pack } = await openSource();
    const approval = answerTo(pack, 'save', { verdict: 'reviewed' });
    const [approved] = await source.save([approval]);
    const rejection = { verdict: 'rejected', note: 'too short' } as const;
    await save(directory, [answerToText((await rowsOf(directory)).get('save'), rejection)]);
    const before = directory.read('dragoman.lock');
    expect(await source.save([{ ...approval, undo: numberOf(approved) }])).toMatchObject([
      { kind: 'conflict', row: { decision: rejection } },
    ]);
    expect(directory.read('dragoman.lock')).toBe(before);
  });

  it('undo an answer once, even if the undo is repeated or sent twice', async () => {
    const { directory, source, pack } = await openSource();
    const answer = answerTo(pack, 'save', { values: ['Grabar'] });
    const [first] = await source.save([answer]);
    expect(await source.save([answer])).toEqual([{ ...first, isRepeated: true }]);
    const next = answerTo({ rows: first && 'row' in first ? [first.row] : [] }, 'save', { verdict: 'final' });
    const [second] = await source.save([next]);
    expect(numberOf(second)).not.toBe(numberOf(first));
    const undo = { ...next, undo: numberOf(second) };
    const [undone] = await source.save([undo]);
    expect(undone).toEqual(first);
    expect(await source.save([undo])).toEqual([undone]);
    expect(directory.read('locales/es.json')).toContain('Grabar');
    const both = [numberOf(first), numberOf((await source.save([next]))[0])];
    await source.save(both.map((number) => ({ ...answer, undo: number })));
    expect(directory.read('locales/es.json')).toBe(APP['locales/es.json']);
  });

  it('are saved and undone in the order of the answers', async () => {
    const { directory, source, pack } = await openSource();
    const answer = answerTo(pack, 'save', { values: ['Grabar'] });
    const [first] = await source.save([answer]);
    const undo = { ...answer, undo: numberOf(first) };
    const later = answerTo(pack, 'save', { values: ['Archivar'] });
    expect(await source.save([undo, later])).toMatchObject([{ kind: 'saved' }, { kind: 'saved' }]);
    expect(directory.read('locales/es.json')).toContain('Archivar');
  });

  it('stay while an editor has written half of a file, and answers about them are refused', async () => {
    const { directory, source, pack } = await openSource();
    const [saved] = await source.save([answerTo(pack, 'open', { verdict: 'reviewed' })]);
    const { next } = await source.changes(pack.next ?? 0, AbortSignal.timeout(10_000));
    directory.write('locales/es.json', '{"save": "Guar');
    expect(await source.changes(next, AbortSignal.timeout(10_000))).toMatchObject({ rows: [], gone: [] });
    const refused = { kind: 'refused', reasons: [expect.stringMatching(/^the file cannot be read: /)] };
    expect(
      await source.save([
        answerTo(pack, 'save', { verdict: 'reviewed' }),
        answerTo(pack, 'open', { undo: numberOf(saved) }),
      ]),
    ).toMatchObject([refused, refused]);
    directory.write('locales/es.json', APP['locales/es.json']);
    expect(await source.save([answerTo(pack, 'save', { verdict: 'reviewed' })])).toMatchObject([
      { kind: 'saved' },
    ]);
  });

  it('get no terms while a sync is running, or if the glossary is off', async () => {
    const directory = new ProjectDirectory({ ...APP, 'glossary.csv': 'term,es\n' });
    const terms = new GlossaryFile(join(directory.path, 'glossary.csv'));
    const { source, stop, pack } = await openSource(directory, terms);
    const [row] = pack.rows;
    const release = await acquireSyncLock(join(directory.path, SYNC_LOCK_NAME));
    const adding = source.addTerm({ id: row?.id ?? '', term: 'save', translation: 'guardar' });
    stop.abort();
    expect(await adding).toEqual({ kind: 'refused', reason: 'interrupted while another sync was running.' });
    await release();
    expect(directory.read('glossary.csv')).toBe('term,es\n');
    const { source: other } = await openSource();
    const [known] = (await other.rows()).rows;
    expect(await other.addTerm({ id: known?.id ?? '', term: 'save', translation: 'guardar' })).toEqual({
      kind: 'refused',
      reason: 'The glossary is off.',
    });
  });

  it('are idle after an interruption once running saves have ended', async () => {
    const { source, stop, pack } = await openSource();
    let end: unknown;
    const saving = source.save([answerTo(pack, 'save', { values: ['Grabar'] })]).then(
      (results) => (end = results),
      (error: unknown) => (end = error),
    );
    stop.abort();
    await source.idle();
    await saving;
    expect(end).toMatchObject({ code: 'interrupted' });
  });
});

describe('the answers that can be undone', () => {
  const before = (id: string, size: number): RowBefore => ({
    id,
    file: 'a.json',
    locale: 'es',
    keys: new Set(),
    passage: { after: undefined, upTo: undefined, before: 'x'.repeat(size), now: '' },
    saved: '',
    records: new Map(),
    recorded: new Map(),
  });

  it('are forgotten, oldest first, when they take too much memory', () => {
    const history = new AnswerHistory(10_000);
    for (const id of ['a', 'b', 'a', 'c']) history.add(before(id, 1_000));
    expect(
      [1, 2, 3, 4].map((number) => history.find(number, 'abac'[number - 1] ?? '') !== undefined),
    ).toEqual([false, true, true, true]);
    expect(history.find(2, 'a')).toBeUndefined();
  });
});
