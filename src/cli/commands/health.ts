import { HEALTHY } from '../../contract/account.ts';
import type { CommandModule } from '../command.ts';
import { addEngineOptions, type EngineFlags } from '../engine-options.ts';
import { addExamples } from '../examples.ts';
import { OK, type ExitCode } from '../exit-code.ts';
import { withService } from '../local-service.ts';

const UNHEALTHY: ExitCode = 1;

export const health: CommandModule<EngineFlags> = {
  configure(command) {
    addEngineOptions(command);
    addExamples(command, [
      ['dragoman health', 'whether something here can translate; the exit code is 1 when not'],
      ['dragoman health --engine apertium --json', 'the report for one engine'],
    ]);
  },

  async run(_args, options, { terminal, output }) {
    const { signal } = terminal;
    const report = await withService(options, terminal, (service) => service.health({ signal }));
    if (output.json) {
      output.document(report);
    } else {
      output.result(report.status);
      for (const { id, ready, detail } of report.engines ?? []) {
        output.result(`  ${id}: ${ready ? 'ready' : 'not ready'}, ${detail}`);
      }
    }
    return report.status === HEALTHY ? OK : UNHEALTHY;
  },
};
