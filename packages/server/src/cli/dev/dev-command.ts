import { type ChildProcess, spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { formatAddress } from '../../config/address.ts';
import { type Config, readConfig } from '../../config/config.ts';
import { environment } from '../../config/env.ts';
import { onEndSignal } from '../../end-signal.ts';
import { openRegistry } from '../../features/settings/settings.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { example } from '../command-options.ts';
import { createDemoData, type DemoData } from './demo-data.ts';

export function devCommand(): Command {
  return new Command('dev')
    .description('Run a temporary server with demo data and tokens, for development.')
    .addHelpText('after', example('app-registry dev'))
    .action(async function action(this: Command) {
      const { databaseUrl, serverUrl, json } = this.optsWithGlobals();
      if (databaseUrl !== undefined || serverUrl !== undefined)
        this.error('error: "dev" creates its own database; use "serve" for an existing one');
      const { writeOut } = this.configureOutput();
      await dev((config, demo) =>
        writeOut?.(
          json
            ? `${JSON.stringify({ baseUrl: config.baseUrl, databaseUrl: config.databaseUrl, ...demo })}\n`
            : welcome(config, demo),
        ),
      );
    });
}

async function dev(onServing: (config: Config, demo: DemoData) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'app-registry-dev-'));
  try {
    const overrides = devEnvironment(folder);
    const config = readConfig({ ...environment, ...overrides });
    const demo = await createDemo(config);
    await runServer(overrides, () => onServing(config, demo));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Configuration of the development server that overrides the environment. */
function devEnvironment(folder: string): Record<string, string> {
  const publicAddress = environment.PUBLIC_ADDRESS || '127.0.0.1:8090';
  const baseUrl = environment.DEV_BASE_URL || `http://${publicAddress}`;
  return {
    DATABASE_URL: `sqlite:${join(folder, 'registry.db')}`,
    DATABASE_URL_FILE: '',
    PUBLIC_ADDRESS: publicAddress,
    OPERATOR_ADDRESS: environment.OPERATOR_ADDRESS || '127.0.0.1:8091',
    BASE_URL: baseUrl,
    DEV_BASE_URL: baseUrl,
    // Those of a service would lead away from this server.
    OPERATOR_BASE_URL: '',
    LOGO_BASE_URL: '',
    // Receivers under development are on this machine.
    WEBHOOK_ALLOW_PRIVATE: '1',
    LOG_LEVEL: environment.LOG_LEVEL || 'warn',
  };
}

async function createDemo(config: Config): Promise<DemoData> {
  const storage = await openStorage(config.databaseUrl, { create: true, ...config.postgres });
  try {
    return await createDemoData(await openRegistry(storage, config));
  } finally {
    await storage.close();
  }
}

/** Where npm started this, the command need not be on the path of the user's shell. */
const command = environment.npm_execpath ? 'npx @appregistrar/server' : 'app-registry';

/** The message of the development server once it serves: tokens, apps, and commands to paste. */
export function welcome(
  config: Config,
  { apps, developerToken, platformToken, operatorToken, signInCode }: DemoData,
): string {
  const { baseUrl, databaseUrl } = config;
  const operator = `http://${formatAddress(config.operatorAddress)}`;
  const first = apps[0]?.id;
  const width = Math.max(...apps.map(({ name }) => name.length));
  return `
  app-registry        ${baseUrl}
  console             ${config.operatorBaseUrl}/#code=${signInCode} (single-use sign-in link)
  operator API        ${operator}/docs

  developer token     ${developerToken}
  platform token      ${platformToken}
  operator token      ${operatorToken}

${apps.map(({ id, name, reviewStatus }) => `  ${name.padEnd(width)}  ${id}  ${reviewStatus}`).join('\n')}

  Set these variables for the examples of the README:
export BASE_URL=${baseUrl} APP=${first} DEVELOPER_TOKEN=${developerToken} PLATFORM_TOKEN=${platformToken}

  Update an app as its developer:
curl -i -X PATCH '${baseUrl}/developer/apps/v1/${first}' -H 'Authorization: Bearer ${developerToken}' -H 'Content-Type: application/json' -d '{"listingInfo":{"shortDescription":"Invoices and ledgers, in step."}}'

  Get it as the platform:
curl -i '${baseUrl}/platform/apps/v1/${first}' -H 'Authorization: Bearer ${platformToken}'

  List what awaits review, as an operator:
curl -i '${operator}/operator/v1/apps?status=AWAITING_REVIEW' -H 'Authorization: Bearer ${operatorToken}'

  Use the command line with this database (deleted on exit):
export DATABASE_URL=${databaseUrl} BASE_URL=${baseUrl} WEBHOOK_ALLOW_PRIVATE=1
${command} app get ${first}

  Forward its events to a webhook receiver on this machine:
${command} webhook listen --forward-to http://localhost:3000/webhooks

`;
}

const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const sourceFolder = fileURLToPath(new URL('../..', import.meta.url));
const main = fileURLToPath(new URL(`../main${extension}`, import.meta.url));
const settleMs = 150;

/**
 * Runs `serve` in a child process until this process receives an end signal. In a checkout the child restarts whenever
 * the source changes. Calls `onFirstServing` when it serves for the first time.
 */
export function runServer(overrides: Record<string, string>, onFirstServing: () => void): Promise<void> {
  return new Promise((resolve) => {
    let next: 'run' | 'restart' | 'exit' = 'run';
    let served = false;
    let server = start();
    const watcher = extension === '.ts' ? onSourceChange(() => stopServer('restart')) : undefined;
    onEndSignal(() => stopServer('exit'));

    function start(): ChildProcess {
      next = 'run';
      return serveProcess(overrides)
        .on('message', () => {
          if (served) process.stdout.write('Server restarted.\n');
          else onFirstServing();
          served = true;
        })
        .on('exit', onExit);
    }

    function stopServer(then: 'restart' | 'exit'): void {
      if (next !== 'exit') next = then;
      if (!server.kill('SIGTERM')) onExit();
    }

    function onExit(): void {
      if (next === 'restart') {
        server = start();
      } else if (next === 'exit' || !served) {
        // The child has printed why it could not serve.
        if (!served) process.exitCode = 1;
        watcher?.close();
        resolve();
      } else {
        process.stdout.write('Server stopped; it restarts when the source changes.\n');
      }
    }
  });
}

function serveProcess(overrides: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [main, 'serve'], {
    env: { ...environment, ...overrides },
    // The channel reports when the child serves, and stops it if this process dies.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // The interrupt of a terminal then reaches only this process, which stops the child gracefully.
    detached: true,
  });
}

function onSourceChange(listener: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return watch(sourceFolder, { recursive: true }, (_event, file) => {
    if (!file?.endsWith('.ts') || file.endsWith('.test.ts')) return;
    clearTimeout(timer);
    timer = setTimeout(listener, settleMs);
  });
}
