import { VERSION } from '../../base/version.ts';
import { engineVersions } from '../../engines/registry.ts';
import type { CommandModule } from '../output/command.ts';
import { OK } from '../output/exit-code.ts';

export const version: CommandModule<object> = {
  examples: [
    ['dragoman version', 'the versions of dragoman, Node and the engines: what a bug report needs'],
    ['dragoman version --json', 'the same as JSON; dragoman --version prints the number alone'],
  ],

  async run(_args, _options, { output }) {
    const engines = await engineVersions();
    const { version: node, platform, arch } = process;
    if (output.json) {
      output.document({
        version: VERSION,
        node: node.slice(1),
        platform: `${platform} ${arch}`,
        engines: Object.fromEntries(engines.map((engine) => [engine.id, engine.version])),
      });
      return OK;
    }
    const rows = [
      ['dragoman', VERSION],
      ['node', node.slice(1)],
      ['platform', `${platform} ${arch}`],
      ...engines.map((engine) => [engine.id, engine.version]),
    ];
    output.table(rows);
    return OK;
  },
};
