import { existsSync } from 'node:fs';
import type { Budget } from '../../src/client/budget.ts';
import { createJobTranslations, refusalOfJob } from '../../src/client/job-translations.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { SyncReport } from '../../src/project/plan/report.ts';
import type { CountingJobs } from '../client/counting-jobs.ts';
import { CountingService } from '../client/counting-service.ts';
import { FakeClock } from '../client/fake-clock.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

export const TARGETS = { targets: ['es', 'fr'] };

export function sync(
  project: ProjectDirectory,
  jobs: CountingJobs,
  {
    budget,
    clock = new FakeClock(),
    stalledMs,
    ...options
  }: Parameters<ProjectDirectory['sync']>[1] & { budget?: Budget; clock?: Clock; stalledMs?: number } = {},
): Promise<SyncReport> {
  const connection = { service: new CountingService(), jobs };
  const translator = createJobTranslations(connection, { budget, clock, stalledMs });
  const engine = new RecordingEngine();
  engine.before = () => {
    throw new Error('no engine should be called');
  };
  return project.sync(engine, { ...options, fileTranslator: () => Promise.resolve(translator) });
}

export async function price(project: ProjectDirectory, options = {}): Promise<number> {
  const { languages } = await project.check({ pricing: { via: 'jobs', refusal: refusalOfJob }, ...options });
  return languages.reduce((sum, { credits }) => sum + (credits ?? NaN), 0);
}

export function simple(): ProjectDirectory {
  const project = new ProjectDirectory();
  project.json('en/a.json', { save: 'Save', open: 'Open {file}', nested: { close: 'Close' } });
  project.json('en/b.json', { quit: 'Quit' });
  return project;
}

export const journal = (project: ProjectDirectory): boolean => existsSync(project.journal);
