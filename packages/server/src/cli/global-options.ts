import { type Command, Option } from 'commander';
import { databaseUrl } from './options.ts';
import { serverUrl } from './remote/target.ts';

/** Adds the options that every command takes, also behind its name. */
export function addGlobalOptions(root: Command): Command {
  for (const option of globalOptions()) root.addOption(option);
  return root;
}

/** A command that has an option of the same name takes that one: then the global one stands before the command. */
export function takeGlobalOptions(command: Command): void {
  for (const option of globalOptions()) {
    if (!hasOption(command, `${option.long}`)) command.addOption(option.hideHelp());
  }
}

function globalOptions(): Option[] {
  const url = new Option(
    '--url <url>',
    'use a server instead of a database: the URL of its operator listener (default: APP_REGISTRY_URL)',
  ).argParser(serverUrl);
  // A command may have a --url of its own.
  url.attributeName = () => 'serverUrl';
  return [
    new Option('--json', 'print a single JSON document'),
    new Option(
      '--database-url <url>',
      'the database to use (default: DATABASE_URL or DATABASE_URL_FILE, or sqlite:./data/registry.db)',
    ).argParser(databaseUrl),
    url,
    new Option(
      '--allow-plaintext',
      'with --url: allow an http: URL of another machine, which sends the token unencrypted',
    ),
  ];
}

/** A group leaves to its commands what one of them has. */
function hasOption(command: Command, long: string): boolean {
  return (
    command.options.some((option) => option.long === long) || command.commands.some((child) => hasOption(child, long))
  );
}
