import type { CommandWords } from './command-words.ts';

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
