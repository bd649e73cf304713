import { type Engine, postgres, sqlite } from '@appregistrar/testkit/engines/engines';
import { importText } from '@appregistrar/testkit/registry/export-text';
import { installationOf } from '@appregistrar/testkit/registry/import-file';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import type { DeveloperApp } from '../packages/server/src/features/apps/app-schemas.ts';
import { newId } from '../packages/server/src/kernel/ids.ts';
import { BrokenGuarantee, type FaultInjection, type Figures } from './harness/fault-injection.ts';
import type { Run } from './harness/run.ts';
import { Service } from './harness/service.ts';
import { known } from './many-at-once/app-changes.ts';
import { AppClient } from './many-at-once/app-client.ts';
import { appModel } from './many-at-once/app-model.ts';
import type { AppState } from './many-at-once/app-state.ts';
import { Connections, type Ports, type Tokens } from './many-at-once/connections.ts';
import { contentOf } from './many-at-once/content.ts';
import { defects } from './many-at-once/defects.ts';
import { checkEffectiveEvents, type EffectiveChange } from './many-at-once/effective-events.ts';
import { FeedReader } from './many-at-once/feed-reader.ts';
import { Flows } from './many-at-once/flows.ts';
import { Installations } from './many-at-once/installations.ts';
import { findViolation } from './many-at-once/linearizability.ts';
import type { Operation } from './many-at-once/operations.ts';
import { RegistryClient } from './many-at-once/registry-client.ts';
import { RegistryFlows } from './many-at-once/registry-flow.ts';
import { describeViolation, figuresOf } from './many-at-once/report.ts';
import { Revisions } from './many-at-once/revisions.ts';

const engines: Record<string, Engine> = { sqlite, postgres };
/** Longer lists are streamed. This one varies around the threshold. */
const streamThreshold = 1_000;
const workspacesCount = 10;
/** Those that concern all apps, or all of a developer. */
const registryFlowsCount = 2;
/** The same for all processes, so that they have the same `ETag` for one view. */
const env = { BASE_URL: 'https://apps.example.com' };

