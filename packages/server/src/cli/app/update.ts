import { Command } from 'commander';
import { updateAppAsOperator } from '../../registry/apps/update-app-as-operator.ts';
import { commandLine } from '../../registry/registry.ts';
import { clearable } from '../clearable.ts';
import { example, wholeNumber } from '../options.ts';
import { registryAction } from '../registry-action.ts';

type Clearable = string | false;

interface Options {
  name?: string;
  logoId?: Clearable;
  shortDescription?: Clearable;
  longDescription?: Clearable;
  backgroundColor?: string;
  loginUrl?: Clearable;
  callbackUrl?: Clearable;
  revision?: number;
}

export function appUpdateCommand(): Command {
  return new Command('update')
    .description('Change an app: only what is given. An empty text removes, where that is possible.')
    .argument('<id>', 'the app id')
    .option('--name <name>', 'its name, which no other app may have')
    .option('--logo-id <id>', 'a logo of the same developer')
    .option('--no-logo-id', 'remove the logo')
    .option('--short-description <text>', 'one line')
    .option('--no-short-description', 'remove the short description')
    .option('--long-description <text>', 'any number of lines')
    .option('--no-long-description', 'remove the long description')
    .option('--background-color <color>', '#rgb or #rrggbb')
    .option('--login-url <url>', 'where a user begins to sign in')
    .option('--no-login-url', 'remove the login address')
    .option('--callback-url <url>', 'where a user is sent after authorisation')
    .option('--no-callback-url', 'remove the callback address')
    .option('--revision <number>', 'the revision that was seen; refused when the app has changed since', wholeNumber)
    .addHelpText(
      'after',
      example('app-registry app update app_01jq3v9y6ae0xv5m6b7k8c9d0e --name "Invoice Sync" --no-long-description'),
    )
    .action(
      registryAction<Options>((registry, { args: [appId = ''], options }) =>
        updateAppAsOperator(registry, commandLine, {
          appId,
          update: appUpdate(options),
          ifRevision: options.revision === undefined ? undefined : [options.revision],
        }),
      ),
    );
}

function appUpdate(options: Options): object {
  return {
    name: options.name,
    logoId: clearable(options.logoId),
    listingInfo: {
      shortDescription: clearable(options.shortDescription),
      longDescription: clearable(options.longDescription),
      backgroundColor: options.backgroundColor,
    },
    oauthInfo: { loginUrl: clearable(options.loginUrl), callbackUrl: clearable(options.callbackUrl) },
  };
}
