import { Command } from 'commander';
import { eventListCommand } from './list.ts';

export function eventCommand(): Command {
  return new Command('event').description('The history of changes.').addCommand(eventListCommand());
}
