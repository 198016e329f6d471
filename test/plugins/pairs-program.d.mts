/** Faults of a program that reads a format. */
export type Fault =
  'none' | 'characters' | 'unescaped' | 'swallows' | 'random' | 'crash' | 'outside' | 'halved' | 'entryless';

export function answerPairs(question: object, fault?: Fault): Record<string, unknown>;
export function pairsCommand(fault?: Fault): string;
