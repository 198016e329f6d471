import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FILE_FORMATS, tryFile } from '../../scripts/adversarial/files.ts';
import { runTrial, type Trial } from '../../scripts/adversarial/trial.ts';
import { openApertium } from './real-apertium.ts';
import { createChainEngine } from '../../src/engines/chain.ts';
import { createExecEngine } from '../../src/engines/exec/exec.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { connect, HOSTED } from './servers/hosted.ts';

const program = fileURLToPath(new URL('../../fixtures/engines/program.mjs', import.meta.url));
const probe = openApertium();
const hasApertium = await probe.supports('en', 'es');
await probe.close();

const trial = (what: string, open: Trial['open']): Trial => ({ source: 'en', target: 'es', what, open });

async function expectWhole(tried: Trial, count: number): Promise<void> {
  const { translated, reported, broken } = await runTrial(tried, count);
  expect(broken).toEqual([]);
  expect(translated + reported).toBe(count);
  // If all texts failed, the test would prove nothing.
  expect(translated).toBeGreaterThan(count * 0.9);
}

// scripts/adversarial.ts sends 10,000 of them through any engine.
describe('strings with placeholders of every syntax are translated, and none is broken', () => {
  it('by pseudo', async () => {
    await expectWhole(
      trial('pseudo', () => Promise.resolve(createPseudoEngine())),
      1000,
    );
  });

  it('by a program', async () => {
    const execCommand = `${JSON.stringify(process.execPath)} ${JSON.stringify(program)} good`;
    await expectWhole(
      trial('exec', () => Promise.resolve(createExecEngine({ execCommand }))),
      1000,
    );
  });

  it.skipIf(!hasApertium)('by apertium', async () => {
    await expectWhole(
      trial('apertium', () => Promise.resolve(openApertium())),
      500,
    );
  });

  it('by a chain', async () => {
    const open = (id: string): Promise<ReturnType<typeof createPseudoEngine>> =>
      Promise.resolve({
        ...createPseudoEngine(),
        id,
        // The first one loses every second placeholder.
        ...(id === 'lossy' && {
          translate: ({ texts }) =>
            Promise.resolve(
              texts.map((text) => ({ translation: text.replace(/<x id="\d*[13579]"\/>/g, '') })),
            ),
        }),
      });
    await expectWhole(
      trial('chain', () => createChainEngine({ rules: { '*': ['lossy', 'pseudo'] }, open })),
      1000,
    );
  });

  it.each(HOSTED)('by $name', async (hosted) => {
    const server = await hosted.start();
    try {
      await expectWhole(
        trial(hosted.name, () => Promise.resolve(connect(hosted, server))),
        300,
      );
    } finally {
      await server.close();
    }
  });
});

// `scripts/adversarial.ts apertium 10000 --files` runs the same test with 10,000 texts of each format.
describe('files of texts with placeholders are translated, and none is broken', () => {
  const expectWholeFile = async (
    format: (typeof FILE_FORMATS)[number],
    open: Trial['open'],
    count: number,
  ) => {
    const engine = await open();
    try {
      const { texts, translated, broken } = await tryFile(format, count, engine);
      expect(broken).toEqual([]);
      expect(texts).toBeGreaterThanOrEqual(count);
      expect(translated).toBeGreaterThan(texts * 0.9);
    } finally {
      await engine.close();
    }
  };

  it.each(FILE_FORMATS)('%s, by pseudo', (format) =>
    expectWholeFile(format, () => Promise.resolve(createPseudoEngine()), 300),
  );

  it.skipIf(!hasApertium).each(FILE_FORMATS)('%s, by apertium', (format) =>
    expectWholeFile(format, () => Promise.resolve(openApertium()), 200),
  );
});
