import { Command } from 'commander';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function whoamiCommand(): Command {
  return new Command('whoami')
    .description('Show who you are, as events record it, and your scopes.')
    .addHelpText('after', example('app-registry whoami --url https://ops.example.com'))
    .action(operationAction((run) => run('getCaller')));
}
