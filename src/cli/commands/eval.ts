import { resolve } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { decode } from '../../formats/encoding.ts';
import { evaluateEngine } from '../../pipeline/evaluation/evaluate-engine.ts';
import { parseTestSet, type TestRow } from '../../pipeline/evaluation/test-set.ts';
import { readInput } from '../../documents/localization/open-file.ts';
import type { CommandContext, CommandModule } from '../command.ts';
import { addLimitOptions } from '../engine-options.ts';
import { chooseCandidates, type Candidate, type EvaluationFlags } from '../eval/engines.ts';
import { evaluationDocument, printEvaluations, type EngineResult } from '../eval/report.ts';
import { addExamples } from '../examples.ts';
import { OK, PARTIAL } from '../exit-code.ts';
import { addFormalityOption, findFormality, type FormalityFlags } from '../formality.ts';
import { readStandardBytes } from '../input.ts';
import { addLanguageOptions, requireTargets, sourceOf, type LanguageOptions } from '../language-options.ts';
import type { Progress } from '../output.ts';
import { addRemoteOptions } from '../service/options.ts';
import { SettingsFiles } from '../service/settings-files.ts';
import { resolveSource } from '../documents/source-language.ts';
import { oneLine, type Terminal } from '../terminal.ts';

type Flags = LanguageOptions & EvaluationFlags & FormalityFlags;

/** All rows are in memory. */
const MAX_BYTES = 64 * 1024 * 1024;

const append = (value: string, previous: readonly string[] = []): readonly string[] => [...previous, value];

export const evaluate: CommandModule<Flags> = {
  configure(command) {
    command
      .argument('<file>', 'rows of source, tab, reference (and syntax); - for standard input')
      .option(
        '--engine <name>',
        'what to evaluate: repeat it, also with chains such as deepl,apertium; default: the engine in use',
        append,
      )
      .option('--engine-command <command>', 'the program that the exec engine runs');
    addLimitOptions(command);
    addFormalityOption(command);
    addRemoteOptions(command);
    addLanguageOptions(command);
    addExamples(command, [
      [
        'dragoman eval test.tsv --engine firefox --engine apertium -s en -t es',
        'chrF, placeholders, failures and speed, side by side',
      ],
      ['dragoman eval test.tsv --engine deepl,apertium -s en -t es --json', 'the same as JSON'],
    ]);
  },

  async run([file = '-'], flags, context) {
    const { output } = context;
    const target = onlyTarget(flags);
    const candidates = await chooseCandidates(flags, context);
    const { name, rows } = await readTestSet(file, context.terminal);
    const texts = rows.map((row) => row.source);
    const source = await resolveSource(sourceOf(flags), texts, name);
    const test = { name, rows, source, target };
    const { results, interruption } = await evaluateAll(candidates, test, flags, context);
    const document = evaluationDocument(test, results);
    const hasFigures = results.some(({ evaluation }) => evaluation);
    if (!output.json && hasFigures) printEvaluations(test, results, output);
    const error = interruption ?? (hasFigures ? undefined : errorOfAll(results));
    if (error) return output.failure(error, document);
    if (output.json) output.document(document);
    return results.every(({ evaluation }) => evaluation?.failures.length === 0) ? OK : PARTIAL;
  },
};

/** Figures of two languages side by side would say nothing. */
function onlyTarget(flags: LanguageOptions): string {
  const [target = '', ...more] = requireTargets(flags);
  if (more.length === 0) return target;
  throw new DragomanError('usage', 'references are in one language: name one target', {
    hint: 'Run it once for each language, with a file of its own.',
  });
}

async function readTestSet(
  file: string,
  terminal: Terminal,
): Promise<{ readonly name: string; readonly rows: readonly TestRow[] }> {
  const isFile = file !== '-';
  const name = isFile ? file : 'standard input';
  const bytes = isFile
    ? await readInput(resolve(terminal.cwd, file), MAX_BYTES)
    : await readStandardBytes(terminal);
  try {
    // A byte order mark, else UTF-8: as JSON is.
    const { text } = await decode(bytes, 'json');
    return { name, rows: parseTestSet(text) };
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(name) : error;
  }
}

interface Test {
  readonly rows: readonly TestRow[];
  readonly source: string;
  readonly target: string;
}

interface Results {
  readonly results: readonly EngineResult[];
  /** What is done so far comes with it. */
  readonly interruption?: DragomanError;
}

/** One after the other: side by side they would take each other's time. */
async function evaluateAll(
  candidates: readonly Candidate[],
  test: Test,
  flags: Flags,
  { terminal, output }: CommandContext,
): Promise<Results> {
  const { signal } = terminal;
  const { rows, source, target } = test;
  const { concurrency } = flags;
  const formality = await findFormality(flags, new SettingsFiles(terminal));
  const results: EngineResult[] = [];
  for (const candidate of candidates) {
    const { id } = candidate;
    const progress = await output.progress();
    try {
      const evaluation = await candidate.run((engine) => {
        const onProgress = progressOf(id, test, progress);
        return evaluateEngine(rows, { engine, source, target, signal, concurrency, formality, onProgress });
      });
      results.push({ engine: id, evaluation });
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      if (error.code === 'interrupted') return { results, interruption: error };
      results.push({ engine: id, error });
    } finally {
      progress.stop();
    }
  }
  return { results };
}

function progressOf(id: string, { rows }: Test, progress: Progress): (done: number, total: number) => void {
  const name = oneLine(id);
  progress.begin(`${name}: ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`);
  return (done, total) => progress.update(`${name}: ${Math.floor((100 * done) / total)} %`);
}

/** Where nothing could be evaluated at all. */
function errorOfAll(results: readonly EngineResult[]): DragomanError | undefined {
  const errors = results.flatMap(({ error }) => error ?? []);
  const [first] = errors;
  if (!first || errors.length === 1) return first;
  const reasons = results.map(({ engine, error }) => `${engine}: ${error?.message ?? ''}`);
  return new DragomanError(first.code, `no engine could be evaluated: ${reasons.join('; ')}`, {
    hint: errors.find(({ hint }) => hint !== undefined)?.hint,
    status: first.status,
    cause: first,
  });
}
