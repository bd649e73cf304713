import { type Engine, postgres, sqlite } from 'app-registry-testkit/engines/engines';
import { importText } from 'app-registry-testkit/registry/export-text';
import { installationOf } from 'app-registry-testkit/registry/import-file';
import { RegistryFixture } from 'app-registry-testkit/registry/registry-fixture';
import type { DeveloperApp } from '../packages/server/src/contract/app.ts';
import { newId } from '../packages/server/src/registry/type-id.ts';
import type { Run } from './frame/run.ts';
import { Service } from './frame/service.ts';
import { BrokenPromise, type Figures, type Torture } from './frame/torture.ts';
import { AppClient, type Ports, type Tokens } from './many-at-once/app-client.ts';
import { type AppState, appModel } from './many-at-once/app-model.ts';
import { Flows } from './many-at-once/flows.ts';
import { Installations } from './many-at-once/installations.ts';
import { findViolation } from './many-at-once/linearizability.ts';
import { describeViolation, figuresOf } from './many-at-once/report.ts';

const engines: Record<string, Engine> = { sqlite, postgres };
/** Longer lists are streamed. This one varies around the threshold. */
const streamThreshold = 1_000;
const workspacesCount = 10;

export const torture: Torture = {
  summary:
    'updates, installs, reviews and reads by many clients through several processes: is the history linearizable?',
  options: {
    engines: { what: 'on which databases', value: 'sqlite,postgres' },
    processes: { what: 'processes of the service on one database', value: 3, short: 2 },
    apps: { what: 'apps with concurrent requests, one with a long list', value: 5, short: 3 },
    flows: { what: 'concurrent clients of each app', value: 6, short: 4 },
    operations: { what: 'operations on each database', value: 30_000, short: 800 },
  },
  async run(run) {
    const figures: Figures = {};
    for (const name of run.text('engines').split(',')) {
      const engine = engines[name];
      if (!engine) throw new Error(`There is no engine ${name}.`);
      Object.assign(figures, await runOn(run, engine));
    }
    return figures;
  },
  mutants: [
    {
      name: 'cached-read',
      what: 'Get App uses a cache of 50 ms in each process',
      options: { operations: 3_000 },
      patches: [
        {
          file: 'registry/apps/get-app.ts',
          find: 'export async function getApp(registry: Registry, id: string): Promise<ReadApp & { isComplete: boolean }> {',
          replace: `const cache = new Map<string, { at: number; app: Promise<ReadApp & { isComplete: boolean }> }>();
export function getApp(registry: Registry, id: string): Promise<ReadApp & { isComplete: boolean }> {
  const known = cache.get(id);
  if (known && Date.now() - known.at < 50) return known.app;
  const app = readApp(registry, id);
  cache.set(id, { at: Date.now(), app });
  return app;
}
async function readApp(registry: Registry, id: string): Promise<ReadApp & { isComplete: boolean }> {`,
        },
      ],
    },
    {
      name: 'early-refusal',
      what: 'a write of a batch is refused before the batch is committed (SQLite)',
      options: { engines: 'sqlite', operations: 6_000 },
      patches: [
        {
          file: 'storage/sqlite/writer.ts',
          find: 'if (this.#connection.changes > changes) return null;\n        settlers.push(() => write.reject(asStorageFailure(error)));',
          replace:
            'if (this.#connection.changes > changes) return null;\n        write.reject(asStorageFailure(error));\n        settlers.push(() => {});',
        },
      ],
    },
    {
      name: 'no-if-match',
      what: 'an update ignores its If-Match',
      options: { operations: 3_000 },
      patches: [
        {
          file: 'registry/apps/change-app-content.ts',
          find: '  requireRevision(registry, app, condition);\n\n',
          replace: '\n',
        },
      ],
    },
    {
      name: 'no-lock',
      what: 'a write does not lock the app that it reads (PostgreSQL)',
      options: { engines: 'postgres', operations: 6_000 },
      patches: [
        {
          file: 'storage/queries/apps.ts',
          find: `db.selectFrom('apps').select(columns.apps).where('id', '=', id).forUpdate(),`,
          replace: `db.selectFrom('apps').select(columns.apps).where('id', '=', id),`,
        },
      ],
    },
    {
      name: 'late-count',
      what: 'an installation is counted after its transaction',
      options: { operations: 3_000 },
      patches: [
        {
          file: 'registry/installations/create-installation.ts',
          find: 'await updateInstallationCount(transaction, { id: app.id, by: 1, stamp: newStamp() });',
          replace: `setTimeout(() => registry.storage.write(async (later) => {
        await updateInstallationCount(later, { id: app.id, by: 1, stamp: newStamp() });
      }), 5);`,
        },
      ],
    },
    {
      name: 'any-step',
      what: 'every review step is allowed from every status',
      options: { operations: 3_000 },
      patches: [
        {
          file: 'registry/review/transitions.ts',
          find: 'if (isAllowed[step](state)) return;',
          replace: 'if (isAllowed[step]) return;',
        },
      ],
    },
  ],
};

