import { InvalidArgumentError, type Command, type Option } from 'commander';
import { DragomanError } from '../../base/errors.ts';

/**
 * Takes the values of options that are missing on the command line from variables, named by the prefix and the option
 * in capitals: `DRAGOMAN_SERVE_RATE_LIMIT` for `--rate-limit`. Empty variables are ignored. A flag accepts `true` or
 * `false`; a repeatable option accepts comma-separated values.
 *
 * @throws DragomanError `usage` for a value that the option rejects
 */
export function adoptEnvironment(command: Command, prefix: string, env: NodeJS.ProcessEnv): void {
  for (const option of command.options) {
    const name = variableOf(option, prefix);
    const text = name === undefined ? '' : (env[name] ?? '');
    const attribute = option.attributeName();
    if (name === undefined || text === '' || command.getOptionValueSource(attribute) === 'cli') continue;
    command.setOptionValueWithSource(attribute, readValue(option, text, name), 'env');
  }
}

/** The variable of an option; undefined for options that all commands share. */
export function variableOf({ long, hidden }: Option, prefix: string): string | undefined {
  if (long === undefined || long === null || hidden || COMMON.has(long)) return undefined;
  return prefix + long.slice(2).toUpperCase().replaceAll('-', '_');
}

const COMMON: ReadonlySet<string> = new Set(['--json', '--quiet', '--verbose', '--no-input']);

function readValue(option: Option, text: string, name: string): unknown {
  if (option.isBoolean()) {
    if (text === 'true' || text === 'false') return text === 'true';
    throw refusal(name, 'Expected true or false.');
  }
  const { parseArg } = option;
  if (!parseArg) return text;
  try {
    const values = text.split(',');
    const first = parseArg(values[0] ?? '', undefined);
    // Options that are not repeatable do not collect values.
    if (!Array.isArray(first)) return parseArg(text, undefined);
    return values.slice(1).reduce<unknown>((earlier, value) => parseArg(value, earlier), first);
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw refusal(name, error.message);
    throw error;
  }
}

function refusal(name: string, message: string): DragomanError {
  return new DragomanError('usage', `the variable ${name} is invalid: ${message}`);
}
