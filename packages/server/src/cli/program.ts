import { Command, type OutputConfiguration } from 'commander';
import { escapeControls, escapeToOneLine } from '../kernel/text.ts';
import { currentBuild, describeBuild } from '../version.ts';
import { addGlobalOptions, takeGlobalOptions } from './global-options.ts';
import { isJson, usageProblem } from './output/usage-problem.ts';

/** Where a command writes: standard output and standard error by default. */
export type Output = Required<Pick<OutputConfiguration, 'writeOut' | 'writeErr'>>;

const standardOutput: Output = {
  writeOut: (text) => process.stdout.write(text),
  writeErr: (text) => process.stderr.write(text),
};

/** Loaded on demand: a server does not need the other commands in memory. */
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./serve/serve.ts')).serveCommand(),
  healthcheck: async () => (await import('./serve/healthcheck.ts')).healthcheckCommand(),
  dev: async () => (await import('./dev/dev.ts')).devCommand(),
  migrate: async () => (await import('./migrate.ts')).migrateCommand(),
  overview: async () => (await import('./overview.ts')).overviewCommand(),
  statistics: async () => (await import('./overview.ts')).statisticsCommand(),
  search: async () => (await import('./search.ts')).searchCommand(),
  developer: async () => {
    const { developerOperations } = await import('../features/developers/developers.ts');
    const { suspensionOperations } = await import('../features/suspension/suspensions.ts');
    const { commandGroup } = await import('./derived-commands.ts');
    const description = 'Manage developers, the people and companies that publish apps.';
    const { createDeveloper, ...others } = developerOperations;
    const { eraseDeveloper, ...suspensions } = suspensionOperations;
    const inOrder = { createDeveloper, ...others, ...suspensions, eraseDeveloper };
    return commandGroup(new Command('developer').description(description), inOrder);
  },
  app: async () => (await import('./app/app.ts')).appCommand(),
  'reason-template': async () => {
    const { reasonTemplateOperations } = await import('../features/reason-templates/reason-templates.ts');
    const { commandGroup } = await import('./derived-commands.ts');
    const description = 'Manage reusable texts for the reasons of review decisions.';
    return commandGroup(new Command('reason-template').description(description), reasonTemplateOperations);
  },
  'protected-name': async () => {
    const { createProtectedName, listProtectedNames, deleteProtectedName } = await import(
      '../features/protected-names/protected-names.ts'
    );
    const { commandGroup } = await import('./derived-commands.ts');
    const description =
      'Manage names and hosts reserved for some developers. The review queue warns when others use them.';
    return commandGroup(new Command('protected-name').description(description), {
      createProtectedName,
      listProtectedNames,
      deleteProtectedName,
    });
  },
  installation: async () => (await import('./installation-commands.ts')).installationCommand(),
  logo: async () => (await import('./logo-commands.ts')).logoCommand(),
  token: async () => (await import('./token.ts')).tokenCommand(),
  event: async () => (await import('./event/event.ts')).eventCommand(),
  webhook: async () => (await import('./webhook/webhook-commands.ts')).webhookCommand(),
  delivery: async () => (await import('./delivery-commands.ts')).deliveryCommand(),
  login: async () => (await import('./remote/login.ts')).loginCommand(),
  logout: async () => (await import('./remote/logout.ts')).logoutCommand(),
  whoami: async () => {
    const { getCaller } = await import('../features/access/tokens.ts');
    return (await import('./derived-commands.ts')).derivedCommand(getCaller);
  },
  settings: async () => (await import('./settings.ts')).settingsCommand(),
  import: async () => (await import('./import.ts')).importCommand(),
  export: async () => (await import('./export.ts')).exportCommand(),
  check: async () => (await import('./check.ts')).checkCommand(),
  backup: async () => (await import('./backup.ts')).backupCommand(),
  restore: async () => (await import('./restore.ts')).restoreCommand(),
  completion: async () => (await import('./completion/completion.ts')).completionCommand(() => program()),
};

/**
 * The command line with the one command that these arguments name, or with all commands. Wrong usage throws a
 * `CommanderError` after printing the error.
 */
export async function program(args: string[] = [], output = standardOutput): Promise<Command> {
  const json = isJson(args);
  const root = addGlobalOptions(new Command('app-registry'))
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
