import { Command } from 'commander';
import { serve } from '../serve.ts';
import { example } from './options.ts';
import { configOf } from './registry-action.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .description('Serve the registry until SIGTERM or SIGINT. Environment variables configure it.')
    .addHelpText('after', example('DATABASE_URL=sqlite:./data/registry.db app-registry serve'))
    .action(async function action(this: Command) {
      await serve(configOf(this));
    });
}
