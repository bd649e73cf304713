import { Command } from 'commander';
import { eventArchiveCommand } from './archive.ts';
import { eventListCommand } from './list.ts';
import { eventReadFeedCommand } from './read-feed.ts';
import { eventRestoreCommand } from './restore.ts';

export function eventCommand(): Command {
  return new Command('event')
    .description('Read and archive the history of changes.')
    .addCommand(eventListCommand())
    .addCommand(eventReadFeedCommand())
    .addCommand(eventArchiveCommand())
    .addCommand(eventRestoreCommand());
}
