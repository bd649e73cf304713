import type { CommandWords } from './command-words.ts';

/** A completion script for fish 3 and newer. It contains only words of the program, which need no quoting. */
export function fishScript(commands: CommandWords[]): string {
  return `# Completion of app-registry.
function __app_registry
    set -l path ''
    set -l previous ''
    for word in (commandline -opc)[2..-1]
        set previous $word
        switch "$path $word"
${indent([`case ${quoted(commands.filter(({ path }) => path !== '').map(before))}`, '    set path "$path $word"'])}
        end
    end
    switch "$path $previous"
${indent(commands.flatMap(valueCases), 8)}
    end
    switch "$path"
${indent(commands.flatMap(commandCase), 8)}
    end
end
complete -c app-registry -f -a '(__app_registry)'
`;
}

/** After an option, only its values are offered. */
function valueCases({ path, values }: CommandWords): string[] {
  return values.flatMap(({ flags, choices }) => [
    `case ${quoted(flags.map((flag) => `${before({ path })} ${flag}`))}`,
    ...choices.map((choice) => `    echo ${choice}`),
    '    return',
  ]);
}

function commandCase({ path, words, takesFile }: CommandWords): string[] {
  return [
    `case '${before({ path })}'`,
    `    string join \\n -- ${words.join(' ')}`,
    ...(takesFile ? ['    __fish_complete_path (commandline -ct)'] : []),
  ];
}

function before({ path }: { path: string }): string {
  return path === '' ? '' : ` ${path}`;
}

function quoted(texts: string[]): string {
  return texts.map((text) => `'${text}'`).join(' ');
}

function indent(lines: string[], width = 12): string {
  return lines.map((line) => `${' '.repeat(width)}${line}`).join('\n');
}
