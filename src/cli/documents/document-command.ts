import type { Command } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import { readInput } from '../../documents/localization/open-file.ts';
import type { SegmentContext } from '../../pipeline/unit.ts';
import type { TranslationService } from '../../service/service.ts';
import type { ResourceNeeds } from '../execution/translation-resources.ts';
import type { CommandContext, CommandModule, HelpTexts } from '../output/command.ts';
import type { ExitCode } from '../output/exit-code.ts';
import type { Output } from '../output/output.ts';
import { readStandardBytes } from '../terminal/input.ts';
import { type Destination, reportSkipped, requireNew, STDOUT } from './destinations.ts';
import type { DryRun } from './dry-run.ts';
import type { JobCredits } from './jobs/operations.ts';
import { filesDocument, openEach, type Opened, type OtherFiles, unavailableDocument } from './open-each.ts';
import type { DocumentFlags } from './options.ts';
import {
  type DocumentJob,
  type DocumentJobs,
  finish,
  type JobsResult,
  type JobWork,
  type NamedFile,
  pathOf,
  planJobs,
  type Planned,
  runJobs,
  type TasksResult,
  type Written,
} from './run.ts';

/** The results of a command, and its jobs without a result. */
export type Results<J, R> = TasksResult<J, Written<J, R>>;

/** One call of a command. */
export interface CommandRun<Flags> {
  readonly flags: Flags;
  readonly context: CommandContext;
}

/** The engine and resources for a job. */
export interface Translating {
  /** For `translate`, which adds the source language. */
  readonly segments: Omit<SegmentContext, 'source'>;
  /** Translates whole documents with the service, if the user chose one. */
  readonly service: TranslationService | undefined;
  /** Where this run writes the translation of a file. */
  readonly destinationOf: (path: string, target: string) => Destination | undefined;
}

/** Where the results of the files go. */
interface Placement<File, Target> extends Pick<
  DocumentJobs<File, Target>,
  'nameOf' | 'isAddedTo' | 'isJoined'
> {
  /** Whether a single result goes to standard output without `-o`. */
  readonly prefersStandardOutput: boolean;
}

/**
 * The differences between the commands that translate documents. {@link documentCommand} does the rest: it reads all
 * files and plans all results before it translates the first, so that mistakes show early, and keeps finished work.
 */
export interface DocumentKindCommand<
  File extends NamedFile,
  Flags extends DocumentFlags,
  R extends JobsResult,
  Target extends string | undefined = string,
  J = DocumentJob<File, Target>,
> extends HelpTexts {
  /** Declares arguments and options. Default: another module declares them. */
  readonly configure?: (command: Command) => void;
  /** The languages of the results; undefined: the language of the file. @throws DragomanError `usage` */
  readonly targetsOf: (flags: Flags) => readonly Target[];
  readonly open: (args: readonly string[], run: CommandRun<Flags>) => Promise<Opened<File>>;
  /** Checks the open files: warns about them, refuses them, or ends the command. */
  readonly review?: (
    opened: Opened<File>,
    run: CommandRun<Flags>,
  ) => ExitCode | undefined | Promise<ExitCode>;
  readonly place: (files: readonly File[], run: CommandRun<Flags>) => Placement<File, Target>;
  /** @throws DragomanError `usage` for impossible results */
  readonly check?: (jobs: readonly J[], run: CommandRun<Flags>) => void;
  /** The texts that `--dry-run` counts. */
  readonly textsOf: (file: File) => readonly string[] | Promise<readonly string[]>;
  /** A service's price for all jobs, if it charges for files rather than texts. */
  readonly creditsOf?: (jobs: readonly J[], flags: Flags) => JobCredits;
  /** A service's price for a file sent as a whole; undefined if it gets the texts, for 1 credit each. */
  readonly chargeOf?: (file: File, flags: Flags) => number | undefined | Promise<number>;
  /** The amount of work in a file, counted in `unit`s. */
  readonly extentOf: (file: File) => number;
  readonly unit: string;
  readonly needs?: ResourceNeeds;
  /**
   * The number of concurrent jobs with a service. Default: one.
   *
   * @throws DragomanError `usage` for requests it cannot fulfil
   */
  readonly atOnce?: (service: TranslationService, jobs: readonly J[], flags: Flags) => number | undefined;
  readonly translate: (job: J, by: Translating, run: CommandRun<Flags>) => Promise<R>;
  /** Makes a result without a translation. */
  readonly convert?: (job: J, flags: Flags) => R;
  /** Runs the jobs instead of `translate`; an exit code then ends the command. */
  readonly perform?: (
    planned: Planned<J> & OtherFiles,
    run: CommandRun<Flags>,
    translate: (added?: Partial<SegmentContext>) => Promise<Results<J, R>>,
  ) => Promise<Results<J, R> | ExitCode>;
  /** The path of a file that is written next to a result. */
  readonly companionOf?: (job: J, flags: Flags) => string | undefined;
  readonly makeCompanion?: (job: J, path: string, result: R) => Promise<Uint8Array | undefined>;
  /** Prints a result that goes to standard output. Default: its bytes. */
  readonly printContent?: JobWork<J, R>['printContent'];
  /** Prints a line about a result that was written to a file. Default: its path. */
  readonly printWritten?: (written: Written<J, R>, output: Output, jobs: readonly J[]) => void;
  /** Prints further information about a result. */
  readonly print: (written: Written<J, R>, output: Output) => void;
  readonly printSummary?: (result: Results<J, R>, output: Output) => void;
  /** Additional fields of a result in `--json`, apart from its source, language and path. */
  readonly describe: (written: Written<J, R>) => object;
  /** Additional fields of a job without a result, apart from these and the error. */
  readonly describeUnavailable?: (job: J, error: DragomanError, flags: Flags) => object;
  /** The document for `--json`, made from the entries of files. Default: a list of them. */
  readonly document?: (
    files: readonly object[],
    result: Results<J, R>,
    plan: { readonly targets: readonly Target[] } & OtherFiles,
  ) => object | undefined;
  /** The exit code, if it does not depend on `failures` alone. */
  readonly exitCodeOf?: (ended: ExitCode, result: Results<J, R>, others: OtherFiles) => ExitCode;
}

