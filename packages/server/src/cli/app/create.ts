import { Command } from 'commander';
import { createApp } from '../../registry/apps/create-app.ts';
import { commandLine } from '../../registry/registry.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

interface Options {
  developer: string;
  name: string;
  logoId?: string;
  shortDescription?: string;
  longDescription?: string;
  backgroundColor?: string;
  loginUrl?: string;
  callbackUrl?: string;
}

export function appCreateCommand(): Command {
  return new Command('create')
    .description('Create an app, as a draft.')
    .requiredOption('--developer <id>', 'the user id of its developer')
    .requiredOption('--name <name>', 'its name, which no other app may have')
    .option('--logo-id <id>', 'a logo of the same developer')
    .option('--short-description <text>', 'one line')
    .option('--long-description <text>', 'any number of lines')
    .option('--background-color <color>', '#rgb or #rrggbb (default: #ffffff)')
    .option('--login-url <url>', 'where a user begins to sign in')
    .option('--callback-url <url>', 'where a user is sent after authorisation')
    .addHelpText(
      'after',
      example('app-registry app create --developer user_01jq3v8nbtf4mrk6d2m3wz5x7c --name "Invoice Sync"'),
    )
    .action(registryAction<Options>((registry, { options }) => createApp(registry, commandLine, newApp(options))));
}

function newApp(options: Options): object {
  return {
    developerId: options.developer,
    name: options.name,
    logoId: options.logoId,
    listingInfo: {
      shortDescription: options.shortDescription,
      longDescription: options.longDescription,
      backgroundColor: options.backgroundColor,
    },
    oauthInfo: { loginUrl: options.loginUrl, callbackUrl: options.callbackUrl },
  };
}
