import { Command, Option } from 'commander';
import { processNumber } from '../../processes/process-number.ts';
import { example } from '../options.ts';
import { configOf } from '../registry-action.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .description('Run the server until SIGTERM or SIGINT. Environment variables configure it.')
    .addOption(
      new Option(
        '--processes <count>',
        'the number of server processes, or "auto" for one per processor (default: PROCESSES, or 1)',
      ),
    )
    .addHelpText('after', example('DATABASE_URL=sqlite:./data/registry.db app-registry serve'))
    .action(async function action(this: Command) {
      const { processes } = this.opts<{ processes?: string }>();
      const config = configOf(this, processes === undefined ? {} : { PROCESSES: processes });
      if (config.processes > 1 && processNumber() === null) {
        // Without all that only a process that serves needs.
        const { supervise } = await import('../../processes/supervisor.ts');
        return supervise(config);
      }
      const { serve } = await import('../../serve.ts');
      return serve(config);
    });
}
