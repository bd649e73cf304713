import { Command } from 'commander';
import { example } from '../options.ts';
import { configOf } from '../registry-action.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .description('Run the server until SIGTERM or SIGINT. Environment variables configure it.')
    .addHelpText('after', example('DATABASE_URL=sqlite:./data/registry.db app-registry serve'))
    .action(async function action(this: Command) {
      const config = configOf(this);
      const { serve } = await import('../../serve.ts');
      return serve(config);
    });
}
