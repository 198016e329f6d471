import { HEALTHY, type HealthReport } from '../../contract/account.ts';
import type { TranslationService } from '../../service/service.ts';
import type { CommandModule } from '../output/command.ts';
import { type ExitCode, OK } from '../output/exit-code.ts';
import { addServiceOptions, type ServiceFlags } from '../options/service.ts';
import { withService } from '../execution/translator.ts';

const UNHEALTHY: ExitCode = 1;

export const health: CommandModule<ServiceFlags> = {
  examples: [
    ['dragoman health', 'whether anything here can translate; the exit code is 1 if nothing can'],
    ['dragoman health --engine apertium --json', 'the report for one engine'],
  ],
  configure: addServiceOptions,

  async run(_args, options, context) {
    const { terminal, output } = context;
    const { signal } = terminal;
    const ask = (service: TranslationService): Promise<HealthReport> => service.health({ signal });
    const report = await withService(options, context, ask, { key: false });
    output.answer(report, () => {
      output.result(report.status);
      for (const { id, ready, detail } of report.engines ?? []) {
        output.sentence(`  ${id}: ${ready ? 'ready' : 'not ready'}, ${detail}`);
      }
    });
    return report.status === HEALTHY ? OK : UNHEALTHY;
  },
};
