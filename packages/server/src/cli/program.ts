import { Command, Option, type OutputConfiguration } from 'commander';
import type { AnyOperation } from '../kernel/operation.ts';
import { escapeControls, escapeToOneLine } from '../kernel/text.ts';
import { currentBuild, describeBuild } from '../version.ts';
import { databaseUrl } from './command-options.ts';
import { isJson, usageProblem } from './command-problems.ts';
import { serverUrl } from './remote/remote-target.ts';

/** A command that has an option of the same name takes that one: then the global one stands before the command. */
function takeGlobalOptions(command: Command): void {
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

/** Where a command writes: standard output and standard error by default. */
export type Output = Required<Pick<OutputConfiguration, 'writeOut' | 'writeErr'>>;

const standardOutput: Output = {
  writeOut: (text) => process.stdout.write(text),
  writeErr: (text) => process.stderr.write(text),
};

/** Loaded on demand: a server does not need the other commands in memory. */
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./commands/server-commands.ts')).serveCommand(),
  healthcheck: async () => (await import('./commands/server-commands.ts')).healthcheckCommand(),
  dev: async () => (await import('./dev/dev-command.ts')).devCommand(),
  migrate: async () => (await import('./commands/database-commands.ts')).migrateCommand(),
  overview: async () => {
    const { overviewOperations } = await import('../features/overview/overview.ts');
    return group('overview', 'Show the state of the registry.', overviewOperations);
  },
  statistics: async () => {
    const { statisticsOperations } = await import('../features/overview/overview.ts');
    return group('statistics', 'Show statistics of reviews, installations and webhooks.', statisticsOperations);
  },
  search: async () => derived((await import('../features/search/search.ts')).search),
  developer: async () => {
    const { developerOperations } = await import('../features/developers/developers.ts');
    const { suspensionOperations } = await import('../features/suspension/suspensions.ts');
    const { developerTokenOperations } = await import('../features/access/tokens.ts');
    const { createDeveloper, ...others } = developerOperations;
    const { eraseDeveloper, ...suspensions } = suspensionOperations;
    return group('developer', 'Manage developers, the people and companies that publish apps.', {
      ...{ createDeveloper, ...others, ...suspensions },
      ...{ ...developerTokenOperations, eraseDeveloper },
    });
  },
  app: async () => (await import('./commands/app-commands.ts')).appCommand(),
  'review-queue': async () => {
    const { reviewQueueOperations } = await import('../features/apps/review/review-queue.ts');
    return group('review-queue', 'Show what awaits review.', reviewQueueOperations);
  },
  'reason-template': async () => {
    const { reasonTemplateOperations } = await import('../features/reason-templates/reason-templates.ts');
    const description = 'Manage reusable texts for the reasons of review decisions.';
    return group('reason-template', description, reasonTemplateOperations);
  },
  'protected-name': async () => {
    const { createProtectedName, ...others } = (await import('../features/protected-names/protected-names.ts'))
      .protectedNameOperations;
    const description =
      'Manage names and hosts reserved for some developers. The review queue warns when others use them.';
    return group('protected-name', description, { createProtectedName, ...others });
  },
  installation: async () => {
    const { createInstallation, ...others } = (await import('../features/installations/installations.ts'))
      .installationOperations;
    const description = 'Manage the installations of apps in workspaces.';
    return group('installation', description, { createInstallation, ...others });
  },
  workspace: async () => {
    const { workspaceOperations } = await import('../features/installations/installations.ts');
    return group('workspace', 'Manage what a workspace has installed.', workspaceOperations);
  },
  logo: async () => {
    const { createLogo, ...others } = (await import('../features/logos/logos.ts')).logoOperations;
    return group('logo', 'Manage the logos of apps.', { createLogo, ...others });
  },
  token: async () => {
    const { getToken, createToken, listTokens, revokeToken, rotateToken } = await import(
      '../features/access/tokens.ts'
    );
    const { tokenListChangesCommand } = await import('./commands/list-token-changes-command.ts');
    return group('token', 'Manage access tokens.', {
      ...{ createToken, listTokens, getToken },
      listChanges: tokenListChangesCommand(),
      rotateToken,
      revokeToken,
    });
  },
  event: async () => (await import('./commands/event-commands.ts')).eventCommand(),
  webhook: async () => {
    const { webhookOperations } = await import('../features/webhooks/webhooks.ts');
    const { webhookDeliveryOperations } = await import('../features/webhooks/deliveries/deliveries.ts');
    const { webhookListenCommand } = await import('./commands/webhook-listen-command.ts');
    const { createWebhook, deleteWebhook, testWebhook, ...others } = webhookOperations;
    const inOrder = { createWebhook, ...others, deleteWebhook, testWebhook, ...webhookDeliveryOperations };
    return group('webhook', 'Manage webhooks.', { ...inOrder, listen: webhookListenCommand() });
  },
  delivery: async () => {
    const { deliveryOperations } = await import('../features/webhooks/deliveries/deliveries.ts');
    return group('delivery', 'Show and repeat the deliveries of events to webhooks.', deliveryOperations);
  },
  login: async () => (await import('./remote/login-commands.ts')).loginCommand(),
  logout: async () => (await import('./remote/login-commands.ts')).logoutCommand(),
  whoami: async () => derived((await import('../features/access/tokens.ts')).getCaller),
  settings: async () => (await import('./commands/settings-commands.ts')).settingsCommand(),
  import: async () => (await import('./commands/import-command.ts')).importCommand(),
  export: async () => (await import('./commands/database-commands.ts')).exportCommand(),
  check: async () => (await import('./commands/database-commands.ts')).checkCommand(),
  backup: async () => (await import('./commands/database-commands.ts')).backupCommand(),
  restore: async () => (await import('./commands/database-commands.ts')).restoreCommand(),
  completion: async () => (await import('./commands/completion-command.ts')).completionCommand(() => program()),
};

