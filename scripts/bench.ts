import { cpus } from 'node:os';
import { FORMAT_IDS } from '../src/formats/registry.ts';
import { benchApertium } from './bench/apertium.ts';
import { benchClient } from './bench/client.ts';
import { benchDetection } from './bench/detection.ts';
import { benchFirefox } from './bench/firefox.ts';
import { benchFormats } from './bench/formats.ts';
import { benchHtml } from './bench/html.ts';
import { benchInspection, INSPECTED } from './bench/inspection.ts';
import { benchLint } from './bench/lint.ts';
import { WEIGHED } from './bench/made-documents.ts';
import { runTimed } from './bench/measure.ts';
import { benchMemory } from './bench/memory.ts';
import { benchPipeline } from './bench/pipeline.ts';
import { benchServer } from './bench/server.ts';
import { benchStart } from './bench/start.ts';
import { benchSubtitles } from './bench/subtitles.ts';
import { benchSync } from './bench/sync.ts';
import { benchWeight } from './bench/weight.ts';

/**
 * Measures the program against lower bounds, all in one run: figures of different runs or machines cannot be compared.
 * Nothing is asserted; targets are printed next to the figures.
 */
const SECTIONS = [
  'start',
  'sync',
  ...FORMAT_IDS,
  'subtitles',
  'html',
  'weight',
  'inspection',
  'pipeline',
  'lint',
  'memory',
  'detection',
  'apertium',
  'firefox',
  'server',
  // Only the load test, without jobs.
  'server:load',
  'client',
  // A single format or shape of the sections `weight` and `inspection`.
  ...WEIGHED.map(({ name }) => `weight:${name}`),
  ...INSPECTED.map((format) => `inspection:${format}`),
];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((section) => !SECTIONS.includes(section));
if (unknown.length > 0) {
  process.stderr.write(`unknown section ${unknown.join(', ')}; choose from ${SECTIONS.join(', ')}\n`);
  process.exit(2);
}
const has = (section: string): boolean => wanted.length === 0 || wanted.includes(section);

process.stdout.write(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}\n`);
const hasWeight = has('weight') || wanted.some((section) => section.startsWith('weight:'));
if (hasWeight || ['start', 'sync', 'lint', 'server', 'server:load'].some(has))
  runTimed('npm', ['run', '--silent', 'build']);
if (has('start')) await benchStart();
if (has('sync')) await benchSync();
await benchFormats(FORMAT_IDS.filter(has));
if (has('subtitles')) await benchSubtitles();
if (has('html')) await benchHtml();
if (hasWeight) await benchWeight((name) => has('weight') || has(`weight:${name}`));
await benchInspection((format) => has('inspection') || has(`inspection:${format}`));
if (has('pipeline')) await benchPipeline();
if (has('lint')) await benchLint();
if (has('memory')) await benchMemory();
if (has('detection')) await benchDetection();
if (has('apertium')) await benchApertium();
if (has('firefox')) await benchFirefox();
if (has('server') || has('server:load')) await benchServer(has('server'));
if (has('client')) await benchClient();
