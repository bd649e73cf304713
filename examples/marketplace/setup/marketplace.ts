import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OperatorClient } from '@appregistrar/client/operator';
import { type Addresses, addressesFrom, portOf } from './addresses.ts';
import { Part } from './part.ts';
import { audience, createRegistry, firstToken, registryPart } from './registry.ts';
import { createSamples } from './sample-catalogue.ts';

/** A running marketplace: a registry, an identity provider and the applications around them. */
export interface Marketplace {
  addresses: Addresses;
  /** Can be killed and started again. */
  registry: Part;
  /** Ends every process and deletes the data. */
  stop(): Promise<void>;
}

/** Starts every process, and gives each the tokens that it needs and no others. */
export async function startMarketplace(port: number): Promise<Marketplace> {
  const addresses = addressesFrom(port);
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-'));
  const databaseUrl = `sqlite:${join(folder, 'registry.db')}`;
  const secrets = { portal: newSecret(), storefront: newSecret(), console: newSecret() };
  const registry = registryPart(addresses, databaseUrl, secrets.console);
  const parts = [registry];
  const stop = async () => {
    await Promise.all(parts.map((part) => part.stop()));
    await rm(folder, { recursive: true, force: true });
  };
  const start = async (part: Part) => {
    parts.push(part);
    await part.start();
  };
  try {
    await createRegistry(databaseUrl);
    const adminToken = await firstToken(databaseUrl, 'admin');
    // Before the registry, which reads its keys.
    await start(identityPart(addresses, secrets, await firstToken(databaseUrl, 'read')));
    await registry.start();
    const admin = new OperatorClient({ baseUrl: addresses.console, token: adminToken });
    await admin.settings.update({ changesToApproved: 'hold' });
    await createSamples(admin);
    for (const part of await applications(addresses, secrets, admin)) await start(part);
  } catch (error) {
    await stop();
    throw error;
  }
  return { addresses, registry, stop };
}

type Secrets = Record<'portal' | 'storefront' | 'console', string>;

const newSecret = () => randomBytes(32).toString('base64url');

function identityPart(addresses: Addresses, secrets: Secrets, token: string): Part {
  const ownClients = [
    { id: 'portal', secret: secrets.portal, redirectUri: `${addresses.portal}/callback` },
    { id: 'storefront', secret: secrets.storefront, redirectUri: `${addresses.storefront}/callback` },
    { id: 'console', secret: secrets.console, redirectUri: `${addresses.console}/` },
  ];
  return application('identity', addresses.identity, {
    ISSUER: addresses.identity,
    AUDIENCE: audience,
    OPERATOR_URL: addresses.console,
    OPERATOR_TOKEN: token,
    OWN_CLIENTS: JSON.stringify(ownClients),
  });
}

async function applications(addresses: Addresses, secrets: Secrets, admin: OperatorClient): Promise<Part[]> {
  const operatorToken = async (name: string, ...scopes: ('portal' | 'read' | 'install')[]) =>
    (await admin.tokens.create({ kind: 'operator', scopes, name })).token;
  const platformToken = (await admin.tokens.create({ kind: 'platform', name: 'storefront' })).token;
  const webhook = await admin.webhooks.create({ url: `${addresses.guide}/hooks`, name: 'The page of the story' });
  const common = { ISSUER: addresses.identity, REGISTRY_URL: addresses.registry, OPERATOR_URL: addresses.console };
  return [
    application('portal', addresses.portal, {
      ...common,
      AUDIENCE: audience,
      CLIENT_SECRET: secrets.portal,
      OPERATOR_TOKEN: await operatorToken('portal', 'portal'),
    }),
    application('storefront', addresses.storefront, {
      ...common,
      CLIENT_SECRET: secrets.storefront,
      PLATFORM_TOKEN: platformToken,
      OPERATOR_TOKEN: await operatorToken('storefront', 'read', 'install'),
    }),
    application('sample-app', addresses.sampleApp, { ISSUER: addresses.identity }),
    application('guide', addresses.guide, {
      WEBHOOK_SECRET: webhook.secret,
      PORTAL_URL: addresses.portal,
      STOREFRONT_URL: addresses.storefront,
      CONSOLE_URL: addresses.console,
      SAMPLE_APP_URL: addresses.sampleApp,
    }),
  ];
}

/** One of the folders beside this one. */
function application(folder: string, baseUrl: string, environment: Record<string, string>): Part {
  const main = fileURLToPath(new URL(`../${folder}/main.ts`, import.meta.url));
  return new Part({ run: [main], environment: { BASE_URL: baseUrl, PORT: portOf(baseUrl), ...environment } });
}
