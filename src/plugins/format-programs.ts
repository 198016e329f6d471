import { DragomanError } from '../base/errors.ts';
import type { FormatDescription } from '../formats/description.ts';
import { EXTENSIONS, FORMAT_IDS, withFormats, type ProgramFormatId } from '../formats/registry.ts';
import { BlockingProgram } from '../workers/blocking-program.ts';
import { createProgramFormat } from './program-format.ts';

/** A format read by a user's program, as defined by a flag, a variable or the user's configuration. */
export interface FormatProgram {
  readonly name: string;
  /** A command line for the system's shell. */
  readonly command: string;
  /** File extensions in lower case, without the dot. */
  readonly extensions: readonly string[];
}

const TIMEOUT_MS = 30_000;
const LONGEST_COMMAND = 30_000;
const NAME = /^[a-z][a-z0-9_-]*$/;
const EXTENSION = /^[a-z0-9_-]+$/;

/**
 * Runs `work` with these formats, and ends their programs afterwards. A program starts when it reads its first file.
 *
 * @param timeoutMs maximum wait for an answer
 * @throws DragomanError `usage` for invalid names and extensions
 */
export async function withFormatPrograms<T>(
  programs: readonly FormatProgram[],
  work: () => Promise<T>,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  requireFree(programs);
  const started: BlockingProgram[] = [];
  const formats = programs.map(({ name, command, extensions }): NamedDescription => {
    const program = new BlockingProgram({ name: `the program of the format ${name}`, command, timeoutMs });
    started.push(program);
    return {
      id: requireName(name),
      title: name,
      extensions,
      mediaType: 'text/plain',
      localeStyle: 'bcp47',
      load: () => Promise.resolve(createProgramFormat(program)),
    };
  });
  try {
    return await withFormats(formats, work);
  } finally {
    for (const program of started) program.close();
  }
}

type NamedDescription = FormatDescription & { readonly id: ProgramFormatId };

function requireFree(programs: readonly FormatProgram[]): void {
  const names = new Set<string>(FORMAT_IDS);
  const taken = new Set(EXTENSIONS);
  for (const { name, command, extensions } of programs) {
    requireName(name);
    if (names.has(name)) throw refusal(name, 'is the name of another format', 'Choose another name.');
    names.add(name);
    if (command.trim() === '' || command.includes('\0') || command.length > LONGEST_COMMAND)
      throw refusal(name, 'has no command line', 'Write NAME=COMMAND, such as lang=python3 lang.py.');
    for (const extension of extensions) {
      if (!EXTENSION.test(extension))
        throw refusal(
          name,
          `has ${JSON.stringify(extension)} as an extension`,
          'Write it in small letters, without the dot.',
        );
      if (taken.has(extension))
        throw refusal(
          name,
          `has the extension .${extension} of another format`,
          'Each extension belongs to one format.',
        );
      taken.add(extension);
    }
  }
}

function requireName(name: string): ProgramFormatId {
  if (isName(name)) return name;
  throw refusal(name, 'is not a format name', 'A name has small letters, digits, - and _.');
}

function isName(name: string): name is ProgramFormatId {
  return NAME.test(name);
}

function refusal(name: string, what: string, hint: string): DragomanError {
  return new DragomanError('usage', `the format ${JSON.stringify(name)} ${what}`, { hint });
}
