import { closing } from '../../base/closing.ts';
import { DragomanError } from '../../base/errors.ts';
import { nearest, withSuggestion } from '../../base/nearest.ts';
import type { EngineStatus } from '../../engines/engine.ts';
import { readInstalled } from '../../engines/firefox/installed.ts';
import { chooseModels } from '../../engines/firefox/models/choice.ts';
import type { RemoteModel } from '../../engines/firefox/models/records.ts';
import { installModel, removeModel } from '../../engines/firefox/models/install.ts';
import type { Net } from '../../engines/firefox/models/net.ts';
import type { Offer } from '../../engines/firefox/models/origin.ts';
import { engineStatuses } from '../../engines/registry.ts';
import type { CommandGroup, CommandModule } from '../output/command.ts';
import { chooseEngine, modelsDirectoryOf } from '../execution/engine-choice.ts';
import { addDryRunOption, type DryRunFlags } from '../options/dry-run.ts';
import { addServiceEngine } from '../execution/service-engine.ts';
import { addServiceOptions, type ServiceFlags } from '../options/service.ts';
import { sizeOf } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { addTo } from '../../base/map-of-lists.ts';

/** The available engines, and the models of the firefox engine. */
export const engines: CommandGroup = {
  examples: [
    ['dragoman engines', 'what each engine can translate, and how to get more'],
    ['dragoman engines install en-es en-fr', 'neural translation on this machine, from English'],
    ['dragoman engines install fr-de', 'both models for French to German, which needs English as a pivot'],
  ],

  commands: [
    {
      name: 'status',
      summary: 'list the engines and what each can translate',
      isDefault: true,
      load: () => statusCommand,
    },
    {
      name: 'install',
      summary: 'download and verify Firefox translation models',
      load: () => installCommand,
    },
    { name: 'list', summary: 'list installed or available models', load: () => listCommand },
    { name: 'remove', summary: 'delete installed models', load: () => removeCommand },
    { name: 'path', summary: 'print the directory of the models', load: () => pathCommand },
  ],
};

const statusCommand: CommandModule<ServiceFlags> = {
  examples: [
    ['dragoman engines', 'what each engine can translate, and how to get more'],
    ['dragoman engines --json', 'the same as JSON'],
  ],
  configure(command) {
    addServiceOptions(command);
    // This subcommand runs if none is named, so it receives misspelt names as arguments.
    command.allowExcessArguments();
  },

  async run([unknown], flags, context) {
    if (unknown !== undefined) throw noCommand(unknown);
    const { terminal, output } = context;
    const choice = addServiceEngine(await chooseEngine(flags, terminal), flags, context);
    const statuses = await engineStatuses(choice.options, terminal.signal);
    return output.answer({ engines: statuses }, () => {
      for (const status of statuses) {
        output.sentence(`${status.id}: ${status.ready ? 'ready' : 'not ready'}, ${status.detail}`);
        for (const line of describePairs(status)) output.sentence(`  ${line}`);
        if (status.hint !== undefined) output.sentence(`  ${status.hint}`);
      }
    });
  },
};

function noCommand(name: string): DragomanError {
  const suggestion = nearest(name, ['status', 'install', 'list', 'remove', 'path']);
  return new DragomanError('usage', `there is no command "engines ${name}"`, {
    hint: withSuggestion(suggestion, 'dragoman engines --help lists the commands.'),
  });
}

/** One line per source language, `en → ca, es, fr`; a single line if every direction is supported. */
function describePairs({ pairs, ready }: EngineStatus): readonly string[] {
  if (pairs === 'any') return ready ? ['any language to any other'] : [];
  const bySource = new Map<string, string[]>();
  for (const { source, target } of pairs) addTo(bySource, source, target);
  const languages = [...bySource.keys()].sort();
  // All pairs are distinct, so counting them is enough.
  const isEveryWay = languages.length > 2 && pairs.length === languages.length * (languages.length - 1);
  if (isEveryWay && pairs.every(({ target }) => bySource.has(target))) {
    return [`in any direction between ${languages.join(', ')}`];
  }
  return languages.map((source) => `${source} → ${(bySource.get(source) ?? []).sort().join(', ')}`);
}

const installCommand: CommandModule<DryRunFlags> = {
  examples: [
    ['dragoman engines install en-es en-fr', 'from English into Spanish and French'],
    ['dragoman engines install fr-de', 'French to German: fr-en and en-de'],
    [
      'DRAGOMAN_FIREFOX_RECORDS_URL=file:///media/models/records.json dragoman engines install en-es',
      'from a local copy, without a network',
    ],
  ],
  configure(command) {
    command.argument('<pairs...>', 'language pairs, such as en-es; pairs without English need two models');
    addDryRunOption(command, 'only print the models and their sizes');
  },

  async run(args, { dryRun }, { terminal, output }) {
    const directory = requireModelsDirectory(terminal);
    if (dryRun) {
      const chosen = await withOffer(terminal, (offer) => Promise.resolve(chooseModels(args, offer)));
      const models = chosen.map((model) => {
        const { name, version } = model;
        return { name, version, bytes: downloadSize(model) };
      });
      return output.answer({ dry_run: true, models }, () => {
        for (const { name, version, bytes } of models) output.result(`${name} ${version}: ${sizeOf(bytes)}`);
      });
    }
    const progress = output.progress();
    const installed: { readonly name: string; readonly version: string; readonly downloaded: number }[] = [];
    try {
      await withOffer(terminal, async (offer, net) => {
        const chosen = chooseModels(args, offer);
        const total = chosen.reduce((sum, model) => sum + downloadSize(model), 0);
        let before = 0;
        for (const [i, model] of chosen.entries()) {
          const { name, version } = model;
          const onProgress = (bytes: number): void => {
            const done = before + bytes;
            progress.show({ label: name, at: i + 1, of: chosen.length, done, total, unit: 'bytes' });
          };
          onProgress(0);
          const downloaded = await installModel(model, offer, { directory, net, onProgress });
          installed.push({ name, version, downloaded });
          before += downloadSize(model);
        }
      });
    } catch (error) {
      await progress.stop();
      if (!(error instanceof DragomanError)) throw error;
      return output.failure(error, { installed });
    } finally {
      await progress.stop();
    }
    return output.answer({ installed }, () => {
      for (const { name, version, downloaded } of installed) {
        const how = downloaded === 0 ? 'already installed' : `${sizeOf(downloaded)} downloaded and verified`;
        output.result(`${name} ${version}: ${how}`);
      }
    });
  },
};

