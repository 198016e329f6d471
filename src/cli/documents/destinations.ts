import { basename, dirname, extname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import {
  existingFileError as existingFile,
  type AtomicWriteOptions,
  type FileContent,
  writeAtomically,
} from '../../base/atomic-file.ts';
import { DragomanError } from '../../base/errors.ts';
import { typeAt } from '../../base/file-facts.ts';
import { isLink, requireUnreserved } from '../../base/inside.ts';
import { addDryRunOption, type DryRunFlags } from '../options/dry-run.ts';
import { inGroup, markRare } from '../output/help.ts';
import type { Output } from '../output/output.ts';
import { pluralize } from '../terminal/table.ts';

/** The options for output paths, which are the same for every kind of document. */
export interface DestinationFlags extends DryRunFlags {
  readonly output?: string;
  readonly force?: boolean;
  readonly skipExisting?: boolean;
}

export function addDestinationOptions(command: Command, fallback: string): void {
  inGroup(command, 'Output', () =>
    command
      .option('-o, --output <path>', `a directory, a file, or - for standard output; default: ${fallback}`)
      .option('--force', 'replace existing files')
      .option('--skip-existing', 'skip files that already exist'),
  );
  markRare(command, '--skip-existing');
  addDryRunOption(command);
  addPathListOption(command);
}

/** Adds `--print0` to commands that print file paths. */
export function addPathListOption(command: Command): void {
  inGroup(command, 'Output', () =>
    command.option('--print0', 'end each path with a NUL instead of a line break, for xargs -0'),
  );
  markRare(command, '--print0');
}

/** The destination of one result: a path, or standard output. */
export type Destination = string | typeof STDOUT;

export const STDOUT: unique symbol = Symbol('standard output');

/** A requested result: an input in one language. */
export interface WantedOutputs {
  /** Absolute path of the input; undefined: standard input. */
  readonly input: string | undefined;
  /** The name of the output file, without its directory. */
  readonly name: string;
  /** The input's directory relative to a directory argument. Results get the same relative path below `-o`. */
  readonly below?: string | undefined;
  /** The result is the input with one more language, so it replaces the input and is shared by all languages. */
  readonly isAdded?: boolean;
}

export interface DestinationRules {
  readonly flags: DestinationFlags;
  readonly cwd: string;
  /** Whether a single result goes to standard output without `-o`. */
  readonly prefersStandardOutput: boolean;
  /** Whether the command line requests a single result, even if the input cannot be read. */
  readonly isSingle: boolean;
}

interface Destinations {
  readonly places: readonly (Destination | undefined)[];
  /** Existing paths that `--skip-existing` keeps. */
  readonly existing: readonly string[];
}

/**
 * Decides the destination of each result. `-o -` is standard output, for a single result; `-o FILE` that file, for a
 * single result and a name with an extension; any other `-o` a directory. Without `-o`, results go next to their input,
 * or a single one to standard output.
 *
 * @returns destinations in the order of `wanted`; undefined: `--skip-existing` keeps the existing file
 * @throws DragomanError `usage` if two results have one path, one would replace an input, or a file exists, which may
 * be a person's
 */
export function chooseDestinations(wanted: readonly WantedOutputs[], rules: DestinationRules): Destinations {
  const { flags, cwd, isSingle } = rules;
  const directory = flags.output === undefined ? undefined : resolve(cwd, flags.output);
  if (flags.output === '-' || (directory === undefined && isSingle && rules.prefersStandardOutput)) {
    if (isSingle) return { places: wanted.map(() => STDOUT), existing: [] };
    throw severalFor('standard output');
  }
  const isFile = namesFile(flags.output, cwd);
  if (isFile && !isSingle) throw severalFor(flags.output ?? '');
  const paths = wanted.map(({ input, name, below = '' }) => {
    if (isFile) return directory ?? cwd;
    return directory === undefined ? join(directoryOf(input), name) : join(directory, below, name);
  });
  requireDistinct(wanted, paths);
  const isOwn = (path: string, i: number): boolean => wanted[i]?.isAdded === true && path === wanted[i].input;
  const existing = existingOf(
    paths.filter((path, i) => !isOwn(path, i)),
    flags,
  );
  return { places: paths.map((path) => (existing.has(path) ? undefined : path)), existing: [...existing] };
}

/** Whether `-o` names a file: it has an extension and is not an existing directory. */
function namesFile(output: string | undefined, cwd: string): boolean {
  if (output === undefined || /[/\\]$/.test(output) || extname(output) === '') return false;
  return typeAt(resolve(cwd, output)) !== 'directory';
}

function directoryOf(input: string | undefined): string {
  if (input !== undefined) return dirname(input);
  throw new DragomanError('usage', 'the translations of standard input need a directory', {
    hint: 'Name it with -o.',
  });
}

function requireDistinct(wanted: readonly WantedOutputs[], places: readonly string[]): void {
  const inputs = new Set(wanted.map(({ input }) => input));
  const origins = new Map<string, string>();
  for (const [i, path] of places.entries()) {
    const input = wanted[i]?.input ?? 'standard input';
    const isAdded = wanted[i]?.isAdded === true;
    if (inputs.has(path) && !(isAdded && path === input)) {
      throw new DragomanError('usage', `the result would replace its source ${path}`, {
        hint: 'Name another place with -o.',
      });
    }
    const other = origins.get(path);
    if (other !== undefined && !(isAdded && other === input))
      throw new DragomanError('usage', `${other} and ${input} would both be written to ${path}`);
    origins.set(path, input);
  }
}

/** The existing paths to keep. */
function existingOf(
  paths: readonly string[],
  { force, skipExisting }: Pick<DestinationFlags, 'force' | 'skipExisting'>,
): ReadonlySet<string> {
  const existing = new Set<string>();
  if (!skipExisting && force) return existing;
  for (const path of paths) {
    if (typeAt(path) === undefined) continue;
    if (!skipExisting) {
      throw new DragomanError('usage', `${path} already exists`, {
        hint: 'Replace it with --force, leave it alone with --skip-existing, or name another place with -o.',
      });
    }
    existing.add(path);
  }
  return existing;
}

/** @throws DragomanError `usage` for the first existing path, unless files may be replaced */
export function requireNew(paths: Iterable<string>, { force }: Pick<DestinationFlags, 'force'>): void {
  if (force) return;
  for (const path of paths) {
    // Writing refuses anything but a regular file.
    if (typeAt(path) === 'file') throw existingFile(path);
  }
}

/** Reports how many files were kept. */
export function reportSkipped(skipped: readonly string[], output: Output): void {
  for (const path of skipped) output.detail(`skipped ${output.shown(path)}`);
  const [first = '', ...others] = skipped;
  if (first === '') return;
  output.message(
    others.length === 0
      ? `Skipped ${output.shown(first)}: it already exists.`
      : `Skipped ${pluralize(skipped.length, 'file')} that already exist.`,
  );
}

function severalFor(place: string): DragomanError {
  return new DragomanError('usage', `several translations cannot all go to ${place}`, {
    hint: 'Name a directory with -o.',
  });
}

/** `{name}.{language}{extension}`, the name of a translation next to its input. */
export function nameWithLanguage(
  input: string,
  language: string | undefined,
  extension = extname(input),
): string {
  const name = basename(input, extname(input));
  return `${name}${language === undefined ? '' : `.${language}`}${extension}`;
}

/**
 * Writes a requested file. In a checkout, its path may be a symbolic link, from `en_fr.json` to `.git/config` or to
 * another file of the user: such a link must stay below the output directory.
 *
 * @throws DragomanError `unwritable_output`; `usage` like {@link writeAtomically}
 */
export async function writeOutput(
  path: string,
  content: FileContent,
  options: AtomicWriteOptions = {},
): Promise<void> {
  if (isLink(path)) requireUnreserved(dirname(path), path, 'unwritable_output');
  await writeAtomically(path, content, options);
}
