import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Addresses, portOf } from './addresses.ts';
import { brand } from './brand.ts';
import { Part } from './part.ts';

const launcher = fileURLToPath(
  new URL('bin/app-registry.js', import.meta.resolve('@appregistrar/server/package.json')),
);

/** The audience of tokens for the registry: a name, which no client has. */
export const audience = 'https://registry.marketplace.example';

export async function createRegistry(databaseUrl: string): Promise<void> {
  await runCommand(databaseUrl, 'migrate');
}

/** Issues a token of an operator by the command line, as there is no token yet to use the API with. */
export async function firstToken(databaseUrl: string, scope: string): Promise<string> {
  const command = [
    'token',
    'create',
    '--kind',
    'operator',
    '--scope',
    scope,
    '--name',
    `marketplace ${scope}`,
    '--json',
  ];
  return JSON.parse(await runCommand(databaseUrl, ...command)).token;
}

async function runCommand(databaseUrl: string, ...command: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl };
  return (await promisify(execFile)(process.execPath, [launcher, ...command], { env })).stdout;
}

/** The registry, which accepts the tokens of the identity provider too, and signs reviewers in to its console by it. */
export function registryPart(addresses: Addresses, databaseUrl: string, consoleSecret: string): Part {
  return new Part({
    run: [launcher, 'serve'],
    environment: {
      DATABASE_URL: databaseUrl,
      PUBLIC_ADDRESS: new URL(addresses.registry).host,
      OPERATOR_ADDRESS: new URL(addresses.console).host,
      OPERATOR_BASE_URL: addresses.console,
      CONSOLE_NAME: brand.name,
      CONSOLE_MARK: brand.mark,
      CONSOLE_ACCENT: brand.accent,
      OIDC_ISSUER: addresses.identity,
      OIDC_AUDIENCE: audience,
      OIDC_CLIENT_ID: 'console',
      OIDC_CLIENT_SECRET: consoleSecret,
      // In this example, everyone chooses a person to sign in as.
      OIDC_SIGN_IN_PARAMETERS: `${new URLSearchParams({ resource: audience, prompt: 'login' })}`,
      // The receiver is on this machine.
      WEBHOOK_ALLOW_PRIVATE: '1',
      LOG_LEVEL: 'warn',
    },
    ready: () => readiness(`http://127.0.0.1:${portOf(addresses.console)}/readyz`),
  });
}

async function readiness(url: string): Promise<void> {
  while (!(await fetch(url).catch(() => undefined))?.ok) await setTimeout(50);
}
