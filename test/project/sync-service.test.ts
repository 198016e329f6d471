import { existsSync, rmSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DragomanError, type ErrorCode } from '../../src/base/errors.ts';
import { Budget } from '../../src/client/budget.ts';
import { createServiceEngine, creditsOfSegment } from '../../src/client/service-engine.ts';
import { SERVICE_ENGINE } from '../../src/engines/registry.ts';
import type { SyncReport } from '../../src/project/plan/report.ts';
import { CountingService } from '../client/counting-service.ts';
import { runs } from '../property-runs.ts';
import { ProjectDirectory } from './project-directory.ts';

const PRICING = { via: 'strings', engine: SERVICE_ENGINE, creditsOf: creditsOfSegment } as const;
const TARGETS = { targets: ['es', 'fr'] };

function sync(
  project: ProjectDirectory,
  service: CountingService,
  { budget, ...options }: Parameters<ProjectDirectory['sync']>[1] & { budget?: Budget } = {},
): Promise<SyncReport> {
  return project.sync(createServiceEngine(service, { budget, graceMs: 50 }), options);
}

/** The cost that a dry run prints. */
async function price(
  project: ProjectDirectory,
  options: Parameters<ProjectDirectory['check']>[0] = {},
): Promise<number> {
  const { languages } = await project.check({ pricing: PRICING, ...options });
  return languages.reduce((sum, { credits }) => sum + (credits ?? NaN), 0);
}

function large(keys = 450): ProjectDirectory {
  const project = new ProjectDirectory();
  const texts = Array.from({ length: keys }, (_, i) => [`key${i}`, `Text number ${i}`]);
  project.json('en.json', Object.fromEntries(texts));
  return project;
}

const translated = (report: SyncReport): number =>
  report.languages.reduce((sum, { changes }) => sum + changes.translated, 0);
const journal = (project: ProjectDirectory): boolean => existsSync(project.journal);

describe('sync against a service', () => {
  it('sends each distinct text of a language once, 100 in a request', async () => {
    const project = large();
    project.json('en.json', { ...(project.readJson('en.json') as object), again: 'Text number 1' });
    const service = new CountingService();
    await sync(project, service, TARGETS);
    const sizes = service.requests.map(({ texts }) => texts.length);
    expect(sizes).toEqual([100, 100, 100, 100, 50, 100, 100, 100, 100, 50]);
    expect(new Set(service.texts).size).toBe(service.texts.length);
    expect(project.readJson('fr.json')).toMatchObject({ again: 'fr:Text number 1' });
    expect(journal(project)).toBe(false);
  });

  it('keeps placeholders and plurals of every syntax', async () => {
    const project = new ProjectDirectory();
    project.json('en.json', {
      hi: 'Hello {name}, <b>you</b>!',
      many: '{n, plural, one {# file} other {# files}}',
      literal: 'A &amp; {{x}} %s 100%',
    });
    const service = new CountingService();
    service.translateText = (text) => text.toUpperCase();
    await sync(project, service, { targets: ['fr'] });
    expect(project.readJson('fr.json')).toEqual({
      hi: 'HELLO {name}, <b>YOU</b>!',
      many: '{n, plural, one {# FILE} many {# FILES} other {# FILES}}',
      literal: 'A &amp; {{x}} %s 100%',
    });
  });
});

