import { DragomanError } from '../../base/errors.ts';
import { nearest } from '../../base/nearest.ts';
import type { EngineStatus } from '../../engines/engine.ts';
import { engineStatuses } from '../../engines/registry.ts';
import type { CommandModule } from '../command.ts';
import { addExamples } from '../examples.ts';
import { addEngineOptions, chooseEngine, type EngineFlags } from '../engine-options.ts';
import { OK } from '../exit-code.ts';

export const status: CommandModule<EngineFlags> = {
  configure(command) {
    addEngineOptions(command);
    // Without a name of a command, it is this one: a misspelt name arrives here.
    command.allowExcessArguments();
    addExamples(command, [
      ['dragoman engines', 'what can translate what, and how to get more'],
      ['dragoman engines --json', 'the same for a program'],
    ]);
  },

  async run([unknown], options, { terminal, output }) {
    if (unknown !== undefined) throw noCommand(unknown);
    const choice = await chooseEngine(options, terminal);
    const statuses = await engineStatuses(choice.options);
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

/** One line per source language: `en → ca, es, fr`. */
function describePairs({ pairs, ready }: EngineStatus): readonly string[] {
  if (pairs === 'any') return ready ? ['every language to every language'] : [];
  const bySource = new Map<string, string[]>();
  for (const { source, target } of pairs) bySource.set(source, [...(bySource.get(source) ?? []), target]);
  return [...bySource]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([source, targets]) => `${source} → ${targets.sort().join(', ')}`);
}
