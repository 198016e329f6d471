/** The pseudo engine as a program for the engine `exec`; texts with the word FAIL fail. */
import { createInterface } from 'node:readline';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';

interface Request {
  readonly id: number;
  readonly source: string;
  readonly target: string;
  readonly texts: readonly string[];
}

const engine = createPseudoEngine();
for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...request } = JSON.parse(line) as Request;
  const outcomes = await engine.translate(request, new AbortController().signal);
  const translations = outcomes.map((outcome, i) =>
    'failure' in outcome || request.texts[i]?.includes('FAIL') === true ? null : outcome.translation,
  );
  process.stdout.write(`${JSON.stringify({ id, translations })}\n`);
}
