import { writeFileSync } from 'node:fs';
import { renderReference } from './docs/reference.ts';

/** Writes the generated chapters below `docs/reference`. */
for (const { path, text } of await renderReference()) {
  writeFileSync(path, text);
  process.stdout.write(`${path}\n`);
}
