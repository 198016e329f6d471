import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firefoxTrials, showStyles } from './adversarial/firefox.ts';
import { FILE_FORMATS, tryFile } from './adversarial/files.ts';
import { runTrial, type Trial } from './adversarial/trial.ts';
import { createEngine } from '../src/engines/registry.ts';

/**
 * Translates many strings with placeholders and counts the broken translations: `tsx scripts/adversarial.ts ENGINE
 * [STRINGS] [SYNTAX]`, by default 10,000 strings of every syntax. `firefox` uses tiny models whose answers would
 * break files, and then reports how well each encoding preserves placeholders; any other engine runs with its local
 * settings, from English to Spanish. `--files` translates a file of this many texts instead, in each format or in
 * one: `tsx scripts/adversarial.ts apertium 10000 --files php`.
 */
const inFiles = process.argv.includes('--files');
const [id, strings = '10000', only] = process.argv.slice(2).filter((argument) => argument !== '--files');
const count = Number(strings);
if (id === undefined || !Number.isInteger(count) || count < 1) {
  process.stderr.write('usage: tsx scripts/adversarial.ts ENGINE [STRINGS] [SYNTAX | --files [FORMAT]]\n');
  process.exit(2);
}
const directory = mkdtempSync(join(tmpdir(), 'dragoman-adversarial-'));
try {
  for (const trial of trialsOf(id)) await (inFiles ? reportFiles(trial) : report(trial));
  if (id === 'firefox' && !inFiles) await showStyles(directory, count);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function trialsOf(engine: string): readonly Trial[] {
  if (engine === 'firefox') return firefoxTrials(directory);
  const execCommand = process.env['DRAGOMAN_ENGINE_COMMAND'];
  const open = (): ReturnType<Trial['open']> => createEngine(engine, { execCommand });
  return [{ source: 'en', target: 'es', what: engine, open, only }];
}

async function report(trial: Trial): Promise<void> {
  const { translated, reported, broken, seconds } = await runTrial(trial, count);
  process.stdout.write(
    `${trial.source} → ${trial.target}, ${trial.what}: ${count} strings, ${translated} translated, ${reported} reported, ${broken.length} broken, ${seconds.toFixed(0)} s\n`,
  );
  for (const { unit, translation, breakage } of broken.slice(0, 10)) {
    process.stdout.write(`  ${unit.value}\n    ${translation}\n    ${breakage.join(', ')}\n`);
  }
  if (broken.length > 0 || translated + reported !== count) process.exitCode = 1;
}

async function reportFiles({ open, what }: Trial): Promise<void> {
  const engine = await open();
  try {
    for (const format of FILE_FORMATS.filter((name) => only === undefined || name === only)) {
      const started = performance.now();
      const { texts, translated, broken } = await tryFile(format, count, engine);
      const seconds = ((performance.now() - started) / 1000).toFixed(0);
      process.stdout.write(
        `${format}, ${what}: ${texts} texts, ${translated} translated, ${broken.length} broken, ${seconds} s\n`,
      );
      for (const { before, after } of broken.slice(0, 10))
        process.stdout.write(`  ${before}\n    ${after}\n`);
      if (broken.length > 0) process.exitCode = 1;
    }
  } finally {
    await engine.close();
  }
}
