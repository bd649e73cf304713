import { type Command, Option } from 'commander';
import { pageLimits, sortsOf } from '../contract/page.ts';
import { wholeNumber } from './options.ts';

/** Options of every list command. */
export interface PageOptions {
  cursor?: string;
  limit?: number;
}

/** Adds them to a command. */
export function pageOptions(command: Command): Command {
  return command
    .option('--cursor <cursor>', 'the nextCursor or prevCursor of the previous page')
    .option(
      '--limit <number>',
      `the maximum number of items, up to ${pageLimits.max} (default: ${pageLimits.default})`,
      wholeNumber,
    );
}

/** Options of a list that says how many items it has. */
export interface TotalOptions extends PageOptions {
  withTotal?: boolean;
}

/** Adds them to a command. */
export function totalOptions(command: Command): Command {
  return pageOptions(command.option('--with-total', 'also say how many there are, estimated above 10,000'));
}

/** Options of such a list that can be sorted. */
export interface SortOptions extends TotalOptions {
  sort?: string;
}

/** Adds them to a command. */
export function sortOptions(command: Command, names: readonly string[]): Command {
  const order = new Option('--sort <order>', 'what orders the list; with a minus sign, from last to first');
  return totalOptions(command.addOption(order.choices(sortsOf(names))));
}
