import { before, indent } from './bash-script.ts';
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
