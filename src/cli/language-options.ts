import { Option, type Command } from 'commander';
import { DragomanError } from '../base/errors.ts';
import { requireLanguage } from '../languages/catalog.ts';

export interface LanguageOptions {
  readonly source: string;
  readonly target?: readonly string[];
  readonly from?: string;
  readonly to?: readonly string[];
}

const collect = (value: string, previous: readonly string[] = []): readonly string[] => [
  ...previous,
  ...value.split(',').map((code) => code.trim()),
];

/** `-s/--source` and `-t/--target`; `--from` and `--to` are hidden aliases. */
export function addLanguageOptions(command: Command): void {
  command
    .option('-s, --source <code>', 'language of the source, or auto', 'auto')
    .addOption(
      new Option(
        '-t, --target <codes>',
        'target languages: repeat it, or separate codes by commas',
      ).argParser(collect),
    )
    .addOption(new Option('--from <code>').hideHelp())
    .addOption(new Option('--to <codes>').argParser(collect).hideHelp());
}

/** `auto` or a canonical code. @throws DragomanError `unsupported_language`. */
export function sourceOf(options: LanguageOptions): string {
  const code = options.from ?? options.source;
  return code === 'auto' ? code : requireLanguage(code);
}

/** Canonical codes, each once, in the order given. @throws DragomanError `usage` when there is none, `unsupported_language`. */
export function targetsOf(options: LanguageOptions): readonly string[] {
  const codes = [...(options.target ?? []), ...(options.to ?? [])].filter((code) => code !== '');
  if (codes.length === 0) {
    throw new DragomanError('usage', 'no target language', {
      hint: 'Name one or more with -t, such as -t fr,es.',
    });
  }
  return [...new Set(codes.map(requireLanguage))];
}
