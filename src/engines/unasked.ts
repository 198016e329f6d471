import type { Engine } from './engine.ts';
import { SERVICE_ENGINE } from './registry.ts';

/** Used if only the service's answer counts: texts without an answer stay untranslated. */
export const ANSWER_ONLY_ENGINE: Engine = {
  id: SERVICE_ENGINE,
  isModel: true,
  status: () =>
    Promise.resolve({
      id: SERVICE_ENGINE,
      ready: true,
      detail: 'uses the answers of a service',
      pairs: 'any',
    }),
  supports: () => Promise.resolve(true),
  translate: ({ texts }) =>
    Promise.resolve(texts.map(() => ({ failure: 'the service has no translation for this text' }))),
  close: () => Promise.resolve(),
};
