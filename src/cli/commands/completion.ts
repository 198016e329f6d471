import { DragomanError } from '../../base/errors.ts';
import {
  addExamples,
  type CommandContext,
  type CommandEntry,
  type CommandModule,
  isGroup,
} from '../command.ts';
import { OK } from '../exit-code.ts';

interface Words {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly string[];
  /** Names of its own subcommands. */
  readonly subcommands: readonly string[];
}

const SHELLS: Readonly<Record<string, (commands: readonly Words[]) => string>> = { bash, zsh, fish };

export const completion: CommandModule<object> = {
  configure(command) {
    command.argument('<shell>', `one of ${Object.keys(SHELLS).join(', ')}`);
    addExamples(command, [
      ['source <(dragoman completion bash)', 'in ~/.bashrc'],
      ['dragoman completion fish | source', 'in ~/.config/fish/config.fish'],
    ]);
  },

  async run([shell = ''], _options, context) {
    const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
    if (!script) {
      throw new DragomanError('usage', `no completion for ${shell}`, {
        hint: `There is one for ${Object.keys(SHELLS).join(', ')}.`,
      });
    }
    context.output.result(script(await describeCommands(context)).trimEnd());
    return OK;
  },
};

async function describeCommands({ program, commands }: CommandContext): Promise<readonly Words[]> {
  const common = [...program.options.map((option) => option.long ?? ''), '--help'];
  const describe = async (entry: CommandEntry): Promise<Words> => {
    const { name, summary } = entry;
    const module = await entry.load();
    if (isGroup(module)) {
      const below = await Promise.all(module.commands.map(describe));
      const options = [...new Set([...below.flatMap((words) => words.options), ...common])];
      return { name, summary, options, subcommands: below.map((words) => words.name) };
    }
    const command = program.createCommand(name);
    module.configure(command);
    const declared = command.options.filter((option) => !option.hidden).map((option) => option.long ?? '');
    return { name, summary, options: [...declared, ...common], subcommands: [] };
  };
  return Promise.all(commands.map(describe));
}

function bash(commands: readonly Words[]): string {
  const cases = commands.map(({ name, options, subcommands }) => {
    const names = subcommands.length > 0 ? ` subcommands="${subcommands.join(' ')}"` : '';
    return `    ${name}) words="${options.join(' ')}"${names} ;;`;
  });
  return `# bash completion for dragoman; load it with: source <(dragoman completion bash)
_dragoman() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="" subcommands="" command="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) command="$word"; break ;; esac
  done
  case "$command" in
    "") words="${commands.map(({ name }) => name).join(' ')} --help --version" ;;
${cases.join('\n')}
  esac
  case "$current" in
    -*) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
    *) if [ -z "$command" ]; then mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
       elif [ -n "$subcommands" ] && [ "\${COMP_WORDS[COMP_CWORD-1]}" = "$command" ]; then
         mapfile -t COMPREPLY < <(compgen -W "$subcommands" -- "$current")
       else mapfile -t COMPREPLY < <(compgen -f -- "$current"); fi ;;
  esac
}
complete -o filenames -F _dragoman dragoman
`;
}

function zsh(commands: readonly Words[]): string {
  const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const names = commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`);
  const cases = commands.map(
    ({ name, options, subcommands }) =>
      `    ${name}) options=(${options.join(' ')}) subcommands=(${subcommands.join(' ')}) ;;`,
  );
  return `#compdef dragoman
# zsh completion for dragoman; load it with: source <(dragoman completion zsh)
_dragoman() {
  local -a commands options subcommands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  case "$words[2]" in
${cases.join('\n')}
  esac
  if [[ "$words[CURRENT]" == -* ]]; then compadd -- $options
  elif (( CURRENT == 3 && $#subcommands )); then compadd -- $subcommands
  else _files; fi
}
if [ "$funcstack[1]" = "_dragoman" ]; then _dragoman; else compdef _dragoman dragoman; fi
`;
}

function fish(commands: readonly Words[]): string {
  const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = commands.flatMap(({ name, summary, options, subcommands }) => [
    `complete -c dragoman -n __fish_use_subcommand -f -a ${name} -d ${quote(summary)}`,
    ...(subcommands.length === 0
      ? []
      : [
          `complete -c dragoman -n '__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${subcommands.join(' ')}' -f -a '${subcommands.join(' ')}'`,
        ]),
    ...options.map(
      (option) => `complete -c dragoman -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`,
    ),
  ]);
  return [
    '# fish completion for dragoman; load it with: dragoman completion fish | source',
    ...lines,
    '',
  ].join('\n');
}
