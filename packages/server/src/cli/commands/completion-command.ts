import { Argument, Command, type Option } from 'commander';
import { example } from '../command-options.ts';

const scripts = {
  bash: bashScript,
  // Through the bash compatibility layer of zsh.
  zsh: (words: Parameters<typeof bashScript>[0]) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(words)}`,
  fish: fishScript,
};
type Shell = keyof typeof scripts;

/** The completion scripts are built from the complete program, which `loadProgram` builds with all commands. */
export function completionCommand(loadProgram: () => Promise<Command>): Command {
  return new Command('completion')
    .description('Print a script that lets a shell complete commands and options.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      example(
        'eval "$(app-registry completion bash)"    # in ~/.bashrc',
        'eval "$(app-registry completion zsh)"     # in ~/.zshrc, after compinit',
        'app-registry completion fish | source     # in ~/.config/fish/config.fish',
      ),
    )
    .action(async function action(this: Command, shell: Shell) {
      const script = scripts[shell](wordsOf(await loadProgram()));
      const { json } = this.optsWithGlobals();
      this.configureOutput().writeOut?.(json ? `${JSON.stringify({ shell, script })}\n` : script);
    });
}

/** The words that may follow a command. */
export interface CommandWords {
  /** Such as `app create`; empty for the program itself. */
  path: string;
  /** Its subcommands, the choices of its argument, and its options. */
  words: string[];
  /** Its options that take a value, with the choices if they are fixed. */
  values: { flags: string[]; choices: string[] }[];
  takesFile: boolean;
}

/** Everything that a shell can complete, for each command. */
function wordsOf(command: Command, path = ''): CommandWords[] {
  const options = optionsOf(command);
  const commands = command.commands.map((child) => child.name());
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  return [
    {
      path,
      words: [...commands, ...choices, ...options.flatMap(flagsOf)],
      values: options
        .filter((option) => option.required || option.optional)
        .map((option) => ({ flags: flagsOf(option), choices: [...(option.argChoices ?? [])] })),
      takesFile: command.registeredArguments.some((argument) => argument.name() === 'file'),
    },
    ...command.commands.flatMap((child) => wordsOf(child, `${path} ${child.name()}`.trim())),
  ];
}

/** Includes the global options, as the help does. */
function optionsOf(command: Command): Option[] {
  const help = command.createHelp();
  const own = help.visibleOptions(command);
  const inherited = command.parent ? help.visibleGlobalOptions(command).filter(({ long }) => long !== '--version') : [];
  return [...own, ...inherited.filter((option) => !own.some(({ long }) => long === option.long))];
}

function flagsOf({ short, long }: Option): string[] {
  return [long, short].filter((flag) => flag !== undefined && flag !== null);
}

/** A completion script for bash 3.2 and newer. It contains only words of the program, which need no quoting. */
export function bashScript(commands: CommandWords[]): string {
  return `# Completion of app-registry.
_app_registry() {
  local word path='' words='' takes_file=''
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[$((COMP_CWORD - 1))]}"
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "$path $word" in
${indent(commands.filter(({ path }) => path !== '').map(({ path }) => `' ${path}') path="$path $word" ;;`))}
    esac
  done
  case "$path $previous" in
${indent(commands.flatMap(valueCases))}
    *)
      case "$path" in
${indent(commands.map(commandCase), 8)}
      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ -n $takes_file && $current != -* ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
  fi
}
complete -F _app_registry app-registry
`;
}

/** After an option, only its values are offered. */
function valueCases({ path, values }: CommandWords): string[] {
  return values.map(({ flags, choices }) => {
    const patterns = flags.map((flag) => `'${`${before(path)} ${flag}`}'`);
    return `${patterns.join(' | ')}) words='${choices.join(' ')}' ;;`;
  });
}

function commandCase({ path, words, takesFile }: CommandWords): string {
  return `'${before(path)}') words='${words.join(' ')}'${takesFile ? ' takes_file=1' : ''} ;;`;
}

export function before(path: string): string {
  return path === '' ? '' : ` ${path}`;
}

export function indent(lines: string[], width = 4): string {
  return lines.map((line) => `${' '.repeat(width)}${line}`).join('\n');
}

/** A completion script for fish 3 and newer. It contains only words of the program, which need no quoting. */
export function fishScript(commands: CommandWords[]): string {
  return `# Completion of app-registry.
function __app_registry
    set -l path ''
    set -l previous ''
    for word in (commandline -opc)[2..-1]
        set previous $word
        switch "$path $word"
${indent([`case ${quoted(commands.filter(({ path }) => path !== '').map(({ path }) => before(path)))}`, '    set path "$path $word"'], 12)}
        end
    end
    switch "$path $previous"
${indent(commands.flatMap(fishValueCases), 8)}
    end
    switch "$path"
${indent(commands.flatMap(fishCommandCase), 8)}
    end
end
complete -c app-registry -f -a '(__app_registry)'
`;
}

/** After an option, only its values are offered. */
function fishValueCases({ path, values }: CommandWords): string[] {
  return values.flatMap(({ flags, choices }) => [
    `case ${quoted(flags.map((flag) => `${before(path)} ${flag}`))}`,
    ...choices.map((choice) => `    echo ${choice}`),
    '    return',
  ]);
}

function fishCommandCase({ path, words, takesFile }: CommandWords): string[] {
  return [
    `case '${before(path)}'`,
    `    string join \\n -- ${words.join(' ')}`,
    ...(takesFile ? ['    __fish_complete_path (commandline -ct)'] : []),
  ];
}

function quoted(texts: string[]): string {
  return texts.map((text) => `'${text}'`).join(' ');
}
