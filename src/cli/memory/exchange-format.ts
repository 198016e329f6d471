import { extname } from 'node:path';
import { Option, type Command } from 'commander';

/** In what translations go from one memory to another. */
export type ExchangeFormat = (typeof FORMATS)[number];

const FORMATS = ['tmx', 'po', 'csv'] as const;

const BY_EXTENSION: ReadonlyMap<string, ExchangeFormat> = new Map<string, ExchangeFormat>([
  ['.tmx', 'tmx'],
  ['.po', 'po'],
  ['.csv', 'csv'],
  ['.tsv', 'csv'],
]);

export function addFormatOption(command: Command): void {
  const option = new Option('--format <format>', 'the format, if the extension does not name it');
  command.addOption(option.choices(FORMATS));
}

export function addOriginOption(command: Command, description: string): void {
  command.addOption(new Option('--origin <who>', description).choices(['human', 'machine']));
}

/** The format of a file by its name; undefined for names of localization files and directories. */
export function formatOfName(path: string): ExchangeFormat | undefined {
  return BY_EXTENSION.get(extname(path).toLowerCase());
}