/** Makes a command for a kind of document. */
export function documentCommand<
  File extends NamedFile,
  Flags extends DocumentFlags,
  R extends JobsResult,
  Target extends string | undefined = string,
>(kind: DocumentKindCommand<File, Flags, R, Target>): CommandModule<Flags> {
  return {
    examples: kind.examples,
    details: kind.details,
    configure: (command) => kind.configure?.(command),
    run: (args, flags, context) => new KindRun(kind, { flags, context }).run(args),
  };
}

class KindRun<
  File extends NamedFile,
  Flags extends DocumentFlags,
  R extends JobsResult,
  Target extends string | undefined,
> {
  readonly #kind: DocumentKindCommand<File, Flags, R, Target>;
  readonly #call: CommandRun<Flags>;

  constructor(kind: DocumentKindCommand<File, Flags, R, Target>, call: CommandRun<Flags>) {
    this.#kind = kind;
    this.#call = call;
  }

  async run(args: readonly string[]): Promise<ExitCode> {
    const kind = this.#kind;
    const { flags, context } = this.#call;
    const { terminal, output } = context;
    const targets = kind.targetsOf(flags);
    const opened = await kind.open(args, this.#call);
    const reviewed = await kind.review?.(opened, this.#call);
    if (reviewed !== undefined) return reviewed;
    const { prefersStandardOutput, ...place } = kind.place(opened.files, this.#call);
    const rules = { flags, cwd: terminal.cwd, prefersStandardOutput };
    const { jobs, skipped } = await planJobs({ ...opened, ...place, targets }, rules);
    kind.check?.(jobs, this.#call);
    const companionOf = (job: DocumentJob<File, Target>): string | undefined =>
      kind.companionOf?.(job, flags);
    const companions = jobs.flatMap((job) => companionOf(job) ?? []);
    requireNew(companions, flags);
    reportSkipped(skipped, output);
    const planned = { jobs, skipped, unreadable: opened.unreadable };
    if (flags.dryRun) {
      const { reportDryRun } = await import('./dry-run.ts');
      const textsOf: DryRun<DocumentJob<File, Target>>['textsOf'] = ({ file }) => kind.textsOf(file);
      const chargeOf: DryRun<DocumentJob<File, Target>>['chargeOf'] = ({ file }) =>
        kind.chargeOf?.(file, flags);
      const credits = kind.creditsOf?.(jobs, flags);
      return reportDryRun({ ...planned, textsOf, companionOf, credits, chargeOf }, flags, context);
    }
    const result = await this.#perform(planned);
    if (typeof result === 'number') return result;
    for (const written of result.done) {
      if (!output.json && written.destination !== STDOUT) this.#printPlace(written, jobs);
      kind.print(written, output);
    }
    kind.printSummary?.(result, output);
    const files = this.#describe(result);
    const document = kind.document?.(files, result, { ...planned, targets }) ?? filesDocument(files, planned);
    const ended = finish(result, planned.unreadable, document, output);
    return kind.exitCodeOf?.(ended, result, planned) ?? ended;
  }

  async #perform(
    planned: Planned<DocumentJob<File, Target>> & OtherFiles,
  ): Promise<Results<DocumentJob<File, Target>, R> | ExitCode> {
    const { convert, perform } = this.#kind;
    const { jobs } = planned;
    if (convert && jobs.every(({ target }) => target === undefined))
      return this.#runJobs(jobs, { translate: async (job) => convert(job, this.#call.flags) });
    const translate = (added?: Partial<SegmentContext>): Promise<Results<DocumentJob<File, Target>, R>> =>
      this.#translate(jobs, added);
    return perform ? perform(planned, this.#call, translate) : translate();
  }

  async #translate(
    jobs: readonly DocumentJob<File, Target>[],
    added?: Partial<SegmentContext>,
  ): Promise<Results<DocumentJob<File, Target>, R>> {
    const kind = this.#kind;
    const { flags, context } = this.#call;
    const destinations = new Map<string, Destination>(
      jobs.map(({ file, target, destination }) => [`${target} ${file.path ?? ''}`, destination]),
    );
    const destinationOf: Translating['destinationOf'] = (path, target) =>
      destinations.get(`${target} ${path}`);
    // Loaded only for translating, because it is most of the program and a conversion should not wait for it.
    const { withTranslator } = await import('../execution/translator.ts');
    return withTranslator(
      flags,
      context,
      ({ engine, resources, service, stopped }) => {
        const { concurrency } = flags;
        const shared = { ...resources, engine, signal: context.terminal.signal, concurrency, ...added };
        const translate: JobWork<DocumentJob<File, Target>, R>['translate'] = async (job, onProgress) => {
          const segments = { ...shared, target: job.target ?? '', onProgress };
          try {
            return await kind.translate(job, { segments, service, destinationOf }, this.#call);
          } catch (error) {
            throw error instanceof DragomanError && error.at ? error.inFile(job.file.name) : error;
          }
        };
        const atOnce = service && kind.atOnce?.(service, jobs, flags);
        return this.#runJobs(jobs, { translate, stopped, atOnce });
      },
      kind.needs,
    );
  }

  #runJobs(
    jobs: readonly DocumentJob<File, Target>[],
    work: Pick<JobWork<DocumentJob<File, Target>, R>, 'translate' | 'stopped' | 'atOnce'>,
  ): Promise<Results<DocumentJob<File, Target>, R>> {
    const kind = this.#kind;
    const { flags, context } = this.#call;
    const accompany: JobWork<DocumentJob<File, Target>, R>['accompany'] = async (job, result) => {
      const path = kind.companionOf?.(job, flags);
      const bytes = path !== undefined && (await kind.makeCompanion?.(job, path, result));
      return bytes ? { path, bytes } : undefined;
    };
    const { unit, printContent } = kind;
    const extentOf = ({ file }: DocumentJob<File, Target>): number => kind.extentOf(file);
    return runJobs(jobs, { ...work, extentOf, unit, accompany, printContent }, context);
  }

  #printPlace(
    written: Written<DocumentJob<File, Target>, R>,
    jobs: readonly DocumentJob<File, Target>[],
  ): void {
    const { output } = this.#call.context;
    if (this.#kind.printWritten) this.#kind.printWritten(written, output, jobs);
    else if (written.destination !== STDOUT) output.path(written.destination);
    if (written.companion !== undefined) output.path(written.companion);
  }

  /** The entries for `--json`. */
  #describe({ done, unavailable }: Results<DocumentJob<File, Target>, R>): readonly object[] {
    const { describe, describeUnavailable } = this.#kind;
    const base = ({ file, target }: DocumentJob<File, Target>): object => ({
      source: file.path ?? null,
      language_code: target ?? null,
      path: null,
    });
    return [
      ...done.map((written) => ({ ...base(written), path: pathOf(written), ...describe(written) })),
      ...unavailable.map(({ item, error }) => ({
        ...base(item),
        ...describeUnavailable?.(item, error, this.#call.flags),
        ...unavailableDocument(error),
      })),
    ];
  }
}

interface Inputs<File, Flags> {
  /** The error for a command line without arguments, if standard input is a terminal. */
  readonly missing: DragomanError;
  /** The named files, by path, each with its location relative to a directory argument. */
  readonly list: (
    args: readonly string[],
    run: CommandRun<Flags>,
  ) => Promise<ReadonlyMap<string, string | undefined>>;
  readonly open: (file: NamedFile, read: () => Promise<Uint8Array>, run: CommandRun<Flags>) => Promise<File>;
}

/** Opens the files of a kind. `-` or no argument means standard input. */
export function openInputs<File, Flags>({
  missing,
  list,
  open,
}: Inputs<File, Flags>): (args: readonly string[], run: CommandRun<Flags>) => Promise<Opened<File>> {
  return async (args, run) => {
    const { terminal, output } = run.context;
    if (args.length === 0 && terminal.stdin.isTTY) throw missing;
    const named = args.filter((argument) => argument !== '-');
    const places = named.length > 0 ? await list(named, run) : new Map<string, undefined>();
    const hasStandardInput = args.length === 0 || named.length < args.length;
    const openOne = (path: string): Promise<File> =>
      path === '-'
        ? open({ name: 'standard input', path: undefined }, () => readStandardBytes(terminal), run)
        : open({ name: path, path, below: places.get(path) }, () => readInput(path), run);
    return openEach([...(hasStandardInput ? ['-'] : []), ...places.keys()], openOne, output);
  };
}
