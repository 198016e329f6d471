import { DragomanError } from '../../base/errors.ts';
import type { EngineDescription } from '../description.ts';

/** The hint if no service is configured. */
export const NO_SERVICE_HINT =
  'Name it with --base-url, DRAGOMAN_BASE_URL or `service` in the configuration; dragoman serve starts one on this machine.';

/** Another server that implements the specification. The command decides how to connect. */
export const service = {
  id: 'service',
  load: async (options) => {
    const engine = await options.service?.(options.graceMs);
    if (engine) return engine;
    throw new DragomanError('configuration', 'no service given', { hint: NO_SERVICE_HINT });
  },
} as const satisfies EngineDescription;
