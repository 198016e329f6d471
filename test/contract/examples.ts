import { operations, type OperationId } from '../../src/contract/operations.ts';

type Part = 'request' | 'response';
type ExampleOf<Id extends OperationId, P extends Part> = (typeof operations)[Id]['example'][P];
type Examples<P extends Part> = {
  readonly [Id in OperationId as ExampleOf<Id, P> extends undefined ? never : Id]: ExampleOf<Id, P>;
};

/** The examples of the operations that have one. */
function examplesOf<P extends Part>(part: P): Examples<P> {
  const examples = Object.entries(operations).map(([id, { example }]) => [id, example[part]] as const);
  return Object.fromEntries(examples.filter(([, value]) => value !== undefined)) as Examples<P>;
}

export const requests = examplesOf('request');
export const responses = examplesOf('response');
