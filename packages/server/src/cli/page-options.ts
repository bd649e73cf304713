import { type Command, InvalidArgumentError, Option } from 'commander';
import { pageLimits, sortsOf } from '../kernel/page.ts';
import { wholeNumber } from './options.ts';

/** Options of every list command, for the operation. */
export interface PageOptions {
  cursor?: string;
  limit?: number;
}

/** Options of every list command, for its output. */
export interface ListOptions extends PageOptions {
  all?: true;
  columns?: string[];
}

/** Adds them to a command, with the columns of its table: those of the fields that its items have, or by their paths. */
export function pageOptions(command: Command, columns?: readonly string[]): Command {
  return listOptions(
    command
      .option('--cursor <cursor>', 'nextCursor or prevCursor from an earlier page')
      .option(
        '--limit <number>',
        `the maximum number of items, up to ${pageLimits.max} (default: ${pageLimits.default})`,
        wholeNumber,
      )
      .addOption(new Option('--all', 'fetch every page, starting at --cursor').conflicts('limit')),
    columns,
  );
}

/** Adds the option for the columns of a table. */
export function listOptions(command: Command, columns?: readonly string[]): Command {
  const option = new Option(
    '--columns <names>',
    'the columns of the table, separated by commas: JSON field paths, such as listingInfo.backgroundColor',
  ).argParser(columnNames);
  return command.addOption(columns ? option.default([...columns], columns.join()) : option);
}

function columnNames(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.some((name) => name === ''))
    throw new InvalidArgumentError('It must be column names separated by commas, such as id,name.');
  return names;
}

/** Options of a list that says how many items it has. */
export interface TotalOptions extends PageOptions {
  withTotal?: boolean;
}

/** Adds them to a command. */
export function totalOptions(command: Command, columns: readonly string[]): Command {
  return pageOptions(command.option('--with-total', 'also show the total, estimated above 10,000'), columns);
}

/** Options of such a list that can be sorted. */
export interface SortOptions extends TotalOptions {
  sort?: string;
}

/** Adds them to a command. */
export function sortOptions(command: Command, names: readonly string[], columns: readonly string[]): Command {
  const order = new Option('--sort <order>', 'the sort order; a leading minus sign reverses it');
  return totalOptions(command.addOption(order.choices(sortsOf(names))), columns);
}
