import type { Command, Option } from 'commander';

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
export function commandWords(root: Command): CommandWords[] {
  return wordsBelow(root, '');
}

function wordsBelow(command: Command, path: string): CommandWords[] {
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
    ...command.commands.flatMap((child) => wordsBelow(child, `${path} ${child.name()}`.trim())),
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
