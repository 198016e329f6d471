import { engineStatuses } from '../../engines/registry.ts';
import type { TranslationService } from '../../service/service.ts';
import { refuseResources, withResources, type ResourceFlags } from '../translation-resources.ts';
import type { CommandContext } from '../command.ts';
import { withEngine } from '../engine-choice.ts';
import { addServiceEngine } from './engine.ts';
import type { ServiceFlags } from './options.ts';
import { chooseExecutionTarget } from './execution-target.ts';
import { withRemote, type RemoteNeeds } from './remote.ts';

/** Runs `work` with the service that flags, environment and configuration choose, and closes what was opened for it. */
export async function withService<T>(
  flags: ServiceFlags & ResourceFlags,
  context: CommandContext,
  work: (service: TranslationService) => Promise<T>,
  needs: RemoteNeeds = {},
): Promise<T> {
  const execution = await chooseExecutionTarget(flags, context.terminal);
  if (execution.kind === 'remote') {
    refuseResources(flags);
    return withRemote(execution.remote, flags, context, ({ service }) => work(service), needs);
  }
  // With all formats of documents: nothing loads it that works there.
  const { createLocalService } = await import('../../service/local-service.ts');
  const choice = addServiceEngine(execution.engine, flags, context);
  return withResources(flags, context, (resources) =>
    withEngine(choice, (engine) =>
      work(
        createLocalService({
          ...resources,
          engine,
          concurrency: flags.concurrency,
          engineStatuses: (signal) => engineStatuses(choice.options, signal),
        }),
      ),
    ),
  );
}