async function runOn(run: Run, engine: Engine): Promise<Figures> {
  const data = await RegistryFixture.open(engine);
  run.atEnd(() => data.close());
  const services = await startServices(run, data.databaseUrl);
  const clients = await prepare(run, data, services.map(portsOf));
  const startedAt = performance.now();
  const initial = await runFlows(run, clients, engine);
  const seconds = (performance.now() - startedAt) / 1_000;
  run.log(`${engine.name}: checking the history`);
  for (const client of clients) checkHistory(client, initial.get(client) as AppState);
  await (services[0] as Service).command('check');
  for (const service of services) await service.kill();
  return figuresOf(engine.name, clients, seconds);
}

async function startServices(run: Run, databaseUrl: string): Promise<Service[]> {
  const services: Service[] = [];
  while (services.length < run.number('processes')) {
    const service = await Service.create({ source: run.source, databaseUrl });
    run.atEnd(() => service.kill());
    await service.start();
    services.push(service);
  }
  return services;
}

function portsOf({ publicUrl, operatorUrl }: Service): Ports {
  return { public: Number(new URL(publicUrl).port), operator: Number(new URL(operatorUrl).port) };
}

async function prepare(run: Run, data: RegistryFixture, ports: Ports[]): Promise<AppClient[]> {
  const tokenOf = async (kind: keyof Tokens) => (await data.newToken(kind)).token;
  const tokens: Tokens = {
    developer: await tokenOf('developer'),
    platform: await tokenOf('platform'),
    operator: await tokenOf('operator'),
  };
  const clients: AppClient[] = [];
  while (clients.length < run.number('apps')) {
    const { id, developerId: owner } = await data.newApp({ listingInfo: { shortDescription: 'As it was created' } });
    if (clients.length === 0) await install(data, { id, owner });
    const client = new AppClient({ id, owner, otherUser: data.otherDeveloper.userId }, ports, tokens);
    run.atEnd(() => client.close());
    clients.push(client);
  }
  return clients;
}

async function install({ registry }: RegistryFixture, { id, owner }: { id: string; owner: string }): Promise<void> {
  const lines = Array.from({ length: streamThreshold }, () => JSON.stringify({ ...installationOf(id), userId: owner }));
  await importText(registry, lines.join('\n'));
}

/** Returns the initial state of each app. */
async function runFlows(run: Run, clients: AppClient[], engine: Engine): Promise<Map<AppClient, AppState>> {
  const initial = new Map<AppClient, AppState>();
  for (const client of clients) initial.set(client, await initialState(client));
  const count = () => clients.reduce((sum, { history }) => sum + history.length, 0);
  const isDone = () => count() >= run.number('operations');
  const progress = setInterval(() => run.log(`${engine.name}: ${count()} operations`), 5_000);
  try {
    await Promise.all(clients.flatMap((client, app) => startFlows(run, client, { app, isDone })));
  } finally {
    clearInterval(progress);
  }
  return initial;
}

function startFlows(run: Run, client: AppClient, { app, isDone }: { app: number; isDone: () => boolean }) {
  const workspaces = Array.from({ length: workspacesCount }, () => newId('workspace')) as [string, ...string[]];
  const flows = new Flows(client, workspaces);
  return Array.from({ length: run.number('flows') }, (_, flow) =>
    flows.run(run.random('flow', app * 1_000 + flow), isDone),
  );
}

async function initialState(client: AppClient): Promise<AppState> {
  const { platformApp } = await client.send({ kind: 'get' }, { process: 0 });
  const { developerApp } = await client.send({ kind: 'read' }, { process: 0 });
  client.history.length = 0;
  const { name, updatedAt, reviewStatus, listingInfo } = developerApp as DeveloperApp;
  const installations = platformApp?.installations ?? [];
  return {
    name,
    shortDescription: listingInfo.shortDescription ?? '',
    revision: 1,
    status: reviewStatus,
    updatedAt,
    approvedRevision: null,
    reason: null,
    installations: Installations.of(installations.map((view) => ({ view, revoked: false, byOwner: true }))),
  };
}

function checkHistory({ app, history }: AppClient, initial: AppState): void {
  const violation = findViolation(history, appModel(initial));
  if (violation)
    throw new BrokenPromise(`no order explains the responses about ${app.id}:\n${describeViolation(violation)}`);
}