async function derived(operation: AnyOperation): Promise<Command> {
  return (await import('./derived-commands.ts')).derivedCommand(operation);
}

async function group(
  name: string,
  description: string,
  operations: Record<string, AnyOperation | Command>,
): Promise<Command> {
  const { commandGroup } = await import('./derived-commands.ts');
  return commandGroup(new Command(name).description(description), operations);
}

/**
 * The command line with the one command that these arguments name, or with all commands. Wrong usage throws a
 * `CommanderError` after printing the error.
 */
export async function program(args: string[] = [], output = standardOutput): Promise<Command> {
  const json = isJson(args);
  const root = new Command('app-registry');
  for (const option of globalOptions()) root.addOption(option);
  root
    .configureOutput(safeOutput(output, json))
    .description(
      'Run and administer an app registry, on its database (even while a server is running) or through a server (--url).',
    )
    .version(describeBuild(currentBuild()), '--version', 'print the version and, if known, the commit')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError(json ? false : 'Use --help for usage.')
    .enablePositionalOptions()
    .exitOverride();
  for (const load of loadersOf(args)) root.addCommand(inherit(await load(), root));
  if (json) reportMissingCommands(root);
  return root;
}

/** All that commands write passes here: the data of others must not control the terminal. */
function safeOutput({ writeOut, writeErr }: Output, json: boolean): OutputConfiguration {
  return {
    writeOut: (text) => writeOut(escapeControls(text)),
    writeErr: (text) => writeErr(escapeControls(text)),
    // The arguments that an error repeats must not look like lines of their own.
    outputError: (text, write) => {
      const line = escapeToOneLine(text.trimEnd()).replace(suggestion, '\n$1');
      write(json ? usageProblem(text.trimEnd()) : `${line}\n`);
    },
  };
}

/** After the line feed that Commander puts before it. */
const suggestion = /\\u000a(\(Did you mean .*\))$/;

/** Commands that are built separately do not inherit these settings automatically. */
function inherit(command: Command, parent: Command): Command {
  takeGlobalOptions(command.copyInheritedSettings(parent));
  for (const child of command.commands) inherit(child, command);
  return command;
}

/** Commander prints the help of a group of commands where one of them is missing. */
function reportMissingCommands(group: Command): void {
  for (const child of group.commands) reportMissingCommands(child);
  const help = group.help.bind(group);
  group.help = (context?: unknown) => {
    if (!Object(context).error) return help();
    const names = group.commands.map((child) => child.name());
    return group.error(`error: missing command; choose one of: ${names.join(', ')}`);
  };
}

function loadersOf([name = '']: string[]): (() => Promise<Command>)[] {
  return Object.entries(commands)
    .filter(([command]) => command === name || !Object.hasOwn(commands, name))
    .map(([, load]) => load);
}
