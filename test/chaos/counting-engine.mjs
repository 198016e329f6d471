// A program for the exec engine that delays its answers and logs them: `node counting-engine.mjs LOG MS`.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [log = '', ms = '100'] = process.argv.slice(2);

createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', (line) => {
  const { id, target, texts } = JSON.parse(line);
  setTimeout(
    () => {
      appendFileSync(log, texts.map((text) => `${target} ${text}\n`).join(''));
      process.stdout.write(`${JSON.stringify({ id, translations: texts.map((text) => `${text}!`) })}\n`);
    },
    Math.random() * Number(ms),
  );
});
