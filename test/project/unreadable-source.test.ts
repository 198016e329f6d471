import { describe, expect, it } from 'vitest';
import { dragoman } from '../cli/harness.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

const TARGETS = { targets: ['es', 'fr'] };

/** A translated project whose second source was damaged afterwards, next to a new third one. */
async function damaged(): Promise<ProjectDirectory> {
  const project = new ProjectDirectory({ 'en/a.json': '{"a": "One"}', 'en/b.json': '{"b": "Two"}' });
  await project.sync(new RecordingEngine(), TARGETS);
  project.write('en/b.json', '{"b": "Two');
  project.write('en/c.json', '{"c": "Three"}');
  return project;
}

describe('an unreadable source among several', () => {
  it('is skipped, and keeps its translations and its lines in the lock', async () => {
    const project = await damaged();
    const before = project.read('dragoman.lock').split('\n');
    const report = await project.sync(new RecordingEngine(), TARGETS);
    for (const { files } of report.languages) {
      expect(files.map(({ source, error }) => [source, error?.code])).toEqual([
        ['en/b.json', 'unreadable_input'],
        ['en/c.json', undefined],
      ]);
    }
    expect(project.readJson('es/b.json')).toEqual({ b: 'es:Two' });
    expect(project.readJson('fr/c.json')).toEqual({ c: 'fr:Three' });
    const after = new Set(project.read('dragoman.lock').split('\n'));
    expect(before.filter((line) => !after.has(line))).toEqual([]);
  });

  it('also keeps them with --prune', async () => {
    const project = await damaged();
    await project.sync(new RecordingEngine(), { ...TARGETS, prune: 'all', yes: true });
    expect(project.readJson('es/b.json')).toEqual({ b: 'es:Two' });
    expect(project.read('dragoman.lock')).toContain('en/b.json');
  });

  it('is reported once for all languages, and sync ends with 7', async () => {
    const { path: cwd } = await damaged();
    const argv = ['sync', '--engine', 'pseudo', '-s', 'en', '-t', 'es,fr'];
    const result = await dragoman(argv, { cwd });
    expect(result.exitCode).toBe(7);
    expect(result.stderr.match(/en\/b\.json:1:7: .* \(es, fr\)/g)).toHaveLength(1);
    const frozen = await dragoman(['sync', '--frozen', '-s', 'en', '-t', 'es,fr'], { cwd });
    expect(frozen.exitCode).toBe(8);
  });
});
