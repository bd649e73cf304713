import { Command } from 'commander';
import { appCreateCommand } from './create.ts';
import { reviewCommands } from './review.ts';
import { appShowCommand } from './show.ts';

export function appCommand(): Command {
  const app = new Command('app').description('Apps and their review.');
  for (const command of [appCreateCommand(), appShowCommand(), ...reviewCommands()]) app.addCommand(command);
  return app;
}