export const faultInjection: FaultInjection = {
  summary:
    'updates, installs, reviews and reads by many clients through several processes: is the history linearizable?',
  options: {
    engines: { what: 'on which databases', value: 'sqlite,postgres' },
    processes: { what: 'processes that serve one database', value: 3, short: 2 },
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
  defects,
};

async function runOn(run: Run, engine: Engine): Promise<Figures> {
  const data = await RegistryFixture.open(engine);
  run.atEnd(() => data.close());
  const services = await startServices(run, data.databaseUrl);
  const [first] = services as [Service];
  const parts = { connections: new Connections(services.map(portsOf)), tokens: await tokensOf(data) };
  run.atEnd(() => parts.connections.close());
  const registryClient = new RegistryClient({ ...parts, command: (...args) => first.command(...args) });
  const clients = await prepare(run, data, parts);
  const initial = await Promise.all(clients.map(initialState));
  const startedAt = performance.now();
  const registryFlows = new RegistryFlows(registryClient, developersOf(data));
  await new FeedReader(parts).readDuring(runFlows(run, { engine, clients, registryClient, registryFlows }));
  const seconds = (performance.now() - startedAt) / 1_000;
  run.log(`${engine.name}: checking the history`);
  const effective = await Promise.all(clients.map(({ app }) => registryClient.effectiveChanges(app.id)));
  for (const [app, client] of clients.entries()) {
    const history = [...client.history, ...registryClient.historyOf(client.app.owner)];
    checkHistory(client, { history, initial: initial[app] as AppState, effective: effective[app] ?? [] });
  }
  await first.command('check');
  for (const service of services) await service.kill();
  return figuresOf(engine.name, [...registryClient.history, ...clients.flatMap(({ history }) => history)], seconds);
}

async function startServices(run: Run, databaseUrl: string): Promise<Service[]> {
  const services: Service[] = [];
  while (services.length < run.number('processes')) {
    const service = await Service.create({ source: run.source, databaseUrl, env });
    run.atEnd(() => service.kill());
    await service.start();
    services.push(service);
  }
  return services;
}

function portsOf({ publicUrl, operatorUrl }: Service): Ports {
  return { public: Number(new URL(publicUrl).port), operator: Number(new URL(operatorUrl).port) };
}

async function tokensOf(data: RegistryFixture): Promise<Tokens> {
  const tokenOf = async (kind: keyof Tokens) => (await data.newToken(kind)).token;
  return {
    platform: await tokenOf('platform'),
    operator: await tokenOf('operator'),
  };
}

async function prepare(
  run: Run,
  data: RegistryFixture,
  parts: { connections: Connections; tokens: Tokens },
): Promise<AppClient[]> {
  const clients: AppClient[] = [];
  while (clients.length < run.number('apps')) {
    const [one, other] = developersOf(data);
    const [owner, otherUser] = clients.length % 2 === 0 ? [one, other] : [other, one];
    const content = { listingInfo: { shortDescription: 'As it was created' } };
    const { id } = await data.newApp({ ...content, developerId: owner });
    if (clients.length === 0) await install(data, { id, owner });
    const { token } = await data.newToken('developer', { developerId: owner });
    clients.push(new AppClient({ id, owner, token, otherUser }, parts));
  }
  return clients;
}

function developersOf({ developer, otherDeveloper }: RegistryFixture): [string, string] {
  return [developer.id, otherDeveloper.id];
}

async function install({ registry }: RegistryFixture, { id, owner }: { id: string; owner: string }): Promise<void> {
  const lines = Array.from({ length: streamThreshold }, () => JSON.stringify({ ...installationOf(id), userId: owner }));
  await importText(registry, lines.join('\n'));
}

interface Clients {
  engine: Engine;
  clients: AppClient[];
  registryClient: RegistryClient;
  registryFlows: RegistryFlows;
}

/** The last response of each app shows its final state. */
async function runFlows(run: Run, { engine, clients, registryClient, registryFlows }: Clients): Promise<void> {
  const count = () => [registryClient, ...clients].reduce((sum, { history }) => sum + history.length, 0);
  const isDone = () => count() >= run.number('operations');
  const progress = setInterval(() => run.log(`${engine.name}: ${count()} operations`), 5_000);
  try {
    await Promise.all([
      ...clients.flatMap((client, app) => startFlows(run, client, { app, isDone })),
      ...Array.from({ length: registryFlowsCount }, (_, flow) =>
        registryFlows.run(run.random('registry', flow), isDone),
      ),
    ]);
    await Promise.all(clients.map((client) => client.send({ kind: 'show' }, { process: 0 })));
  } finally {
    clearInterval(progress);
  }
}

function startFlows(run: Run, client: AppClient, { app, isDone }: { app: number; isDone: () => boolean }) {
  const workspaces = Array.from({ length: workspacesCount }, () => newId('workspace')) as [string, ...string[]];
  const flows = new Flows(client, workspaces);
  return Array.from({ length: run.number('flows') }, (_, flow) =>
    flows.run(run.random('flow', app * 1_000 + flow), isDone),
  );
}

async function initialState(client: AppClient): Promise<AppState> {
  const { platformApp, platformTag = null } = await client.send({ kind: 'get' }, { process: 0 });
  const { developerApp } = await client.send({ kind: 'read' }, { process: 0 });
  client.history.length = 0;
  const app = developerApp as DeveloperApp;
  const [content, updatedAt] = [contentOf(app), known(app.updatedAt)];
  const installations = platformApp?.installations ?? [];
  return {
    id: app.id,
    mode: 'live',
    content,
    revision: 1,
    revisions: Revisions.of({ content, at: updatedAt }),
    status: app.reviewStatus,
    updatedAt,
    shownAt: updatedAt,
    approved: null,
    withdrawn: {},
    changeSince: null,
    rejectedChange: null,
    reason: null,
    suspension: null,
    installations: Installations.of(installations.map((view) => ({ view, causes: [], byOwner: true }))),
    tag: platformTag,
  };
}

interface Checked {
  history: Operation[];
  initial: AppState;
  effective: EffectiveChange[];
}

function checkHistory({ app }: AppClient, { history, initial, effective }: Checked): void {
  const violation = findViolation(history, appModel(initial));
  if (violation)
    throw new BrokenGuarantee(`no order explains the responses about ${app.id}:\n${describeViolation(violation)}`);
  checkEffectiveEvents(history, effective);
}
