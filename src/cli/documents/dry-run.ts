import { countCodePoints } from '../../base/code-points.ts';
import { amountText, costOf, type Money } from '../../engines/price.ts';
import { enginesIn, SERVICE_ENGINE } from '../../engines/registry.ts';
import type { CommandContext } from '../output/command.ts';
import { type ExitCode, OK, PARTIAL } from '../output/exit-code.ts';
import { costDocument, findPrices, type PriceFlags, type Prices } from '../options/prices.ts';
import { chooseExecutionTarget } from '../execution/execution-target.ts';
import type { ServiceFlags } from '../options/service.ts';
import { SettingsFiles } from '../options/setting.ts';
import { pluralize } from '../terminal/table.ts';
import { STDOUT } from './destinations.ts';
import type { JobCredits } from './jobs/operations.ts';
import { filesDocument, type UnreadableFile } from './open-each.ts';
import { pathOf, type DocumentJob, type NamedFile, type Planned } from './run.ts';

export interface DryRun<J> extends Planned<J> {
  /** A service's credits for all jobs. */
  readonly credits?: JobCredits | undefined;
  /** A service's credits for one job; default: one per distinct text. */
  readonly chargeOf?: ((job: J) => number | undefined | Promise<number>) | undefined;
  readonly unreadable: readonly UnreadableFile[];
  readonly textsOf: (job: J) => readonly string[] | Promise<readonly string[]>;
  /** The path of a file that is written next to a result. */
  readonly companionOf?: ((job: J) => string | undefined) | undefined;
}

interface Surveyed<J> {
  readonly job: J;
  readonly companion: string | undefined;
  readonly texts: number;
  readonly characters: number;
  readonly cost: Money;
}

/** Ends `--dry-run` of a document command: lists planned files and the amount of work. */
export async function reportDryRun<J extends DocumentJob<NamedFile, string | undefined>>(
  { jobs, skipped, unreadable, textsOf, companionOf, credits: charged, chargeOf }: DryRun<J>,
  flags: ServiceFlags & PriceFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const { output, terminal } = context;
  const files = new SettingsFiles(terminal);
  const prices = await findPrices(flags, files);
  const engines = jobs.length > 0 && prices.isKnown ? await enginesOf(flags, context, files) : [];
  const isTranslated = jobs.some(({ target }) => target !== undefined);
  const isRemote = isTranslated && (await chooseExecutionTarget(flags, terminal, files)).kind === 'remote';
  const surveyed: Surveyed<J>[] = [];
  let ownCredits = 0;
  for (const job of jobs) {
    const texts = job.target === undefined ? [] : [...new Set(await textsOf(job))];
    const characters = texts.reduce((sum, text) => sum + countCodePoints(text), 0);
    const cost = totalOf(texts, engines, prices);
    surveyed.push({ job, companion: companionOf?.(job), texts: texts.length, characters, cost });
    if (isRemote && !charged && texts.length > 0) ownCredits += (await chargeOf?.(job)) ?? texts.length;
  }
  const credits = isRemote ? (charged ?? { credits: ownCredits }) : undefined;
  const sum = (pick: (one: Surveyed<J>) => number): number =>
    surveyed.reduce((all, one) => all + pick(one), 0);
  const money = surveyed.reduce((all, { cost }) => all + cost, 0n);
  const hasPrice = engines.some((id) => prices.of(id));
  const total = { money, currency: prices.currency };
  if (output.json) {
    const files = surveyed.map(({ job, companion, texts, characters }) => ({
      source: job.file.path ?? null,
      language_code: job.target ?? null,
      path: pathOf(job),
      ...(companion !== undefined && { mo_path: companion }),
      texts,
      characters,
    }));
    output.document({
      dry_run: true,
      ...filesDocument(files, { unreadable, skipped }),
      ...(hasPrice && { cost: costDocument(total) }),
      ...(credits && { credits: credits.credits }),
      ...(credits?.most !== undefined && { max_credits: credits.most }),
    });
  } else {
    for (const { job, companion } of surveyed) {
      if (job.destination !== STDOUT) output.path(job.destination);
      if (companion !== undefined) output.path(companion);
    }
    const converted = surveyed.filter(({ job }) => job.target === undefined).length;
    const translated = surveyed.length - converted;
    const counts = [
      ...(converted > 0 ? [pluralize(converted, 'converted file')] : []),
      ...(translated > 0 || converted === 0 ? [pluralize(translated, 'translation')] : []),
    ].join(' and ');
    const price =
      (hasPrice ? `, at most ${amountText(total)}` : '') + (credits ? `, ${creditsText(credits)}` : '');
    const [texts, characters] = [sum((one) => one.texts), sum((one) => one.characters)];
    const what =
      translated > 0 ? `: ${pluralize(texts, 'text')}, ${pluralize(characters, 'character')}${price}` : '';
    output.message(`would write ${counts}${what}`);
  }
  return unreadable.length > 0 ? PARTIAL : OK;
}

function creditsText({ credits, most }: JobCredits): string {
  const again = most === undefined ? 'more' : `at most ${pluralize(most - credits, 'credit')}`;
  return (
    pluralize(credits, 'credit') + (most === credits ? '' : ` and ${again} for values that do not verify`)
  );
}

/** Every engine in a list may get every text. */
function totalOf(texts: readonly string[], engines: readonly string[], prices: Prices): Money {
  return engines.reduce((sum, id) => {
    const price = prices.of(id);
    return price ? sum + costOf(price, texts) : sum;
  }, 0n);
}

async function enginesOf(
  flags: ServiceFlags,
  { terminal }: CommandContext,
  files: SettingsFiles,
): Promise<readonly string[]> {
  const execution = await chooseExecutionTarget(flags, terminal, files);
  if (execution.kind === 'remote') return [SERVICE_ENGINE];
  return enginesIn(execution.engine.id, execution.engine.options);
}
