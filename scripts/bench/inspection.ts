import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeFormat, FORMAT_IDS, type BuiltInFormatId } from '../../src/formats/registry.ts';
import { MAX_MARKS } from '../../src/jobs/worker/inspect-file.ts';
import { HOSTILE_FILES } from '../../test/hostile/files.ts';
import { buildRun } from './formats.ts';
import { makeDocument } from './made-documents.ts';
import { printRow, runMeasured, withDirectory } from './measure.ts';

const SIZE = 10_000_000;
/**
 * Processor time of all threads, without start-up: on a busy machine, elapsed time depends on other
 * programs.
 */
const MOST = { cpu: 2_000, megabytes: 500 };

/** The formats of uploads. */
export const INSPECTED = FORMAT_IDS.filter((id) => describeFormat(id).jobExtensions);

interface Inspected {
  readonly cpu: number;
  readonly megabytes: number;
  readonly outcome: string;
}

/**
 * Processor time and memory of inspecting the worst files of 10 MB and an ordinary one, each in a separate
 * process. If a file is refused for its many marks, its longest accepted beginning is inspected as well.
 */
export async function benchInspection(wanted: (format: BuiltInFormatId) => boolean): Promise<void> {
  await withDirectory(async (directory) => {
    const program = await buildRun('inspection-run', directory);
    const inspect = (format: BuiltInFormatId, content: string): Inspected => {
      const path = join(directory, 'upload');
      writeFileSync(path, content);
      const { stdout, megabytes } = runMeasured(directory, [program, format, path]);
      const { cpu, outcome } = JSON.parse(stdout) as Omit<Inspected, 'megabytes'>;
      return { cpu, megabytes, outcome };
    };
    for (const format of INSPECTED.filter(wanted)) {
      const ordinary = { name: 'ordinary', make: (size: number) => makeDocument(format, size) };
      for (const { name, make } of [ordinary, ...HOSTILE_FILES[format]]) {
        const whole = inspect(format, make(SIZE));
        print(format, name, whole);
        const marks = Number(/ has ([\d,]+) marks/.exec(whole.outcome)?.[1]?.replaceAll(',', '') ?? 0);
        if (marks > 0)
          print(
            format,
            '  the longest accepted part',
            inspect(format, make((SIZE * MAX_MARKS * 0.99) / marks)),
          );
      }
    }
  });
}

function print(format: string, name: string, { cpu, megabytes, outcome }: Inspected): void {
  const met = cpu <= MOST.cpu && megabytes <= MOST.megabytes;
  const shown = name.length > 34 ? `${name.slice(0, 15)}…${name.slice(-18)}` : name;
  const figures = `CPU ${(cpu / 1000).toFixed(2).padStart(5)} s ${megabytes.toFixed(0).padStart(5)} MB  ${outcome.slice(0, 90)}`;
  printRow(`${format.padEnd(11)}${shown}`, figures, { text: '<= 2 s, 500 MB', met });
}
