import { DragomanError } from '../../base/errors.ts';
import type { CommandContext, CommandModule } from '../command.ts';
import { addExamples } from '../examples.ts';
import { OK } from '../exit-code.ts';

interface Words {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly string[];
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
  const words: Words[] = [];
  for (const entry of commands) {
    const command = program.createCommand(entry.name);
    (await entry.load()).configure(command);
    const declared = command.options.filter((option) => !option.hidden).map((option) => option.long ?? '');
    const common = program.options.map((option) => option.long ?? '');
    words.push({ name: entry.name, summary: entry.summary, options: [...declared, ...common, '--help'] });
  }
  return words;
}

function bash(commands: readonly Words[]): string {
  const cases = commands.map(({ name, options }) => `    ${name}) words="${options.join(' ')}" ;;`);
  return `# bash completion for dragoman; load it with: source <(dragoman completion bash)
_dragoman() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="" command="" word
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
       else mapfile -t COMPREPLY < <(compgen -f -- "$current"); fi ;;
  esac
}
complete -o filenames -F _dragoman dragoman
`;
}

function zsh(commands: readonly Words[]): string {
  const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const names = commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`);
  const cases = commands.map(({ name, options }) => `    ${name}) options=(${options.join(' ')}) ;;`);
  return `#compdef dragoman
# zsh completion for dragoman; load it with: source <(dragoman completion zsh)
_dragoman() {
  local -a commands options
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
  if [[ "$words[CURRENT]" == -* ]]; then compadd -- $options; else _files; fi
}
if [ "$funcstack[1]" = "_dragoman" ]; then _dragoman; else compdef _dragoman dragoman; fi
`;
}

function fish(commands: readonly Words[]): string {
  const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = commands.flatMap(({ name, summary, options }) => [
    `complete -c dragoman -n __fish_use_subcommand -f -a ${name} -d ${quote(summary)}`,
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
