import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installModelSet } from './firefox/installation.ts';
import { makeModelSet, type Manner } from './firefox/model-set.ts';
import { breakageOf, hostileUnits } from './firefox/strings.ts';
import { toElements } from '../src/engines/firefox/elements.ts';
import { encodeElements, type Style } from '../src/engines/firefox/encoding.ts';
import { createFirefoxEngine } from '../src/engines/firefox/firefox.ts';
import { readInstalled } from '../src/engines/firefox/installed.ts';
import { isPlausible } from '../src/engines/firefox/line.ts';
import { ModelPool } from '../src/engines/firefox/model-pool.ts';
import { translateUnits } from '../src/pipeline/units.ts';
import { parseMessage } from '../src/text/message.ts';
import { tokenize } from '../src/text/tagged.ts';

/**
 * Translates many strings with placeholders through tiny models that answer what breaks files, and counts what was
 * broken: `tsx scripts/firefox-adversarial.ts [STRINGS]`, 10,000 by default. Then shows how placeholders travel.
 */
const count = Number(process.argv[2] ?? 10_000);
const directory = mkdtempSync(join(tmpdir(), 'dragoman-adversarial-'));
const models: readonly (readonly [string, string, Manner])[] = [
  ['en', 'es', 'hostile'],
  ['en', 'fr', 'echo'],
  ['de', 'en', 'echo'],
];
const signal = new AbortController().signal;
for (const [i, [source, target, manner]] of models.entries()) {
  installModelSet(directory, source, target, makeModelSet(manner, i + 1));
}
let failed = false;
try {
  for (const [source, target, what] of [
    ['en', 'es', 'hostile answers'],
    ['en', 'fr', 'words of the source in disorder'],
    ['de', 'es', 'one after the other'],
  ] as const) {
    await translateAll(source, target, what);
  }
  await showStyles();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

async function translateAll(source: string, target: string, what: string): Promise<void> {
  const engine = createFirefoxEngine({ modelsDirectory: directory });
  const units = hostileUnits(count);
  const started = performance.now();
  const outcomes = await translateUnits(units, { engine, source, target, signal });
  await engine.close();
  const seconds = (performance.now() - started) / 1000;
  const broken = units.flatMap((unit, i) => {
    const outcome = outcomes[i];
    return outcome && 'value' in outcome && breakageOf(unit, outcome.value).length > 0
      ? [[unit.value, outcome.value]]
      : [];
  });
  const translated = outcomes.filter((outcome) => 'value' in outcome).length;
  failed ||= broken.length > 0;
  process.stdout.write(
    `${source} → ${target}, ${what}: ${count} strings, ${translated} translated, ${count - translated} reported, ${broken.length} broken, ${seconds.toFixed(0)} s\n`,
  );
  for (const [from, to] of broken.slice(0, 10)) process.stdout.write(`  ${from}\n    ${to}\n`);
}

/** How often an answer has every placeholder at a sensible place, by how they travelled. */
async function showStyles(): Promise<void> {
  const pool = new ModelPool({ workers: 1, memoryMegabytes: 1024, timeoutMs: 60_000, idleMs: 60_000 });
  const segments = hostileUnits(Math.min(count, 500)).flatMap(({ value, syntax }) =>
    parseMessage(value, syntax).segments('es'),
  );
  const texts = [...new Set(segments)].map((text) => tokenize(text) ?? []);
  try {
    for (const model of await readInstalled(directory)) {
      for (const style of ['copied', 'aligned'] satisfies Style[]) {
        const tried = texts.flatMap((tokens) => {
          const elements = toElements(tokens);
          const encoded = elements.some(({ type }) => type !== 'words')
            ? encodeElements(elements, style)
            : undefined;
          return encoded ? [{ tokens, encoded }] : [];
        });
        const arrived = await Promise.all(
          tried.map(async ({ tokens, encoded }) => {
            const reply = await pool.ask(model, encoded.text, signal);
            const answer = 'answer' in reply ? encoded.decode(reply.answer) : undefined;
            return answer !== undefined && isPlausible(tokens, answer);
          }),
        );
        const share = arrived.filter(Boolean).length / tried.length;
        process.stdout.write(
          `${model.name} ${style}: ${(share * 100).toFixed(1)} % of ${tried.length} arrived whole\n`,
        );
      }
    }
  } finally {
    await pool.close();
  }
}
