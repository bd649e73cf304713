import { Command } from 'commander';
import { serve } from '../serve.ts';
import { example } from './options.ts';
import { configOf } from './registry-action.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .description('Serve the two operations, until SIGTERM or SIGINT. Everything is configured by the environment.')
    .addHelpText('after', example('DATABASE_URL=sqlite:./data/registry.db app-registry serve'))
    .action(async function action(this: Command) {
      await serve(configOf(this));
    });
}
