import { Option, type Command } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import { engineIds } from '../../engines/registry.ts';
import { supportedLanguages } from '../../languages/catalog.ts';
import { type CommandContext, type CommandEntry, type CommandModule, isGroup } from '../output/command.ts';
import { OK } from '../output/exit-code.ts';
import { withJobs } from '../documents/jobs/operations.ts';
import { SettingsFiles } from '../options/setting.ts';
import { oneLine } from '../terminal/terminal.ts';
import { addTo } from '../../base/map-of-lists.ts';

/** The kinds of values that a shell requests while the user types a command line. */
const KINDS = ['languages', 'engines', 'profiles', 'jobs'] as const;

type LiveKind = (typeof KINDS)[number];

/** The candidates at one position: fixed words, values that the program lists, or file names. */
interface PlaceValues {
  readonly words?: readonly string[] | undefined;
  readonly kind?: LiveKind | undefined;
}

interface CompletedOption extends PlaceValues {
  readonly long: string;
  readonly short: string | undefined;
  readonly description: string;
  readonly takesValue: boolean;
}

/** A command's data for completion. */
interface CompletedCommand {
  /** The name including the group: `jobs create`; empty for the program. */
  readonly path: string;
  readonly options: readonly CompletedOption[];
  readonly argument: PlaceValues;
  readonly subcommands: readonly { readonly name: string; readonly summary: string }[];
}

const SHELLS: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = {
  bash,
  zsh,
  fish,
};

interface CompletionFlags {
  readonly values?: LiveKind;
}

export const completion: CommandModule<CompletionFlags> = {
  examples: [
    ['source <(dragoman completion bash)', 'in ~/.bashrc'],
    ['dragoman completion fish | source', 'in ~/.config/fish/config.fish'],
  ],
  configure(command) {
    command
      .argument('[shell]', `one of ${Object.keys(SHELLS).join(', ')}`)
      // The completion scripts call the program with this option.
      .addOption(new Option('--values <kind>').choices(KINDS).hideHelp());
  },

  async run([shell], { values }, context) {
    if (values !== undefined) {
      for (const [word, description] of await listValues(values, context))
        context.output.result(`${word}\t${description}`);
      return OK;
    }
    const script = shell !== undefined && Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
    if (!script) {
      const message = shell === undefined ? 'no shell given' : `no completion for ${shell}`;
      throw new DragomanError('usage', message, {
        hint: `Supported shells: ${Object.keys(SHELLS).join(', ')}.`,
      });
    }
    context.output.result(script(await describeProgram(context)).trimEnd());
    return OK;
  },
};

/** In seconds. Short, because the user is waiting for the completion. */
const PATIENCE = 3;

/** Words with descriptions. On failure there are no candidates, because completion cannot show an error. */
async function listValues(
  kind: LiveKind,
  context: CommandContext,
): Promise<readonly (readonly [word: string, description: string])[]> {
  const { terminal } = context;
  if (kind === 'languages') return supportedLanguages().map(({ code, name }) => [code, name]);
  if (kind === 'engines') return engineIds.map((id) => [id, 'engine']);
  try {
    if (kind === 'profiles') return await listProfiles(new SettingsFiles(terminal));
    const jobs = await withJobs({ timeout: PATIENCE }, context, (service) =>
      service.listJobs({ signal: AbortSignal.any([terminal.signal, AbortSignal.timeout(PATIENCE * 1000)]) }),
    );
    return jobs.map(({ id, status, original_filename }) => [id, oneLine(`${status} ${original_filename}`)]);
  } catch (error) {
    if (error instanceof DragomanError) return [];
    throw error;
  }
}

async function listProfiles(files: SettingsFiles): Promise<readonly (readonly [string, string])[]> {
  const found = new Map<string, string>();
  for (const loaded of [await files.project(), await files.user()]) {
    for (const [name, { baseUrl = '' }] of Object.entries(loaded?.configuration.profiles ?? {}))
      found.set(oneLine(name), oneLine(baseUrl));
  }
  for (const { profile, baseUrl } of (await files.credentials()).entries)
    if (profile !== undefined) found.set(oneLine(profile), oneLine(baseUrl));
  return [...found];
}

