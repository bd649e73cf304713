import type { Command } from 'commander';
import { pageLimits } from '../contract/page.ts';
import { wholeNumber } from './options.ts';

/** The options that every list takes. */
export interface PageOptions {
  cursor?: string;
  limit?: number;
}

/** Adds them to a command. */
export function pageOptions(command: Command): Command {
  return command
    .option('--cursor <cursor>', 'where to go on: the nextCursor or prevCursor of the answer before')
    .option(
      '--limit <number>',
      `how many at most, up to ${pageLimits.max} (default: ${pageLimits.default})`,
      wholeNumber,
    );
}
