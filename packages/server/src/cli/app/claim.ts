import { Command } from 'commander';
import { claimApp } from '../../registry/review/claims/claim-app.ts';
import { releaseApp } from '../../registry/review/claims/release-app.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

export function appClaimCommand(): Command {
  return new Command('claim')
    .description(
      'Show the other reviewers for 15 minutes that you are reviewing an app, or renew that. It keeps no one from a decision.',
    )
    .argument('<id>', 'the app id')
    .option('--take-over', 'also if another reviewer has claimed it')
    .addHelpText('after', example('app-registry app claim app_01jq3v9y6ae0xv5m6b7k8c9d0e'))
    .action(
      registryAction<{ takeOver?: true }>((registry, { args: [appId = ''], options: { takeOver }, caller }) =>
        claimApp(registry, caller, { appId, claim: { takeOver } }),
      ),
    );
}

export function appReleaseCommand(): Command {
  return new Command('release')
    .description('End your claim of an app.')
    .argument('<id>', 'the app id')
    .addHelpText('after', example('app-registry app release app_01jq3v9y6ae0xv5m6b7k8c9d0e'))
    .action(registryAction((registry, { args: [appId = ''], caller }) => releaseApp(registry, caller, appId)));
}