/** The program, and every command and subcommand. */
async function describeProgram({
  program,
  commands,
}: Pick<CommandContext, 'program' | 'commands'>): Promise<readonly CompletedCommand[]> {
  const common = program.options.filter(({ long }) => long !== '--version');
  const help = program.createOption('-h, --help', 'print help');
  const describe = async (
    entries: readonly CommandEntry[],
    path: string,
    own: readonly Option[],
  ): Promise<readonly CompletedCommand[]> => {
    const below = await Promise.all(
      entries.map(async (entry) => {
        const { name } = entry;
        const module = await entry.load();
        const inside = path === '' ? name : `${path} ${name}`;
        if (isGroup(module)) return describe(module.commands, inside, []);
        const command = program.createCommand(name);
        module.configure?.(command);
        return [describeCommand(inside, command, [...common, help])];
      }),
    );
    const subcommands = entries.map(({ name, summary }) => ({ name, summary }));
    const options = [...own, ...common, help].map(describeOption);
    return [{ path, options, argument: {}, subcommands }, ...below.flat()];
  };
  return describe(
    commands,
    '',
    program.options.filter((option) => !common.includes(option)),
  );
}

function describeCommand(path: string, command: Command, common: readonly Option[]): CompletedCommand {
  const options = [...command.options.filter(({ hidden }) => !hidden), ...common].map(describeOption);
  const [argument] = command.registeredArguments;
  return {
    path,
    options,
    argument: argument ? valuesOf(argument.name(), argument.argChoices, path) : {},
    subcommands: [],
  };
}

function describeOption(option: Option): CompletedOption {
  const { long = '', short, description, argChoices, flags, required, optional } = option;
  const name = /[<[]([^\]>]*)/.exec(flags)?.[1] ?? '';
  return { long, short, description, takesValue: required || optional, ...valuesOf(name, argChoices, long) };
}

/** The candidates for a placeholder in the help, such as `<codes>`. */
function valuesOf(name: string, choices: readonly string[] | undefined, of: string): PlaceValues {
  if (choices) return { words: choices };
  if (/^codes?$/.test(name)) return { kind: 'languages' };
  if (of === '--engine') return { kind: 'engines' };
  if (of === '--profile') return { kind: 'profiles' };
  if (of.startsWith('jobs ') && name === 'id') return { kind: 'jobs' };
  return of === 'completion' ? { words: Object.keys(SHELLS) } : {};
}

/** The position of an option's value or of an argument, with its candidates: `sync:-t` and `jobs watch`. */
function valuePlaces(
  commands: readonly CompletedCommand[],
): readonly (readonly [place: string, values: PlaceValues])[] {
  return commands.flatMap(({ path, options, argument }) => [
    ...options.flatMap((option) =>
      [option.long, option.short].flatMap((flag) =>
        flag === undefined || !option.takesValue ? [] : [[`${path}:${flag}`, option] as const],
      ),
    ),
    [path, argument] as const,
  ]);
}

/** How a shell writes a text, and a list of words as a value. */
interface ShellStyle {
  readonly quote: (text: string) => string;
  readonly list: (words: string) => string;
}

/** Lines of a `case` by position, which set its candidates. Positions with the same candidates share a line. */
function valueCases(commands: readonly CompletedCommand[], { quote, list }: ShellStyle): string {
  const patterns = new Map<string, string[]>();
  for (const [place, { words, kind }] of valuePlaces(commands)) {
    if (words) addTo(patterns, `values=${list(words.join(' '))}`, quote(place));
    else if (kind) addTo(patterns, `kind=${kind}`, quote(place));
  }
  return [...patterns].map(([right, places]) => `    ${places.join('|')}) ${right} ;;`).join('\n');
}

/** The pattern of a `case` for a group of commands, whose next word is a subcommand. */
function groupPattern(commands: readonly CompletedCommand[]): string {
  const groups = commands.filter(({ path, subcommands }) => path !== '' && subcommands.length > 0);
  return groups.map(({ path }) => `${path}:*`).join('|');
}

const flagsOf = ({ options }: CompletedCommand): readonly string[] =>
  options.flatMap(({ long, short }) => (short === undefined ? [long] : [short, long]));

