/**
 * The pseudo engine as a program for the engine `exec`, which damages its answers in the way that the argument names.
 */
import { createInterface } from 'node:readline';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { DAMAGES } from './damages.ts';

const damage = DAMAGES[process.argv[2] ?? ''] ?? ((text: string) => text);
const engine = createPseudoEngine();
for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...request } = JSON.parse(line) as {
    readonly id: number;
    readonly source: string;
    readonly target: string;
    readonly texts: readonly string[];
  };
  const outcomes = await engine.translate(request, new AbortController().signal);
  const translations = outcomes.map((one) => ('failure' in one ? null : damage(one.translation)));
  process.stdout.write(`${JSON.stringify({ id, translations })}\n`);
}
