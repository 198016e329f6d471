import type { CommandModule } from '../command.ts';
import { addExamples } from '../examples.ts';
import { OK } from '../exit-code.ts';
import { locateGlossary } from '../glossary.ts';
import { locateMemory } from '../memory/location.ts';
import { addServiceOptions, type ServiceFlags } from '../service/options.ts';
import { engineLines, projectLines, remoteLines, type SettingLine } from '../service/overview.ts';
import { chooseExecutionTarget } from '../service/execution-target.ts';
import type { Origin } from '../service/setting.ts';
import { SettingsFiles } from '../service/settings-files.ts';
import { columns } from '../table.ts';
import { oneLine } from '../terminal.ts';

export const config: CommandModule<ServiceFlags> = {
  configure(command) {
    addServiceOptions(command);
    addExamples(command, [
      ['dragoman config', 'every setting that applies in this directory, and where it comes from'],
      ['dragoman config --profile staging --json', 'the settings with other options'],
    ]);
  },

  async run(_args, flags, { terminal, output }) {
    const files = new SettingsFiles(terminal);
    const execution = await chooseExecutionTarget(flags, terminal, files);
    const chosen =
      execution.kind === 'remote'
        ? await remoteLines(execution.remote, flags, files, terminal)
        : await engineLines(execution, flags, files, terminal);
    const glossary = await locateGlossary({}, terminal, files);
    const memory = await locateMemory({}, terminal, files);
    const settings = [
      ...chosen,
      ...(glossary ? [{ name: 'glossary', ...glossary }] : []),
      ...(memory ? [{ name: 'memory', ...memory }] : []),
      ...(await projectLines(files)),
    ];
    const read = await filesRead(files);
    if (output.json) {
      output.document({
        works: execution.kind === 'remote' ? 'there' : 'here',
        settings: settings.map(describe),
        files: read,
      });
      return OK;
    }
    for (const [name, path] of Object.entries(read)) {
      output.message(`${FILE_NAMES[name] ?? name}: ${path ?? 'none'}`);
    }
    output.message(execution.kind === 'remote' ? 'a service translates' : 'a local engine translates');
    const rows = settings.map(({ name, value, origin }) => [
      name,
      textOf(value),
      `from ${originText(origin)}`,
    ]);
    for (const line of columns(rows)) output.result(line);
    return OK;
  },
};

const FILE_NAMES: Readonly<Record<string, string>> = {
  project: "the project's configuration",
  user: 'your own configuration',
  credentials: 'stored keys',
};

/** Which files there are; null for those that there are not. */
async function filesRead(files: SettingsFiles): Promise<Readonly<Record<string, string | null>>> {
  const { file, entries } = await files.credentials();
  const user = (await files.user())?.file.path;
  return {
    project: (await files.project())?.file.path ?? null,
    user: user ?? null,
    credentials: entries.length > 0 && file !== undefined ? file : null,
  };
}

function textOf(value: unknown): string {
  if (value === null) return '(none)';
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value));
}

function originText(origin: Origin): string {
  if (origin.kind === 'configuration') return `${origin.at.file ?? ''}:${origin.at.line}`;
  if (origin.kind === 'credentials') return `dragoman login (${origin.file})`;
  return origin.kind === 'default' ? 'default' : origin.name;
}

function describe({ name, value, origin }: SettingLine): object {
  return {
    name,
    value,
    origin: origin.kind === 'configuration' ? { kind: origin.kind, ...origin.at } : origin,
  };
}
