import { resolve } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { readInput } from '../../documents/localization/open-file.ts';
import type { Engine } from '../../engines/engine.ts';
import { amountText, Spending, type Amount } from '../../engines/price.ts';
import { enginesIn, SERVICE_ENGINE } from '../../engines/registry.ts';
import { decode } from '../../formats/encoding.ts';
import { describeFormat } from '../../formats/registry.ts';
import { evaluateEngine, type Evaluation } from '../../pipeline/evaluation/evaluate-engine.ts';
import { parseTestSet, type TestRow } from '../../pipeline/evaluation/test-set.ts';
import { CHRF_SIGNATURE } from '../../text/chrf.ts';
import type { CommandContext, CommandModule } from '../output/command.ts';
import { OK, PARTIAL } from '../output/exit-code.ts';
import { resolveSource } from '../documents/source-language.ts';
import { chooseEngine, type EngineChoice, withEngine } from '../execution/engine-choice.ts';
import {
  addFormalityOption,
  addLimitOptions,
  findFormality,
  type FormalityFlags,
} from '../options/engine.ts';
import { readStandardBytes } from '../terminal/input.ts';
import { addLanguageOptions, type LanguageOptions, requireTargets, sourceOf } from '../options/language.ts';
import { errorDocument, type Output } from '../output/output.ts';
import { addPriceOption, costDocument, findPrices, type PriceFlags } from '../options/prices.ts';
import { addServiceEngine } from '../execution/service-engine.ts';
import { chooseExecutionTarget } from '../execution/execution-target.ts';
import { addRemoteOptions, type ServiceFlags } from '../options/service.ts';
import { SettingsFiles } from '../options/setting.ts';
import { oneLine, type Terminal } from '../terminal/terminal.ts';
import { repeatable } from '../options/repeatable.ts';

type EvalFlags = LanguageOptions & EvaluationFlags & FormalityFlags & PriceFlags;

/** All rows are held in memory. */
const MAX_BYTES = 64 * 1024 * 1024;

