import type { ServiceEngineOptions } from '../../client/service-engine.ts';
import type { Engine } from '../../engines/engine.ts';
import type { CommandContext } from '../output/command.ts';
import type { EngineChoice } from './engine-choice.ts';
import type { ServiceFlags } from '../options/service.ts';
import { findService } from './execution-target.ts';
import { connectRemote, type RemoteNeeds } from './remote.ts';
import type { SettingsFiles } from '../options/setting.ts';

export interface ServiceEngineNeeds extends ServiceEngineOptions, Pick<RemoteNeeds, 'onWait' | 'onWarning'> {
  /** The files that may configure a service. Default: those for the current directory. */
  readonly files?: SettingsFiles | undefined;
}

/**
 * Returns the choice with a connection for the engine `service`, alone or in a list. Callers that create engines pass
 * its options to the registry.
 */
export function addServiceEngine(
  { id, options }: EngineChoice,
  flags: ServiceFlags,
  context: CommandContext,
  { files, onWait, onWarning, ...engineOptions }: ServiceEngineNeeds = {},
): EngineChoice {
  const service = async (graceMs = engineOptions.graceMs): Promise<Engine | undefined> => {
    const remote = await findService(flags, context.terminal, files);
    if (!remote) return undefined;
    const connection = await connectRemote(remote, flags, context, { onWait, onWarning });
    const { createServiceEngine } = await import('../../client/service-engine.ts');
    const engine = createServiceEngine(connection.service, { ...engineOptions, graceMs });
    const close = async (): Promise<void> => {
      await engine.close();
      await connection.close();
    };
    return { ...engine, close };
  };
  return { id, options: { ...options, service } };
}