describe('the price of a sync', () => {
  it('equals the charge of the service', async () => {
    const project = large();
    expect(await price(project, TARGETS)).toBe(900);
    const service = new CountingService();
    await sync(project, service, TARGETS);
    expect(service.charged).toBe(900);
    expect(await price(project)).toBe(0);
    // The price is the same without the remembered clean state.
    project.write('en.json', project.read('en.json').replace('Text number 7"', 'Another text"'));
    expect(await price(project)).toBe(2);
    expect(await price(project, { force: true })).toBe(900);
    expect(await price(project, { keys: ['key7', 'key8'] })).toBe(2);
  });

  it('equals the charge of the service for any values', async () => {
    const value = fc.oneof(
      fc.constantFrom(
        'Save',
        'Open {file}',
        '{n, plural, one {# file} other {# files} =0 {none}}',
        '{n, plural, one {broken}',
        'See https://example.org/ now',
        '%s of %d',
        '12',
        '',
        '<b>Read</b> the <i>{manual}</i>',
        'Long sentence. '.repeat(700),
      ),
      fc.string({ maxLength: 20 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), value), async (values) => {
        const project = new ProjectDirectory();
        project.json('en.json', { save: 'Save', ...values });
        const expected = await price(project, TARGETS);
        const service = new CountingService();
        // No answer is damaged or equal to its text, so nothing is requested again.
        service.translateText = (text) => text.replaceAll('sentence', 'phrase');
        await sync(project, service, TARGETS);
        expect(service.charged).toBe(expected);
      }),
      { numRuns: runs(60) },
    );
  });

  it('does not count texts in the journal of an interrupted run', async () => {
    const project = large();
    const service = new CountingService();
    const controller = new AbortController();
    service.after = () => {
      if (service.requests.length === 2) controller.abort();
    };
    await sync(project, service, { ...TARGETS, signal: controller.signal, concurrency: 1 });
    expect(service.charged).toBe(200);
    expect(await price(project)).toBe(700);
    await sync(project, service);
    expect(service.charged).toBe(900);
    expect(new Set(service.texts).size).toBe(900);
  });

  it('is printed before any request, and without a service', async () => {
    const project = large(10);
    expect(await price(project, TARGETS)).toBe(20);
    expect(project.list()).toEqual(['en.json']);
  });
});

describe('a budget', () => {
  it('is spent to the last credit, and all paid texts are in the files', async () => {
    const project = large();
    const service = new CountingService();
    const report = await sync(project, service, { ...TARGETS, budget: new Budget(520) });
    expect(report.stopped).toMatchObject({
      code: 'insufficient_credits',
      hint: expect.stringMatching(/max-credits/),
    });
    expect(service.charged).toBe(520);
    expect(translated(report)).toBe(520);
    expect(report.languages.map(({ locale, changes }) => [locale, changes.failed])).toEqual([
      ['es', 0],
      ['fr', 0],
    ]);
    const french = Object.values(project.readJson('fr.json') as Record<string, string>);
    expect(french.filter((text) => text.startsWith('fr:'))).toHaveLength(70);
    expect(await price(project)).toBe(380);
    // A checkout on another machine has the files and the lock, but not the journal.
    rmSync(project.journal);
    await sync(project, service);
    expect(service.charged).toBe(900);
    expect(new Set(service.texts).size).toBe(900);
    expect(journal(project)).toBe(false);
    expect((await project.check()).languages.map(({ coverage }) => coverage.missing)).toEqual([0, 0]);
  });

  it('is not spent on failures', async () => {
    const project = large(30);
    const service = new CountingService();
    service.broken.add('number 1');
    const report = await sync(project, service, { targets: ['fr'], budget: new Budget(19), concurrency: 1 });
    expect(service.charged).toBeLessThanOrEqual(19);
    expect(report.stopped?.code).toBe('insufficient_credits');
    await sync(project, service, { budget: new Budget(30) });
    expect(service.charged).toBe(19);
  });

  it('of zero leaves nothing behind', async () => {
    const project = large(10);
    const service = new CountingService();
    const report = await sync(project, service, { ...TARGETS, budget: new Budget(0) });
    expect(report.stopped?.code).toBe('insufficient_credits');
    expect(service.requests).toEqual([]);
    expect(project.list()).toEqual(['en.json']);
  });
});