export const evaluate: CommandModule<EvalFlags> = {
  examples: [
    [
      'dragoman eval test.tsv --engine firefox --engine apertium -s en -t es',
      'chrF, placeholders, failures and speed, side by side',
    ],
    [
      'dragoman eval test.tsv --engine deepl -s en -t es --price 20/1M --json',
      'the same as JSON, with the costs',
    ],
  ],
  configure(command) {
    command
      .argument(
        '<file>',
        'tab-separated rows: source, reference and (optionally) syntax; - for standard input',
      )
      .option(
        '--engine <name>',
        'engine, or chain such as deepl,apertium, to evaluate (repeatable); default: the engine in use',
        repeatable,
      )
      .option('--engine-command <command>', 'the program that the exec engine runs');
    addLimitOptions(command);
    addPriceOption(command);
    addFormalityOption(command);
    addRemoteOptions(command);
    addLanguageOptions(command);
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

/** Results in different languages cannot be compared. */
function onlyTarget(flags: LanguageOptions): string {
  const [target = '', ...more] = requireTargets(flags);
  if (more.length === 0) return target;
  throw new DragomanError('usage', 'all references are in one language: name one target', {
    hint: 'Run it once for each language, with a separate file.',
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
    // Decoded like JSON: UTF-8 unless a byte order mark says otherwise.
    const { text } = await decode(bytes, describeFormat('json'));
    return { name, rows: parseTestSet(text) };
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(name) : error;
  }
}

interface Test {
  readonly name: string;
  readonly rows: readonly TestRow[];
  readonly source: string;
  readonly target: string;
}

interface Results {
  readonly results: readonly EngineResult[];
  /** The error contains the results so far. */
  readonly interruption?: DragomanError;
}

/** One after the other, because concurrent engines would slow each other down. */
async function evaluateAll(
  candidates: readonly Candidate[],
  test: Test,
  flags: EvalFlags,
  { terminal, output }: CommandContext,
): Promise<Results> {
  const { signal } = terminal;
  const { rows, source, target } = test;
  const { concurrency } = flags;
  const formality = await findFormality(flags, new SettingsFiles(terminal));
  const results: EngineResult[] = [];
  const progress = output.progress();
  try {
    for (const [i, candidate] of candidates.entries()) {
      const { id } = candidate;
      const onProgress = (done: number, total: number): void =>
        progress.show({
          label: oneLine(id),
          at: i + 1,
          of: candidates.length,
          unit: 'rows',
          done: i * rows.length + Math.floor((rows.length * done) / Math.max(1, total)),
          total: candidates.length * rows.length,
        });
      try {
        onProgress(0, 1);
        const evaluation = await candidate.run((engine) =>
          evaluateEngine(rows, { engine, source, target, signal, concurrency, formality, onProgress }),
        );
        results.push({ engine: id, evaluation, cost: candidate.cost() });
      } catch (error) {
        if (!(error instanceof DragomanError)) throw error;
        if (error.code === 'interrupted') return { results, interruption: error };
        results.push({ engine: id, error, cost: candidate.cost() });
      }
    }
  } finally {
    await progress.stop();
  }
  return { results };
}

/** The error to report if no engine could be evaluated. */
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

/** Like the `--engine` of other commands, but repeatable. */
type EvaluationFlags = Omit<ServiceFlags, 'engine'> & { readonly engine?: readonly string[] };

/** An engine to evaluate. */
interface Candidate {
  /** The engine's name, as the user wrote it. */
  readonly id: string;
  /** Runs `work` with the engine, then closes it, even after an error. */
  run<T>(work: (engine: Engine) => Promise<T>): Promise<T>;
  /** The cost so far; undefined without a price. */
  cost(): Amount | undefined;
}

/**
 * The named engines without duplicates; if none is named, the engine that other commands use.
 *
 * @throws DragomanError for invalid names and settings, before the first paid call
 */
async function chooseCandidates(
  { engine: names = [], ...flags }: EvaluationFlags & PriceFlags,
  context: CommandContext,
): Promise<readonly Candidate[]> {
  const choices =
    names.length === 0
      ? [await usualChoice(flags, context)]
      : await Promise.all(names.map((engine) => chooseEngine({ ...flags, engine }, context.terminal)));
  const prices = await findPrices(flags, new SettingsFiles(context.terminal));
  const candidates = new Map<string, Candidate>();
  for (const choice of choices) {
    if (candidates.has(choice.id)) continue;
    // Engines start no program before their first text. Warnings about a key appear when the key is used.
    const silent = addServiceEngine(choice, flags, context, { onWarning: () => undefined });
    await withEngine(silent, () => Promise.resolve());
    const { id, options } = addServiceEngine(choice, flags, context);
    const spending = new Spending(prices.currency);
    const charged = { id, options: { ...options, charge: prices.chargerOf(spending) } };
    const hasPrice = enginesIn(id, options).some((one) => prices.of(one));
    candidates.set(id, {
      id,
      run: (work) => withEngine(charged, work),
      cost: () => (hasPrice ? { money: spending.spent, currency: spending.currency } : undefined),
    });
  }
  return [...candidates.values()];
}

async function usualChoice(flags: ServiceFlags, { terminal }: CommandContext): Promise<EngineChoice> {
  const execution = await chooseExecutionTarget(flags, terminal);
  return execution.kind === 'local'
    ? execution.engine
    : chooseEngine({ ...flags, engine: SERVICE_ENGINE }, terminal);
}

/** The result of one engine. */
interface EngineResult {
  /** The engine's name, as the user wrote it. */
  readonly engine: string;
  readonly evaluation?: Evaluation;
  /** Why the engine has no results. */
  readonly error?: DragomanError;
  readonly cost: Amount | undefined;
}

/** The document for `--json`. Rates are from 0 to 1, or null if there was nothing to count. */
function evaluationDocument({ name, rows, source, target }: Test, results: readonly EngineResult[]): object {
  return {
    file: name,
    source_language: source,
    target_language: target,
    rows: rows.length,
    metric: CHRF_SIGNATURE,
    engines: results.map(({ engine, evaluation, error, cost }) => ({
      engine,
      ...(evaluation ? figuresOf(evaluation) : noFigures(rows.length)),
      ...(cost && { cost: costDocument(cost) }),
      error: error ? errorDocument(error) : null,
    })),
  };
}

function figuresOf({ chrf, placeholders, failures, engines, wordsPerSecond }: Evaluation): object {
  const { rows, raw, final } = placeholders;
  return {
    chrf: Number(chrf.toFixed(4)),
    placeholders: {
      rows,
      exact: raw,
      exact_rate: rows === 0 ? null : raw / rows,
      translated: final,
      translated_rate: rows === 0 ? null : final / rows,
    },
    failed: failures.length,
    failures,
    translated_by: Object.fromEntries(engines),
    words_per_second: wordsPerSecond === undefined ? null : Number(wordsPerSecond.toPrecision(4)),
  };
}

/** Always the same fields, so that programs need no checks. */
function noFigures(rows: number): object {
  return {
    chrf: null,
    placeholders: null,
    failed: rows,
    failures: [],
    translated_by: {},
    words_per_second: null,
  };
}

const HEAD = ['engine', 'chrF', 'exact placeholders', 'after repair', 'failed', 'words/s', 'cost', ''];
const NONE = '-';
/** More digits would only show noise. */
const PRECISION = { maximumSignificantDigits: 3 };

/** Prints the table on stdout, and failures and an explanation on stderr. */
function printEvaluations(
  { name, rows, source, target }: Test,
  results: readonly EngineResult[],
  output: Output,
): void {
  const table = [HEAD, ...results.map((result) => cellsOf(result, rows.length))];
  const hasCost = results.some(({ cost }) => cost);
  const shown = hasCost ? table : table.map((row) => row.toSpliced(HEAD.indexOf('cost'), 1));
  output.table(alignRight(shown));
  for (const { engine, evaluation, error } of results) {
    if (error?.hint !== undefined) output.problem(`${oneLine(engine)}: ${error.hint}`);
    const [first] = evaluation?.failures ?? [];
    if (!evaluation || !first) continue;
    const count = evaluation.failures.length;
    output.problem(
      `${oneLine(engine)}: ${count} of ${rows.length} rows failed and count as empty translations; the first, ${name}:${first.line}: ${oneLine(first.reason)}`,
    );
    for (const { line, reason } of evaluation.failures)
      output.detail(`${oneLine(engine)}: ${name}:${line}: ${oneLine(reason)}`);
  }
  const counted = results.find(({ evaluation }) => evaluation)?.evaluation?.placeholders.rows ?? 0;
  output.message(`${source} → ${target}: ${rows.length} rows, ${counted} with placeholders`);
}

function cellsOf({ engine, evaluation, error, cost }: EngineResult, rows: number): readonly string[] {
  const price = cost ? amountText(cost) : NONE;
  if (!evaluation) {
    return [oneLine(engine), NONE, NONE, NONE, String(rows), NONE, price, oneLine(error?.message ?? '')];
  }
  const { chrf, placeholders, failures, wordsPerSecond } = evaluation;
  return [
    oneLine(engine),
    chrf.toFixed(1),
    percent(placeholders.raw, placeholders.rows),
    percent(placeholders.final, placeholders.rows),
    String(failures.length),
    wordsPerSecond === undefined ? NONE : wordsPerSecond.toLocaleString('en', PRECISION),
    price,
    translators(engine, evaluation),
  ];
}

/** Rounded down, so that 100 % means all. */
function percent(part: number, of: number): string {
  return of === 0 ? NONE : `${(Math.floor((1000 * part) / of) / 10).toFixed(1)} %`;
}

/** The engines that translated, unless the engine's name already lists them. */
function translators(name: string, { engines }: Evaluation): string {
  const ids = [...engines].sort(([, a], [, b]) => b - a);
  if (ids.every(([id]) => id === name)) return '';
  return ids.map(([id, count]) => `${oneLine(id)} ${count}`).join(', ');
}

/** All columns except the first and the last contain numbers. */
function alignRight(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const widthOf = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) =>
    row.map((cell, i) => (i === 0 || i === row.length - 1 ? cell : cell.padStart(widthOf(i)))),
  );
}
