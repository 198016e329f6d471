import { describe, expect, it } from 'vitest';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

describe('the counts of sync', () => {
  it('include no source without a text', async () => {
    const project = new ProjectDirectory();
    project.json('en.json', { title: 'Garden', hint: '', note: ' ' });
    project.json('fr.json', { title: 'Jardin', hint: '', note: ' ' });
    const engine = new RecordingEngine();
    const keptIn = async (targets?: readonly string[]) => {
      const { languages } = await project.sync(engine, targets && { targets });
      return languages.map(({ locale, changes }) => [locale, changes.translated, changes.kept]);
    };
    expect(await keptIn(['es', 'fr'])).toEqual([
      ['es', 1, 0],
      ['fr', 0, 1],
    ]);
    expect(await keptIn()).toEqual([
      ['es', 0, 1],
      ['fr', 0, 1],
    ]);
  });
});
