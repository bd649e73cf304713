import { Command, type OutputConfiguration } from 'commander';
import { version } from '../version.ts';
import { appCommand } from './app/app.ts';
import { backupCommand } from './backup.ts';
import { checkCommand } from './check.ts';
import { completionCommand } from './completion/completion.ts';
import { devCommand } from './dev/dev.ts';
import { developerCommand } from './developer/developer.ts';
import { eventCommand } from './event/event.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { installationCommand } from './installation/installation.ts';
import { logoCommand } from './logo/logo.ts';
import { migrateCommand } from './migrate.ts';
import { databaseUrl } from './options.ts';
import { overviewCommand } from './overview.ts';
import { restoreCommand } from './restore.ts';
import { serveCommand } from './serve.ts';
import { tokenCommand } from './token/token.ts';
import { webhookCommand } from './webhook/webhook.ts';

/** Where a command line writes: standard output and standard error unless told otherwise. */
export type Output = Pick<OutputConfiguration, 'writeOut' | 'writeErr'>;

/** The whole command line. Wrong usage throws a `CommanderError` once it has been told. */
export function program(output: Output = {}): Command {
  const root = new Command('app-registry')
    .configureOutput(output)
    .description('Runs an app registry, and works on its database, also while a server uses it.')
    .version(version(), '--version', 'print the version')
    .option('--json', 'print one JSON document and nothing else')
    .option(
      '--database-url <url>',
      'the database to work on (default: DATABASE_URL, or sqlite:./data/registry.db)',
      databaseUrl,
    )
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Add --help to see how it is used.')
    .exitOverride();
  for (const command of [
    serveCommand(),
    devCommand(),
    migrateCommand(),
    overviewCommand(),
    developerCommand(),
    appCommand(),
    installationCommand(),
    logoCommand(),
    tokenCommand(),
    eventCommand(),
    webhookCommand(),
    importCommand(),
    exportCommand(),
    checkCommand(),
    backupCommand(),
    restoreCommand(),
    completionCommand(),
  ]) {
    root.addCommand(inherit(command, root));
  }
  return root;
}

/** Commands that are built apart do not take over these settings by themselves. */
function inherit(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inherit(child, command);
  return command;
}
