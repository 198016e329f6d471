import { getHeapSpaceStatistics } from 'node:v8';
import { setTimeout as delay } from 'node:timers/promises';
import { DragomanError } from '../../src/base/errors.ts';
import { interrupted } from '../../src/base/interruption.ts';
import { serveCalls } from '../../src/workers/serve.ts';
import type { TestProtocol } from './test-protocol.ts';

/** A worker that succeeds or fails on request. */
serveCalls<TestProtocol>(({ greeting }) => async (request, { signal, note, ask }): Promise<string> => {
  switch (request.do) {
    case 'greet':
      return `${greeting}, ${request.name}`;
    case 'report':
      for (let i = 1; i <= request.steps; i++) {
        await delay(request.stepMs);
        note(i);
      }
      return 'reported';
    case 'ask':
      return `heard ${await ask(request.question)}`;
    case 'refuse':
      throw new DragomanError('unreadable_input', 'no', { hint: 'Ask nicely.', at: { line: 3, column: 4 } });
    case 'crash':
      setImmediate(() => {
        throw new Error('on purpose');
      });
      return new Promise(() => undefined);
    case 'exit':
      return process.exit(3);
    case 'hang':
      return hang(greeting);
    case 'fill':
      return fill();
    case 'churn':
      return String(churn());
    case 'idle':
      return new Promise(() => undefined);
    case 'environment':
      return JSON.stringify(process.env);
    case 'listen':
      break;
  }
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(interrupted('heard of it')));
  });
});

function hang(text: string): never {
  for (;;) text.trim();
}

/** @returns the peak size in bytes of the space for new objects, which this function fills repeatedly */
function churn(): number {
  const window: string[][] = [];
  let most = 0;
  for (let i = 0; i < 1_000; i++) {
    window[i % 200] = Array.from({ length: 1_000 }, (_, j) => `${i} ${j}`);
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    most = Math.max(most, young?.space_size ?? 0);
  }
  return most;
}

function fill(): never {
  const kept: string[][] = [];
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, i) => `${kept.length} ${i}`));
}
