import type { Engine } from '../../engines/engine.ts';
import type { TranslationService } from '../../service/service.ts';
import type { CommandContext } from '../command.ts';
import { withEngine } from '../engine-options.ts';
import type { ServiceFlags } from './options.ts';
import { choosePlace } from './place.ts';
import { withRemote } from './remote.ts';

/** What translates the documents of a command. */
export interface Translator {
  /** An engine here, or one that asks the service text by text. */
  readonly engine: Engine;
  /** What takes whole documents, where a service was chosen. */
  readonly service: TranslationService | undefined;
}

/** Runs `work` with what flags, environment and configuration choose, and closes what was opened for it. */
export async function withTranslator<T>(
  flags: ServiceFlags,
  context: CommandContext,
  work: (translator: Translator) => Promise<T>,
): Promise<T> {
  const place = await choosePlace(flags, context.terminal);
  if (place.kind === 'here') {
    return withEngine(place.engine, (engine) => work({ engine, service: undefined }));
  }
  return withRemote(place.remote, flags, context, async ({ service }) => {
    const { createServiceEngine } = await import('../../client/service-engine.ts');
    const engine = createServiceEngine(service);
    try {
      return await work({ engine, service });
    } finally {
      await engine.close();
    }
  });
}
