import { DragomanError } from '../base/errors.ts';
import { BUILT_IN_FORMATS, Formats, type ProgramFormat, type ProgramFormatId } from '../formats/registry.ts';
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
 * Runs `work` with the built-in formats and these, and ends their programs afterwards. A program starts when it reads its
 * first file.
 *
 * @param timeoutMs maximum wait for an answer
 * @throws DragomanError `usage` for invalid names and extensions
 */
export async function withFormatPrograms<T>(
  programs: readonly FormatProgram[],
  work: (formats: Formats) => Promise<T>,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  requireFree(programs);
  const started: BlockingProgram[] = [];
  const formats = programs.map(({ name, command, extensions }): ProgramFormat => {
    const program = new BlockingProgram({ name: `the program of the format ${name}`, command, timeoutMs });
    started.push(program);
    return {
      id: requireName(name),
      title: name,
      extensions,
      mediaType: 'text/plain',
      localeStyle: 'bcp47',
      isProgram: true,
      load: () => Promise.resolve(createProgramFormat(program)),
    };
  });
  try {
    return await work(new Formats(formats));
  } finally {
    for (const program of started) program.close();
  }
}

function requireFree(programs: readonly FormatProgram[]): void {
  const names = new Set<string>(BUILT_IN_FORMATS.all.map(({ id }) => id));
  const taken = new Set(BUILT_IN_FORMATS.extensions);
  for (const { name, command, extensions } of programs) {
    requireName(name);
    if (names.has(name)) throw refusal(name, 'already exists', 'Choose another name.');
    names.add(name);
    if (command.trim() === '' || command.includes('\0') || command.length > LONGEST_COMMAND)
      throw refusal(name, 'has no command line', 'Write NAME=COMMAND, such as lang=python3 lang.py.');
    for (const extension of extensions) {
      if (!EXTENSION.test(extension))
        throw refusal(
          name,
          `has ${JSON.stringify(extension)} as an extension`,
          'Write it in lower case, without the dot.',
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
  throw refusal(name, 'has an invalid name', 'Use lower-case letters, digits, - and _.');
}

function isName(name: string): name is ProgramFormatId {
  return NAME.test(name);
}

function refusal(name: string, what: string, hint: string): DragomanError {
  return new DragomanError('usage', `the format ${JSON.stringify(name)} ${what}`, { hint });
}
