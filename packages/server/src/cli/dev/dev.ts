import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { type Config, readConfig } from '../../config/config.ts';
import { environment } from '../../config/env.ts';
import { openRegistry } from '../../features/settings/settings.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { example } from '../options.ts';
import { createDemoData, type DemoData } from './demo-data.ts';
import { runServer } from './run-server.ts';
import { welcome } from './welcome.ts';

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
        writeOut?.(json ? `${JSON.stringify({ baseUrl: config.baseUrl, ...demo })}\n` : welcome(config, demo)),
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
