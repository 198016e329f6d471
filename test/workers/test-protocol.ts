import type { WorkerProtocol } from '../../src/workers/protocol.ts';

/** The requests that the worker of these tests supports. */
export interface TestProtocol extends WorkerProtocol {
  readonly settings: { readonly greeting: string };
  readonly request:
    | { readonly do: 'greet'; readonly name: string }
    | { readonly do: 'report'; readonly steps: number; readonly stepMs: number }
    | { readonly do: 'ask'; readonly question: string }
    | {
        readonly do:
          'refuse' | 'crash' | 'exit' | 'hang' | 'fill' | 'churn' | 'idle' | 'listen' | 'environment';
      };
  readonly result: string;
  readonly note: number;
  readonly question: string;
  readonly answer: string;
}
