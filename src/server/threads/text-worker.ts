import { EngineProxy } from '../../engines/host.ts';
import { askEngine, WorkerResources } from '../../resources/worker-resources.ts';
import { createLocalService } from '../../service/local-service.ts';
import type { CallOptions } from '../../service/service.ts';
import { serveCalls } from '../../workers/serve.ts';
import {
  textWorkOf,
  type TextCall,
  type TextProtocol,
  type TextResults,
  type TextWork,
  type TextWorkKind,
} from './text-work.ts';

function perform<K extends TextWorkKind>(
  work: TextWork,
  { kind, request }: TextCall<K>,
  call: CallOptions,
): Promise<TextResults[K]> {
  return work[kind](request, call);
}

/** If the client leaves, the texts translated so far are charged. */
const NEVER = new AbortController().signal;

/** The server's worker for texts. While one call waits for the engine, others continue. */
serveCalls<TextProtocol>(({ engine, shared }) => {
  const resources = new WorkerResources(shared);
  return async (asked, { signal, ask }) => {
    const failures: string[] = [];
    const call = {
      signal: NEVER,
      stop: signal,
      onFailure: (reason: string) => void failures.push(reason),
    };
    const service = createLocalService({
      ...(await resources.of(asked.own, ask)),
      engine: new EngineProxy(engine, askEngine(ask)),
      isValidated: true,
    });
    return { result: await perform(textWorkOf(service), asked, call), failures };
  };
});