function downloadSize({ files }: Pick<RemoteModel, 'files'>): number {
  return files.reduce((sum, { compressed }) => sum + compressed.size, 0);
}

interface EngineListOptions {
  readonly available?: boolean;
}

interface ModelLine {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  /** The size on disk, or the download size of a model that is not installed. */
  readonly bytes: number;
  readonly installed: boolean;
}

const listCommand: CommandModule<EngineListOptions> = {
  examples: [
    ['dragoman engines list', 'the models that are installed'],
    ['dragoman engines list --available', 'all available models'],
  ],
  configure(command) {
    command.option('--available', 'list the models that can be installed; needs the network');
  },

  async run(_args, { available = false }, { terminal, output }) {
    const models = await readInstalled(requireModelsDirectory(terminal));
    const names = new Set(models.map(({ name }) => name));
    const lines: readonly ModelLine[] = available
      ? await withOffer(terminal, (offer) =>
          Promise.resolve(
            offer.models.map(({ name, version, architecture, files }) => ({
              name,
              version,
              architecture,
              installed: names.has(name),
              bytes: downloadSize({ files }),
            })),
          ),
        )
      : models.map(({ name, version, architecture, bytes }) => ({
          name,
          version,
          architecture,
          bytes,
          installed: true,
        }));
    const rows = lines.map(({ name, version, architecture, bytes, installed }) => [
      name,
      version,
      architecture,
      sizeOf(bytes),
      available && installed ? 'installed' : '',
    ]);
    return output.answer({ models: lines }, () => {
      if (lines.length === 0) {
        output.message(
          'No models are installed. Install one with dragoman engines install en-es; dragoman engines list --available shows all.',
        );
      }
      output.table(rows);
    });
  },
};

const removeCommand: CommandModule<DryRunFlags> = {
  examples: [
    ['dragoman engines remove en-es', 'delete a model'],
    ['dragoman engines remove fr-en en-de --json', 'delete two, with the result as JSON'],
  ],
  configure(command) {
    command.argument('<pairs...>', 'language pairs, as dragoman engines list prints them');
    addDryRunOption(command, 'only print the models that would be deleted');
  },

  async run(args, { dryRun }, { terminal, output }) {
    const directory = requireModelsDirectory(terminal);
    const names = (await readInstalled(directory)).map(({ name }) => name);
    for (const name of args) {
      if (names.includes(name)) continue;
      throw new DragomanError('not_found', `no model ${name} is installed`, {
        hint: withSuggestion(nearest(name, names), 'dragoman engines list shows the installed ones.'),
      });
    }
    if (dryRun) {
      const chosen = [...new Set(args)];
      return output.answer({ dry_run: true, would_remove: chosen }, () => {
        for (const name of chosen) output.result(`${name}: would be removed`);
      });
    }
    const removed: string[] = [];
    for (const name of new Set(args)) if (await removeModel(directory, name)) removed.push(name);
    return output.answer({ removed }, () => {
      for (const name of removed) output.result(`${name}: removed`);
    });
  },
};

const pathCommand: CommandModule<object> = {
  examples: [
    ['dragoman engines path', 'where models are: DRAGOMAN_FIREFOX_MODELS_DIR, otherwise the cache directory'],
    ['du -sh "$(dragoman engines path)"', 'how much space they take'],
  ],

  async run(_args, _options, { terminal, output }) {
    const directory = requireModelsDirectory(terminal);
    return output.answer({ path: directory }, () => output.result(directory));
  },
};

/** @throws DragomanError `usage` if the directory of models is unknown */
function requireModelsDirectory(terminal: Terminal): string {
  const directory = modelsDirectoryOf(terminal);
  if (directory !== undefined) return directory;
  throw new DragomanError('usage', 'there is no directory for translation models', {
    hint: 'Name one with DRAGOMAN_FIREFOX_MODELS_DIR.',
  });
}

/** Runs `work` with the list of installable models, from the source named in the environment. */
async function withOffer<T>(
  { env, signal }: Terminal,
  work: (offer: Offer, net: Net) => Promise<T>,
): Promise<T> {
  const [{ openNet }, { fetchOffer }] = await Promise.all([
    import('../../engines/firefox/models/net.ts'),
    import('../../engines/firefox/models/origin.ts'),
  ]);
  return closing(openNet({ env, signal }), async (net) => {
    const origin = {
      recordsUrl: env['DRAGOMAN_FIREFOX_RECORDS_URL'] || undefined,
      attachmentsUrl: env['DRAGOMAN_FIREFOX_ATTACHMENTS_URL'] || undefined,
    };
    return work(await fetchOffer(origin, net), net);
  });
}
