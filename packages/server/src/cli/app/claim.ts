import { Command } from 'commander';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function appClaimCommand(): Command {
  return new Command('claim')
    .description(
      'Claim an app for 15 minutes, or renew your claim, so that other reviewers see it. A claim does not block decisions.',
    )
    .argument('<id>', 'the app id')
    .option('--take-over', 'take over the claim of another reviewer')
    .addHelpText('after', example('app-registry app claim app_01jq3v9y6ae0xv5m6b7k8c9d0e'))
    .action(
      operationAction<{ takeOver?: true }>((run, { args: [id = ''], options: { takeOver } }) =>
        run('claimApp', { params: { id }, body: { takeOver } }),
      ),
    );
}

export function appReleaseCommand(): Command {
  return new Command('release')
    .description('End your claim of an app.')
    .argument('<id>', 'the app id')
    .addHelpText('after', example('app-registry app release app_01jq3v9y6ae0xv5m6b7k8c9d0e'))
    .action(operationAction((run, { args: [id = ''] }) => run('releaseApp', { params: { id } })));
}
