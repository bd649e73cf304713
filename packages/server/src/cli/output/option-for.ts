import type { Command } from 'commander';

/**
 * The option of a command that gives the value at a JSON Pointer, such as `--developer` for `/developerId`: an option is
 * named after the field, without `Id` and in the singular. Without such an option, the pointer.
 */
export function optionFor(command: Command, pointer: string): string {
  const names = pointer
    .split('/')
    .slice(1)
    .filter((name) => !/^\d+$/.test(name));
  const flags = names
    .toReversed()
    .flatMap(namesOf)
    .map((name) => `--${name}`);
  const flag = flags.find((one) => command.options.some(({ long, hidden }) => long === one && !hidden));
  return flag ?? pointer;
}

function namesOf(field: string): string[] {
  const words = field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return [words, words.replace(/-ids?$/, ''), words.replace(/s$/, '')];
}
