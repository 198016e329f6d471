import type { LanguagePair } from '../engines/engine.ts';
import type { HostRequest, PlainOutcome } from '../engines/host.ts';
import type { MemoryEntry, MemoryMessage, MemoryTranslation } from '../pipeline/memory.ts';

/** What a worker asks the program while it translates: its engine, or what an account has of its own. */
export type WorkerQuestion = { readonly engine: HostRequest } | ResourceQuestion;

/** Of a glossary by its account, and of a memory by its name; undefined for that of all accounts alone. */
export type ResourceQuestion =
  | { readonly glossaryOf: string }
  | {
      readonly find: readonly MemoryMessage[];
      readonly pair: LanguagePair;
      readonly memoryId: string | undefined;
    }
  | { readonly store: readonly MemoryEntry[]; readonly pair: LanguagePair; readonly memoryId: string };

/** The field that was asked for. */
export interface WorkerAnswer extends ResourceAnswer {
  readonly outcomes?: readonly PlainOutcome[] | undefined;
}

export interface ResourceAnswer {
  readonly glossary?: string | undefined;
  readonly found?: readonly (MemoryTranslation | undefined)[] | undefined;
}

export type AskResources = (question: ResourceQuestion) => Promise<ResourceAnswer>;

/** The engine behind a worker's questions. */
export function askEngine(
  ask: (question: WorkerQuestion) => Promise<WorkerAnswer>,
): (request: HostRequest) => Promise<readonly PlainOutcome[]> {
  return async (engine) => (await ask({ engine })).outcomes ?? [];
}
