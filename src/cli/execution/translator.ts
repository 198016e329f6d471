import { closing } from '../../base/closing.ts';
import { type DragomanError, traitsOf } from '../../base/errors.ts';
import type { Engine, EngineOutcome } from '../../engines/engine.ts';
import { engineStatuses } from '../../engines/registry.ts';
import type { TranslationResources } from '../../pipeline/unit.ts';
import type { TranslationService } from '../../service/service.ts';
import type { CommandContext } from '../output/command.ts';
import { withEngine } from './engine-choice.ts';
import {
  refuseResources,
  type ResourceFlags,
  type ResourceNeeds,
  withResources,
} from './translation-resources.ts';
import { addServiceEngine } from './service-engine.ts';
import { chooseExecutionTarget } from './execution-target.ts';
import type { ServiceFlags } from '../options/service.ts';
import { type RemoteNeeds, withRemote } from './remote.ts';

/** The translators of a command's documents. */
export interface Translator {
  /** A local engine, or the service for single texts. */
  readonly engine: Engine;
  /** Options apart from the engine. */
  readonly resources: TranslationResources;
  /** The translator of whole documents, if a service was chosen. */
  readonly service: TranslationService | undefined;
  /** Why the service stopped. Later requests fail. */
  readonly stopped: () => DragomanError | undefined;
}

/** Runs `work` with the resources that flags, environment and configuration choose, then closes them. */
export async function withTranslator<T>(
  flags: ServiceFlags & ResourceFlags,
  context: CommandContext,
  work: (translator: Translator) => Promise<T>,
  needs?: ResourceNeeds,
): Promise<T> {
  const translate = async (resources: TranslationResources): Promise<T> => {
    const execution = await chooseExecutionTarget(flags, context.terminal);
    if (execution.kind === 'local') {
      return withEngine(addServiceEngine(execution.engine, flags, context), (engine) =>
        work({ engine, resources, service: undefined, stopped: () => undefined }),
      );
    }
    return withRemote(execution.remote, flags, context, async ({ service }) => {
      const { createServiceEngine } = await import('../../client/service-engine.ts');
      const { engine, stopped } = watchErrors(createServiceEngine(service));
      return closing(engine, () => work({ engine, resources, service, stopped }));
    });
  };
  return withResources(flags, context, translate, needs);
}

/** Notes an error that should end the whole command: as an outcome, it would only make one text keep its source. */
function watchErrors(engine: Engine): Pick<Translator, 'engine' | 'stopped'> {
  let stopped: DragomanError | undefined;
  const look = (outcome: EngineOutcome): void => {
    if ('failure' in outcome && outcome.error && traitsOf(outcome.error).stops) stopped ??= outcome.error;
  };
  return {
    engine: {
      ...engine,
      translate: async (request, signal) => {
        const outcomes = await engine.translate(request, signal);
        outcomes.forEach(look);
        return outcomes;
      },
    },
    stopped: () => stopped,
  };
}

/** Runs `work` with the service that flags, environment and configuration choose, then closes its resources. */
export async function withService<T>(
  flags: ServiceFlags & ResourceFlags,
  context: CommandContext,
  work: (service: TranslationService) => Promise<T>,
  needs: RemoteNeeds = {},
): Promise<T> {
  const execution = await chooseExecutionTarget(flags, context.terminal);
  if (execution.kind === 'remote') {
    refuseResources(flags);
    return withRemote(
      execution.remote,
      flags,
      context,
      async ({ service }) => {
        const { createServiceEngine } = await import('../../client/service-engine.ts');
        return closing(createServiceEngine(service), (engine) => work(verified(service, engine)));
      },
      needs,
    );
  }
  // Loads all document formats, so it is only loaded if needed.
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

/** The service, whose translations of single texts are verified like those of an engine. */
function verified(service: TranslationService, engine: Engine): TranslationService {
  return {
    ...service,
    async translateBatch(request, options) {
      const answer = await service.translateBatch(request, options);
      const { verifyBatch } = await import('../../service/verified-texts.ts');
      return verifyBatch(request, answer, { engine, signal: options.signal });
    },
  };
}
