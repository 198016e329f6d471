import { engineStatuses } from '../engines/registry.ts';
import { createLocalService } from '../service/local-service.ts';
import type { TranslationService } from '../service/service.ts';
import { chooseEngine, withEngine, type EngineFlags } from './engine-options.ts';
import type { Terminal } from './terminal.ts';

/** Runs `work` with the service that flags, environment and configuration choose, and closes what was opened for it. */
export async function withService<T>(
  flags: EngineFlags,
  terminal: Terminal,
  work: (service: TranslationService) => Promise<T>,
): Promise<T> {
  const choice = await chooseEngine(flags, terminal);
  return withEngine(choice, (engine) =>
    work(
      createLocalService({
        engine,
        concurrency: flags.concurrency,
        engineStatuses: (signal) => engineStatuses(choice.options, signal),
      }),
    ),
  );
}
