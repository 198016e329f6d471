// Opens engines and is then killed: the processes that they started must detect that by themselves.
import { fileURLToPath } from 'node:url';
import { createEngine } from '../../dist/index.js';

const program = fileURLToPath(new URL('../../fixtures/engines/program.mjs', import.meta.url));
const never = new AbortController().signal;
for (const [id, options] of [
  ['apertium', {}],
  ['exec', { execCommand: `"${process.execPath}" "${program}"` }],
]) {
  const engine = await createEngine(id, options);
  await engine.translate({ source: 'en', target: 'es', texts: ['House'] }, never);
}
process.stdout.write('ready\n');
