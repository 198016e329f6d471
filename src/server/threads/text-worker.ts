import { EngineProxy } from '../../engines/host.ts';
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

/** The server's worker for texts: while one call waits for the engine the others go on. */
serveCalls<TextProtocol>(({ engine, glossary }) => async (asked, { signal, ask }) => {
  const failures: string[] = [];
  const call = { signal, onFailure: (reason: string) => void failures.push(reason) };
  const service = createLocalService({ engine: new EngineProxy(engine, ask), glossary, isValidated: true });
  return { result: await perform(textWorkOf(service), asked, call), failures };
});
