import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Screenshots } from '../../src/project/review/screenshots.ts';
import { packScreenshots } from '../../src/review/pack.ts';
import { ProjectDirectory } from '../project/project-directory.ts';

const signal = new AbortController().signal;

describe('the screenshots of a page by mail', () => {
  const PNG = Buffer.concat([Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'), Buffer.alloc(292)]);
  const CONTEXTS = { a: { screenshots: ['one.png'] }, b: { screenshots: ['one.png', 'two.png'] } };

  function screenshots(): Screenshots {
    const { path } = new ProjectDirectory();
    mkdirSync(join(path, 'pictures'));
    for (const name of ['one.png', 'two.png']) writeFileSync(join(path, 'pictures', name), PNG);
    return new Screenshots(join(path, 'pictures'), path);
  }

  it('are counted once each, and refused as soon as they are too large together', async () => {
    const folder = screenshots();
    const packed = await packScreenshots(CONTEXTS, folder, { limit: 800, signal });
    expect(Object.keys(packed)).toEqual(['one.png', 'two.png']);
    await expect(packScreenshots(CONTEXTS, folder, { limit: 799, signal })).rejects.toMatchObject({
      code: 'limit_exceeded',
    });
  });

  it('are not read after an interruption', async () => {
    const reading = packScreenshots(CONTEXTS, screenshots(), { limit: 800, signal: AbortSignal.abort() });
    await expect(reading).rejects.toMatchObject({ code: 'interrupted' });
  });
});
