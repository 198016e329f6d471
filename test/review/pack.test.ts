import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ContextFinder } from '../../src/project/review/context-finder.ts';
import { GlossaryFile } from '../../src/project/glossary/glossary-file.ts';
import { Screenshots } from '../../src/project/review/screenshots.ts';
import { inertJson } from '../../src/review/document.ts';
import { packContexts, packScreenshots } from '../../src/review/pack.ts';
import { ProjectDirectory } from '../project/project-directory.ts';
import { rowsOf } from '../project/review/answers.ts';

const signal = new AbortController().signal;

describe('the contexts of a page by mail', () => {
  async function project() {
    const directory = new ProjectDirectory({
      'locales/en.json': '{"a": "Open one", "b": "Open two"}',
      'locales/es.json': '{}',
      'glossary.csv': 'term,es,note\nopen,abrir,<ÄÄÄÄ>\n',
    });
    const opened = await directory.open({ source: 'en', targets: ['es'] });
    const terms = new GlossaryFile(join(directory.path, 'glossary.csv'), directory.path);
    const finder = new ContextFinder(opened, { env: { PATH: process.env['PATH'] }, signal, terms });
    return { rows: [...(await rowsOf(directory)).values()], finder };
  }

  it('are limited by their bytes as JSON in the page', async () => {
    const { rows, finder } = await project();
    const all = await packContexts(rows, finder, { limit: 10_000, signal });
    expect(Object.keys(all)).toHaveLength(2);
    // Both contexts would fit if code units were counted instead of bytes.
    const limit = JSON.stringify(all).length + 2;
    const some = await packContexts(rows, finder, { limit, signal });
    expect(Object.keys(some)).toHaveLength(1);
    expect(Buffer.byteLength(inertJson(some))).toBeLessThanOrEqual(limit);
  });

  it('are not searched for after an interruption', async () => {
    const { rows, finder } = await project();
    const packing = packContexts(rows, finder, { limit: 10_000, signal: AbortSignal.abort() });
    await expect(packing).rejects.toMatchObject({ code: 'interrupted' });
  });
});

describe('the screenshots of a page sent by mail', () => {
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
