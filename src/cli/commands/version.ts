import { VERSION } from '../../base/version.ts';
import { engineVersions } from '../../engines/registry.ts';
import type { CommandModule } from '../output/command.ts';

export const version: CommandModule<object> = {
  examples: [
    ['dragoman version', 'the versions of dragoman, Node and the engines: what a bug report needs'],
    ['dragoman version --json', 'the same as JSON; dragoman --version prints the number alone'],
  ],

  async run(_args, _options, { output }) {
    const engines = await engineVersions();
    const { version: node, platform, arch } = process;
    const own = { node: node.slice(1), platform: `${platform} ${arch}` };
    const versions = engines.map((engine) => [engine.id, engine.version]);
    return output.answer({ version: VERSION, ...own, engines: Object.fromEntries(versions) }, () =>
      output.table([['dragoman', VERSION], ...Object.entries(own), ...versions]),
    );
  },
};
