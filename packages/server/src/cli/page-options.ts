import type { Command } from 'commander';
import { pageLimits } from '../contract/page.ts';
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
