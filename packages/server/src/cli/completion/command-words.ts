import type { Command, Option } from 'commander';

/** What may follow a command. */
export interface CommandWords {
  /** The words that lead to it, such as `app create`; empty for the program. */
  path: string;
  /** Commands below it, choices of its argument, and its options. */
  words: string[];
  /** Its options that take a value, with what the value may be if that is known. */
  values: { flags: string[]; choices: string[] }[];
  takesFile: boolean;
}

/** Everything that a shell can complete, command by command. */
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

/** With those that every command takes from the program, as its help shows them. */
function optionsOf(command: Command): Option[] {
  const help = command.createHelp();
  const own = help.visibleOptions(command);
  const inherited = command.parent ? help.visibleGlobalOptions(command).filter(({ long }) => long !== '--version') : [];
  return [...own, ...inherited.filter((option) => !own.some(({ long }) => long === option.long))];
}

function flagsOf({ short, long }: Option): string[] {
  return [long, short].filter((flag) => flag !== undefined && flag !== null);
}
