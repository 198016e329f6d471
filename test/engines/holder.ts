// Opens engines and is then killed: what they started must notice by itself.
import { fileURLToPath } from 'node:url';
import { createApertiumEngine } from '../../src/engines/apertium/apertium.ts';
import { createExecEngine } from '../../src/engines/exec/exec.ts';

const program = fileURLToPath(new URL('../../fixtures/engines/program.mjs', import.meta.url));
const never = new AbortController().signal;
const exec = createExecEngine({ execCommand: `"${process.execPath}" "${program}"` });
for (const engine of [createApertiumEngine(), exec]) {
  await engine.translate({ source: 'en', target: 'es', texts: ['House'] }, never);
}
process.stdout.write('ready\n');
