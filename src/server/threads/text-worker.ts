import { EngineProxy } from '../../engines/host.ts';
import { createLocalService } from '../../service/local-service.ts';
import type { CallOptions, TranslationService } from '../../service/service.ts';
import { serveCalls } from '../../workers/serve.ts';
import {
  textWork,
  type RequestOf,
  type ResultOf,
  type TextProtocol,
  type TextWorkKind,
} from './text-work.ts';

type Work = (
  service: TranslationService,
  request: RequestOf<TextWorkKind>,
  call: CallOptions,
) => Promise<ResultOf<TextWorkKind>>;

/** The server's worker for texts: while one call waits for the engine the others go on. */
serveCalls<TextProtocol>((traits) => async ({ kind, request }, { signal, ask }) => {
  const failures: string[] = [];
  const call = { signal, onFailure: (reason: string) => void failures.push(reason) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a call's request is that of its kind
  const work = textWork[kind] as Work;
  const result = await work(
    createLocalService({ engine: new EngineProxy(traits, ask), isValidated: true }),
    request,
    call,
  );
  return { result, failures };
});
