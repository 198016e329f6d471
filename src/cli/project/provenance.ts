import type { ListedKey } from '../../project/plan/key-list.ts';
import type { TracedProvenance } from '../../project/plan/provenance.ts';
import type { FileReport, SyncReport } from '../../project/plan/report.ts';
import type { Output } from '../output/output.ts';
import { printBeforeCounts } from './coverage-table.ts';
import { countTable } from '../terminal/table.ts';

/** The origin of a translation, for `--json`. */
export function provenanceDocument(provenance: TracedProvenance | undefined): unknown {
  if (!provenance) return null;
  const { by, engine, model, name, commit } = provenance;
  return {
    by,
    engine: engine ?? null,
    model: model ?? null,
    import: name ?? null,
    commit: commit?.id ?? null,
    author: commit?.author ?? null,
    time: commit?.time ?? null,
  };
}

const LAST = ['engine', 'memory', 'person', 'import', 'agent', 'unknown'] as const;

/** Prints the number of texts per language and writer, with a column for each known engine. */
export function printProvenance(
  report: SyncReport,
  lists: ReadonlyMap<FileReport, readonly ListedKey[]>,
  output: Output,
): void {
  if (!printBeforeCounts(report, output)) return;
  const rows = report.languages.map(({ locale, allFiles }) => {
    const counts = new Map<string, number>();
    for (const { provenance } of allFiles().flatMap((file): readonly ListedKey[] => lists.get(file) ?? [])) {
      if (!provenance) continue;
      const { by, engine = by, model } = provenance;
      const writer = model === undefined ? engine : `${engine}:${model}`;
      counts.set(writer, (counts.get(writer) ?? 0) + 1);
    }
    return { label: locale, counts };
  });
  const engines = new Set(rows.flatMap(({ counts }) => [...counts.keys()]));
  for (const name of LAST) engines.delete(name);
  const columns = [...[...engines].sort(), ...LAST];
  const cells = rows.map(({ label, counts }) => ({
    label,
    cells: columns.map((name) => counts.get(name) ?? 0),
  }));
  const titles = columns.map((name) => (name === 'engine' ? 'unnamed engine' : name));
  for (const line of countTable(['language', ...titles], cells, output.width)) output.result(line);
}
