import { InvalidArgumentError, Option } from 'commander';

/**
 * An option whose values are collected.
 *
 * @param choices the accepted values; default: all
 */
export function repeatable(flags: string, description: string, choices?: readonly string[]): Option {
  return new Option(flags, description).argParser((value: string, previous?: readonly string[]) => {
    if (choices?.includes(value) === false)
      throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
    return [...(previous ?? []), value];
  });
}
