import type { InferOutput } from 'valibot';
import { jobOperations } from './job-operations.ts';
import { legacyOperations } from './legacy-operations.ts';
import { serviceOperations } from './service-operations.ts';

export type { KeyStatuses, Operation } from './operation.ts';

/** All endpoints of the specification. */
export const operations = { ...serviceOperations, ...jobOperations, ...legacyOperations };

type Operations = typeof operations;
export type OperationId = keyof Operations;

/** Operations that are answered with JSON; a download is answered with the file. */
export type AnsweredId = Exclude<OperationId, 'downloadJob'>;
export type AnswerOf<Id extends AnsweredId> = InferOutput<Operations[Id]['response']>;

/** Operations whose request is a JSON body. */
export type BodyId = {
  [Id in AnsweredId]: Operations[Id] extends { carries: 'json' } ? Id : never;
}[AnsweredId];
export type RequestOf<Id extends BodyId> = InferOutput<Operations[Id]['request']>;

/** Operations of {@link serviceOperations}, all of them and those with a request. */
export type ServiceId = keyof typeof serviceOperations;
export type RequestId = BodyId & ServiceId;

export const SERVICE_IDS: readonly ServiceId[] = Object.keys(serviceOperations).filter(isServiceId);

function isServiceId(id: string): id is ServiceId {
  return Object.hasOwn(serviceOperations, id);
}

export function hasRequest(id: ServiceId): id is RequestId {
  return operations[id].carries === 'json';
}
