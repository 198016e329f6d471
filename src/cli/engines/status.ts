import { DragomanError } from '../../base/errors.ts';
import { nearest } from '../../base/nearest.ts';
import type { EngineStatus } from '../../engines/engine.ts';
import { engineStatuses } from '../../engines/registry.ts';
import type { CommandModule } from '../command.ts';
import { addExamples } from '../examples.ts';
import { chooseEngine } from '../engine-choice.ts';
import { OK } from '../exit-code.ts';
import { addServiceEngine } from '../service/engine.ts';
import { addServiceOptions, type ServiceFlags } from '../service/options.ts';

export const status: CommandModule<ServiceFlags> = {
  configure(command) {
    addServiceOptions(command);
    // Without a name of a command, it is this one: a misspelt name arrives here.
    command.allowExcessArguments();
    addExamples(command, [
      ['dragoman engines', 'what each engine can translate, and how to get more'],
      ['dragoman engines --json', 'the same as JSON'],
    ]);
  },

  async run([unknown], flags, context) {
    if (unknown !== undefined) throw noCommand(unknown);
    const { terminal, output } = context;
    const choice = addServiceEngine(await chooseEngine(flags, terminal), flags, context);
    const statuses = await engineStatuses(choice.options, terminal.signal);
    if (output.json) {
      output.document({ engines: statuses });
      return OK;
    }
    for (const status of statuses) {
      output.result(`${status.id}: ${status.ready ? 'ready' : 'not ready'}, ${status.detail}`);
      for (const line of describePairs(status)) output.result(`  ${line}`);
      if (status.hint !== undefined) output.result(`  ${status.hint}`);
    }
    return OK;
  },
};

function noCommand(name: string): DragomanError {
  const meant = nearest(name, ['status', 'install', 'list', 'remove', 'path']);
  return new DragomanError('usage', `there is no command "engines ${name}"`, {
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}dragoman engines --help lists the commands.`,
  });
}

/** One line per source language, `en → ca, es, fr`; one for all that go every way. */
function describePairs({ pairs, ready }: EngineStatus): readonly string[] {
  if (pairs === 'any') return ready ? ['every language to every language'] : [];
  const bySource = new Map<string, string[]>();
  for (const { source, target } of pairs) bySource.set(source, [...(bySource.get(source) ?? []), target]);
  const languages = [...bySource.keys()].sort();
  // Such pairs differ from each other, so counting them is enough.
  const isEveryWay = languages.length > 2 && pairs.length === languages.length * (languages.length - 1);
  if (isEveryWay && pairs.every(({ target }) => bySource.has(target))) {
    return [`each to each of ${languages.join(', ')}`];
  }
  return languages.map((source) => `${source} → ${(bySource.get(source) ?? []).sort().join(', ')}`);
}
