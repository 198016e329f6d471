import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Formality } from '../../engines/engine.ts';
import { CONFIGURED_CHAIN, requireEngines } from '../../engines/registry.ts';
import type { Configuration } from '../../project/config/configuration.ts';
import { inGroup, markRare } from '../output/help.ts';
import type { SettingsFiles } from './setting.ts';

export interface LimitFlags {
  /** Seconds. */
  readonly timeout?: number;
  readonly concurrency?: number;
}

export interface EngineFlags extends LimitFlags {
  readonly engine?: string;
  readonly engineCommand?: string;
}

export function positiveNumber(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError('Expected a number above 0.');
  return value;
}

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('Expected a whole number above 0.');
}

/** 0 means any free port. */
export function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError('Expected a number from 0 to 65535.');
}

/** Checked when the option is read, because some commands need the engine late or never. */
function knownEngines(id: string): string {
  if (id !== CONFIGURED_CHAIN) requireEngines(id);
  return id;
}

/** Adds `--engine` and related options. */
export function addEngineOptions(command: Command): void {
  const engines =
    'engines to try in order, separated by commas; default: the first that supports the language pair';
  inGroup(command, 'Engine', () =>
    command
      .option('--engine <name>', engines, knownEngines)
      .option('--engine-command <command>', 'the program that the exec engine runs'),
  );
  markRare(command, '--engine-command');
  addLimitOptions(command);
}

export function addLimitOptions(command: Command): void {
  inGroup(command, 'Engine', () =>
    command
      .option('--timeout <seconds>', 'time limit of one batch or request', positiveNumber)
      .option('--concurrency <n>', 'batches or requests at the same time', wholeNumber),
  );
  markRare(command, '--timeout', '--concurrency');
}

export interface FormalityFlags {
  readonly formality?: Formality;
}

const CHOICES: readonly Formality[] = ['formal', 'informal'];

export function addFormalityOption(command: Command): void {
  const form = 'how readers are addressed, if the language and the engine support it';
  inGroup(command, 'Languages', () =>
    command.addOption(new Option('--formality <form>', form).choices(CHOICES)),
  );
  markRare(command, '--formality');
}

/**
 * The formality by target language, with `*` for all others. The flag applies to all languages and overrides the
 * configuration.
 */
export function formalityOf(
  flags: FormalityFlags,
  configuration: Pick<Configuration, 'formality'> | undefined,
): ReadonlyMap<string, Formality> | undefined {
  return flags.formality ? new Map([['*', flags.formality]]) : configuration?.formality;
}

/** The formality for the current directory, from the project's configuration, otherwise the user's. */
export async function findFormality(
  flags: FormalityFlags,
  files: SettingsFiles,
): Promise<ReadonlyMap<string, Formality> | undefined> {
  return formalityOf(flags, ((await files.project()) ?? (await files.user()))?.configuration);
}

const HOUR_MS = 3_600_000;

/** Commander's parser of a time such as `30d` or `12h`, in milliseconds. */
export function duration(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,4})([dh])$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * (unit === 'd' ? 24 : 1) * HOUR_MS;
  throw new InvalidArgumentError('Expected a number of days or hours, such as 30d or 12h.');
}