describe('a service that fails', () => {
  it.each<ErrorCode>(['unauthenticated', 'insufficient_credits', 'rate_limited', 'unreachable'])(
    'stops the run with %s, and saves finished work',
    async (code) => {
      const project = large();
      const service = new CountingService();
      service.before = () => {
        if (service.requests.length === 3) throw new DragomanError(code, 'no more', { status: 402 });
      };
      const report = await sync(project, service, { ...TARGETS, concurrency: 1 });
      expect(report.stopped).toMatchObject({ code, message: 'no more', status: 402 });
      expect(service.requests).toHaveLength(3);
      expect(translated(report)).toBe(200);
      expect(report.languages.map(({ locale, changes }) => [locale, changes.failed, changes.kept])).toEqual([
        ['es', 0, 0],
        ['fr', 0, 0],
      ]);
      expect(project.list()).not.toContain('fr.json');
      expect(Object.keys(project.readJson('es.json') as object)).toHaveLength(450);

      service.before = () => undefined;
      await sync(project, service);
      expect(service.charged).toBe(900);
    },
  );

  it('waits for running requests when it stops', async () => {
    const project = large();
    const service = new CountingService();
    let refuse = (): void => undefined;
    const refused = new Promise<void>((resolve) => (refuse = resolve));
    service.before = async ({ texts }) => {
      if (texts.includes('Text number 0')) {
        refuse();
        throw new DragomanError('insufficient_credits', 'no more');
      }
      await refused;
      await new Promise((resolve) => setImmediate(resolve));
    };
    const report = await sync(project, service, { targets: ['fr'], concurrency: 3 });
    expect(report.stopped?.code).toBe('insufficient_credits');
    expect(service.charged).toBe(200);
    expect(translated(report)).toBe(200);
  });

  it.each<ErrorCode>(['answer_lost', 'service_failed', 'contract_violation'])(
    'fails the keys of a batch with %s, continues, and never sends it twice',
    async (code) => {
      const project = large();
      const service = new CountingService();
      service.after = ({ texts }) => {
        if (texts.includes('Text number 0')) throw new DragomanError(code, 'gone');
      };
      const report = await sync(project, service, TARGETS);
      expect(report.stopped).toBeUndefined();
      expect(report.languages.map(({ changes }) => [changes.translated, changes.failed])).toEqual([
        [350, 100],
        [350, 100],
      ]);
      expect(report.languages[0]?.files[0]?.failures[0]).toMatchObject({
        key: ['key0'],
        reason: 'gone',
        code,
      });
      expect(new Set(service.texts).size).toBe(service.texts.length);
      service.after = () => undefined;
      const again = await sync(project, service);
      expect(translated(again)).toBe(200);
      expect(journal(project)).toBe(false);
    },
  );

  it('is abandoned after three failed batches in a row', async () => {
    const project = large(1000);
    const service = new CountingService();
    service.before = () => {
      throw new DragomanError('service_failed', 'internal server error', { status: 500 });
    };
    const report = await sync(project, service, { ...TARGETS, concurrency: 1 });
    expect(report.stopped).toMatchObject({ code: 'service_failed', status: 500 });
    expect(service.requests).toHaveLength(3);
    expect(project.list()).not.toContain('es.json');
  });

  it('keeps paid parts of a value whose other parts were lost', async () => {
    const project = new ProjectDirectory();
    const branches = Array.from({ length: 150 }, (_, i) => `k${i} {Choice number ${i}}`).join(' ');
    project.json('en.json', { select: `{k, select, ${branches} other {Another}}` });
    const service = new CountingService();
    service.after = ({ texts }) => {
      if (texts.includes('Another')) throw new DragomanError('answer_lost', 'gone');
    };
    const report = await sync(project, service, { targets: ['fr'], concurrency: 1 });
    expect(report.languages[0]?.changes.failed).toBe(1);
    service.after = () => undefined;
    const before = service.requests.length;
    await sync(project, service);
    expect(service.requests.slice(before).map(({ texts }) => texts.length)).toEqual([51]);
    expect(journal(project)).toBe(false);
  });

  it('translates into the other languages if it does not support one', async () => {
    const project = large(3);
    const service = new CountingService();
    const report = await sync(project, service, { targets: ['fi', 'fr'] });
    expect(report.languages.map(({ locale, error }) => [locale, error?.code])).toEqual([
      ['fi', 'engine_unavailable'],
      ['fr', undefined],
    ]);
  });
});
