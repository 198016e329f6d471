import { extname } from 'node:path';
import { type Command, Option } from 'commander';

/** Formats for exchanging translations between memories. */
export type MemoryFormat = (typeof FORMATS)[number];

export type ImportFormat = MemoryFormat | (typeof READ_ONLY)[number];

const FORMATS = ['tmx', 'po', 'csv'] as const;

/** Binary catalogues are read but not written, because programs do not load a memory. */
const READ_ONLY = ['mo'] as const;

export const IMPORT_FORMATS = [...FORMATS, ...READ_ONLY];

const BY_EXTENSION: ReadonlyMap<string, MemoryFormat> = new Map<string, MemoryFormat>([
  ['.tmx', 'tmx'],
  ['.po', 'po'],
  ['.csv', 'csv'],
  ['.tsv', 'csv'],
]);

export function addFormatOption(command: Command, formats: readonly string[] = FORMATS): void {
  const option = new Option('--format <format>', 'the format, if the extension does not name it');
  command.addOption(option.choices(formats));
}

export function addOriginOption(command: Command, description: string): void {
  command.addOption(new Option('--origin <who>', description).choices(['human', 'machine']));
}

export function importFormatOfName(path: string): ImportFormat | undefined {
  return extname(path).toLowerCase() === '.mo' ? 'mo' : formatOfName(path);
}

/** The format of a file, by its name; undefined for localization files and directories. */
export function formatOfName(path: string): MemoryFormat | undefined {
  return BY_EXTENSION.get(extname(path).toLowerCase());
}
