import { Command } from 'commander';
import { eventListCommand } from './list.ts';

export function eventCommand(): Command {
  return new Command('event').description('What was changed, and by whom.').addCommand(eventListCommand());
}