/** Uses only features of bash 3.2, which is the version on macOS. */
function bash(commands: readonly CompletedCommand[]): string {
  const cases = commands.map((command) => {
    const names = command.subcommands.map(({ name }) => name).join(' ');
    return `    "${command.path}") names="${names}" options="${flagsOf(command).join(' ')}" ;;`;
  });
  const quote = (text: string): string => `"${text}"`;
  return `# bash completion for dragoman; load it with: source <(dragoman completion bash)
_dragoman() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local path="" names="" options="" values="" kind="" prefix="" word place
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path:$word" in
      *:-*) ;;
      :*) path="$word" ;;
      ${groupPattern(commands)}) path="$path $word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  place="$path"
  case "$previous" in -*) place="$path:$previous" ;; esac
  case "$place" in
${valueCases(commands, { quote, list: quote })}
  esac
  if [ -n "$kind" ]; then values="$("\${COMP_WORDS[0]}" completion --values $kind 2>/dev/null | cut -f 1)"; fi
  case "$current" in
    -*) values="$options" ;;
    *,*) prefix="\${current%,*}," current="\${current##*,}" ;;
  esac
  if [ -z "$values" ]; then values="$names"; fi
  local IFS=$' \\t\\n'
  if [ -n "$values" ]; then COMPREPLY=( $(compgen -P "$prefix" -W "$values" -- "$current") )
  else IFS=$'\\n'; COMPREPLY=( $(compgen -f -- "$prefix$current") ); fi
}
complete -o filenames -F _dragoman dragoman
`;
}

function zsh(commands: readonly CompletedCommand[]): string {
  const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const described = (word: string, text: string): string => quote(`${word.replaceAll(':', '\\:')}:${text}`);
  const cases = commands.map(({ path, options, subcommands }) => {
    const names = subcommands.map(({ name, summary }) => described(name, summary));
    const flags = options.flatMap(({ long, short, description }) =>
      (short === undefined ? [long] : [short, long]).map((flag) => described(flag, description)),
    );
    return `    ${quote(path)})\n      names=(${names.join(' ')})\n      options=(${flags.join(' ')}) ;;`;
  });
  return `#compdef dragoman
# zsh completion for dragoman; load it with: source <(dragoman completion zsh)
_dragoman() {
  local -a names options values
  local path_='' kind='' word place
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$path_:$word" in
      *:-*) ;;
      :*) path_="$word" ;;
      ${groupPattern(commands)}) path_="$path_ $word" ;;
    esac
  done
  case "$path_" in
${cases.join('\n')}
  esac
  place="$path_"
  [[ "$words[CURRENT-1]" == -* ]] && place="$path_:$words[CURRENT-1]"
  case "$place" in
${valueCases(commands, { quote, list: (words) => `(${words})` })}
  esac
  if [[ -n "$kind" ]]; then values=("\${(@f)$("$words[1]" completion --values $kind 2>/dev/null)}"); values=("\${(@)values/$'\\t'/:}"); fi
  if [[ "$words[CURRENT]" == -* ]]; then _describe -o 'option' options
  elif (( $#values )); then compset -P '*,'; _describe 'value' values
  elif (( $#names )); then _describe 'command' names
  else _files; fi
}
if [ "$funcstack[1]" = "_dragoman" ]; then _dragoman; else compdef _dragoman dragoman; fi
`;
}

function fish(commands: readonly CompletedCommand[]): string {
  const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const seen = (path: string): string =>
    path === ''
      ? '__fish_use_subcommand'
      : path
          .split(' ')
          .map((word) => `__fish_seen_subcommand_from ${word}`)
          .join('; and ');
  const wordsFor = ({ words, kind }: PlaceValues): string | undefined =>
    words ? words.join(' ') : kind && `(dragoman completion --values ${kind})`;
  const lines = commands.flatMap(({ path, options, argument, subcommands }) => {
    const names = subcommands.map(({ name }) => name).join(' ');
    const unnamed = path === '' ? seen(path) : `${seen(path)}; and not __fish_seen_subcommand_from ${names}`;
    const own = wordsFor(argument);
    return [
      ...subcommands.map(
        ({ name, summary }) => `complete -c dragoman -n ${quote(unnamed)} -f -a ${name} -d ${quote(summary)}`,
      ),
      ...(own === undefined ? [] : [`complete -c dragoman -n ${quote(seen(path))} -f -a ${quote(own)}`]),
      ...options.map((option) => {
        const { long, short, description, takesValue } = option;
        const values = wordsFor(option);
        const flags = `${short === undefined ? '' : ` -s ${short.slice(1)}`} -l ${long.slice(2)}`;
        const value = values === undefined ? (takesValue ? ' -r' : '') : ` -x -a ${quote(values)}`;
        return `complete -c dragoman -n ${quote(seen(path))}${flags} -d ${quote(description)}${value}`;
      }),
    ];
  });
  return [
    '# fish completion for dragoman; load it with: dragoman completion fish | source',
    ...lines,
    '',
  ].join('\n');
}
