import type { HostRequest, PlainOutcome } from '../engines/host.ts';

/** What a worker asks the program while it translates: its engine, or what an account has of its own. */
export type WorkerQuestion = { readonly engine: HostRequest } | ResourceQuestion;

export interface ResourceQuestion {
  /** An account's id. */
  readonly glossaryOf: string;
}

/** The field that was asked for. */
export interface WorkerAnswer extends ResourceAnswer {
  readonly outcomes?: readonly PlainOutcome[] | undefined;
}

export interface ResourceAnswer {
  readonly glossary?: string | undefined;
}

export type AskProgram = (question: WorkerQuestion) => Promise<WorkerAnswer>;

/** The engine behind a worker's questions. */
export function askEngine(ask: AskProgram): (request: HostRequest) => Promise<readonly PlainOutcome[]> {
  return async (engine) => (await ask({ engine })).outcomes ?? [];
}
