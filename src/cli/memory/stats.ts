import type { MemoryStats, PairStats } from '../../memory/stored-memory.ts';
import type { CommandModule } from '../command.ts';
import { addExamples } from '../examples.ts';
import { OK } from '../exit-code.ts';
import { columns } from '../table.ts';
import { oneLine } from '../terminal.ts';
import { addMemoryFileOption, type MemoryFlags } from './location.ts';
import { requireMemoryPath, withKnownMemory } from './open.ts';

const EMPTY: MemoryStats = { entries: 0, messages: 0, bytes: 0, pairs: [], projects: [] };

export const stats: CommandModule<MemoryFlags> = {
  configure(command) {
    addMemoryFileOption(command);
    addExamples(command, [
      ['dragoman memory stats', 'entries by language pair, who wrote them, and the size of the file'],
      ['dragoman memory stats --memory team.db --json', 'those of another memory, as JSON'],
    ]);
  },

  async run(_args, flags, { terminal, output }) {
    const path = await requireMemoryPath(flags, terminal);
    const found = (await withKnownMemory(flags, terminal, (memory) => memory.stats())) ?? EMPTY;
    if (output.json) {
      const { entries, messages, bytes, oldestUse, newestUse, pairs, projects } = found;
      output.document({
        ...{ path, bytes, entries, messages, pairs, projects },
        oldest_use: oldestUse?.toISOString() ?? null,
        newest_use: newestUse?.toISOString() ?? null,
      });
      return OK;
    }
    output.message(`${path}: ${countOf(found.entries)}, ${(found.bytes / 1e6).toFixed(1)} MB`);
    if (found.oldestUse && found.newestUse) {
      const [oldest, newest] = [dayOf(found.oldestUse), dayOf(found.newestUse)];
      output.message(`last used ${oldest === newest ? `on ${newest}` : `between ${oldest} and ${newest}`}`);
    }
    for (const line of columns(found.pairs.map(rowOf))) output.result(line.trimEnd());
    for (const { root, entries } of found.projects)
      output.result(oneLine(`${countOf(entries)} learned from ${root}`));
    return OK;
  },
};

export function countOf(entries: number): string {
  return entries === 1 ? '1 entry' : `${entries} entries`;
}

function rowOf({ source, target, entries, human, machine, engines }: PairStats): readonly string[] {
  const by = engines.map(({ engine, entries: count }) => `${engine} ${count}`).join(', ');
  return [
    `${source} → ${target}`,
    countOf(entries),
    ...[`${human} human`, `${machine} machine`],
    by === '' ? '' : `(${by})`,
  ];
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 'yyyy-mm-dd'.length);
}
