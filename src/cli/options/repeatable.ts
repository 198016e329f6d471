import { InvalidArgumentError } from 'commander';

type Collect = (value: string, previous?: readonly string[]) => readonly string[];

/** Commander's parser of an option whose values are collected. */
export const repeatable: Collect = (value, previous = []) => [...previous, value];

/** Commander's parser of a repeatable option that only accepts these values. */
export function repeatableOf(choices: readonly string[]): Collect {
  return (value, previous) => {
    if (choices.includes(value)) return repeatable(value, previous);
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
  };
}
