import { describe, DragomanError, traitsOf } from '../../base/errors.ts';
import type { TextFailure } from '../../documents/kind.ts';
import type { Output } from '../output/output.ts';

/** The readable files of a command, and the errors of the others. */
export interface Opened<File> {
  readonly files: readonly File[];
  readonly unreadable: readonly UnreadableFile[];
}

/** The command line's files that are not translated. */
export interface OtherFiles {
  readonly unreadable: readonly UnreadableFile[];
  /** The paths of skipped files. */
  readonly skipped: readonly string[];
}

export interface UnreadableFile {
  readonly path: string;
  readonly error: DragomanError;
}

/**
 * Opens every file before the first is translated, and reports unreadable ones on standard error: the others are
 * translated, and the command ends with 7.
 *
 * @throws DragomanError the first error if no file can be read, and immediately for an error that concerns all files
 */
export async function openEach<File>(
  paths: readonly string[],
  open: (path: string) => Promise<File>,
  output: Output,
): Promise<Opened<File>> {
  const files: File[] = [];
  const unreadable: UnreadableFile[] = [];
  for (const path of paths) {
    try {
      files.push(await open(path));
    } catch (error) {
      // A directory or an unknown extension is a mistake in the command line.
      if (!(error instanceof DragomanError) || traitsOf(error).concerns !== 'document') throw error;
      unreadable.push({ path, error });
    }
  }
  // The first error ends the command, and is printed where it is caught.
  const [first, ...others] = unreadable;
  for (const { error } of files.length === 0 ? others : unreadable) {
    output.problem(describe(error));
    if (error.hint !== undefined) output.problem(`  ${error.hint}`);
  }
  if (first && files.length === 0) throw first.error;
  return { files, unreadable };
}

/** The entries of unreadable files for `--json`, which follow those of written files. */
export function unreadableDocuments(unreadable: readonly UnreadableFile[]): readonly object[] {
  return unreadable.map(({ path, error }) => ({
    source: path,
    language_code: null,
    path: null,
    ...unavailableDocument(error),
  }));
}

/** The `--json` document of a command for several files. */
export function filesDocument(files: readonly object[], { unreadable, skipped }: OtherFiles): object {
  return {
    files: [...files, ...unreadableDocuments(unreadable)],
    ...(skipped.length > 0 && { skipped }),
  };
}

/** Suggests on standard error how to get unsupported language pairs, once per direction. */
export function printHints(errors: readonly DragomanError[], output: Output): void {
  for (const hint of new Set(errors.flatMap((error) => error.hint ?? []))) output.problem(`  ${hint}`);
}

/** The texts of a document that could not be translated. */
interface FailedTexts {
  readonly file: { readonly name: string };
  readonly target: string | undefined;
  readonly failures: readonly TextFailure[];
}

/** Reports texts that keep their source, on standard error. */
export function printFailures({ file, target, failures }: FailedTexts, output: Output): void {
  const language = target === undefined ? '' : ` (${target})`;
  for (const { line, column, reason } of failures)
    output.problem(`${file.name}:${line}:${column}:${language} keeps its source text: ${reason}`);
}

/** Reports a document that no engine can translate, on standard error. */
export function printUnavailable(name: string, target: string, error: DragomanError, output: Output): void {
  output.problem(`${name} was not translated into ${target}: ${describe(error)}`);
  printHints([error], output);
}

/** The fields for `--json` of a document that no engine can translate. */
export function unavailableDocument({ code, message, hint }: DragomanError): object {
  return { error: { code, message, hint: hint ?? null } };
}
