import { isDeepStrictEqual } from 'node:util';
import { createToken } from '@appregistrar/testkit/calls/access';
import { createApp } from '@appregistrar/testkit/calls/apps';
import { createDeveloper } from '@appregistrar/testkit/calls/developers';
import { exportText } from '@appregistrar/testkit/registry/export-text';
import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import type { DeveloperApp } from '../packages/server/src/features/apps/app-schemas.ts';
import { updateApp } from '../packages/server/src/features/apps/update-app.ts';
import { newId } from '../packages/server/src/kernel/ids.ts';
import { commandLine, type Registry } from '../packages/server/src/kernel/registry.ts';
import { createCredentials } from './harness/credentials.ts';
import { type FaultInjection, type Figures, guarantee } from './harness/fault-injection.ts';
import { freshSqlite } from './harness/fresh-database.ts';
import type { Run } from './harness/run.ts';
import { Service } from './harness/service.ts';
import { FuzzClient } from './input/fuzz-client.ts';
import type { KnownIds } from './input/operations.ts';

const appsPerClient = 3;

export const faultInjection: FaultInjection = {
  summary:
    'known bad and generated input in every part of a request, to every operation: is it refused properly, or stored exactly?',
  options: {
    requests: { what: 'how many requests', value: 100_000, short: 3_000 },
    clients: { what: 'clients at the same time', value: 8, short: 4 },
    rounds: { what: 'how often everything is checked', value: 20, short: 2 },
  },
  async run(run) {
    const database = freshSqlite();
    run.atEnd(database.remove);
    const { service, clients } = await prepare(run, database.url);
    let before = await withRegistry(database.url, stateOf);
    const perRound = run.number('requests') / run.number('rounds') / clients.length;
    let changes = 0;
    for (let round = 1; round <= run.number('rounds'); round += 1) {
      await Promise.all(clients.map((client) => sendMany(client, perRound)));
      for (const client of clients) await client.assertApps();
      const after = await withRegistry(database.url, stateOf);
      changes += assertRequested({ before, after, clients });
      before = after;
      run.log(`round ${round}: ${Math.round(perRound * clients.length * round)} requests`);
    }
    guarantee(!service.process.hasEnded, 'the service has ended');
    await service.command('check');
    return figuresOf(clients, changes);
  },
  defects: [
    {
      name: 'stored-refusal',
      what: 'an invalid update is refused after a part of it was stored',
      options: { requests: 8_000 },
      patches: [
        {
          file: 'features/apps/update-app.ts',
          in: 'updateApp',
          find: '  const update = requireValid(AppUpdate, input.update);\n  requireAppId(input.appId);',
          replace: `  if (check(AppUpdate, input.update)) await registry.storage.write(async (transaction) => {
    const app = await findAppForUpdate(transaction, { id: input.appId });
    if (app) await (await import('./app-queries.ts')).updateApp(transaction, { ...app, login_url: null });
  });
  const update = requireValid(AppUpdate, input.update);
  requireAppId(input.appId);`,
        },
      ],
    },
  ],
};

async function prepare(run: Run, databaseUrl: string): Promise<{ service: Service; clients: FuzzClient[] }> {
  const { platform, operator } = await createCredentials(databaseUrl);
  const service = await Service.create({ source: run.source, databaseUrl });
  run.atEnd(() => service.kill());
  await service.start();
  const ports = {
    public: Number(new URL(service.publicUrl).port),
    operator: Number(new URL(service.operatorUrl).port),
  };
  const clients: FuzzClient[] = [];
  await withRegistry(databaseUrl, async (registry) => {
    while (clients.length < run.number('clients')) {
      const random = run.random('client', clients.length);
      const { apps, token } = await ownApps(registry, clients.length);
      const sandbox = await sandboxOf(registry, clients.length);
      const client = new FuzzClient({ random, ports, tokens: { developer: token, platform, operator }, apps, sandbox });
      run.atEnd(() => client.close());
      clients.push(client);
    }
  });
  return { service, clients };
}

async function ownApps(registry: Registry, at: number): Promise<{ apps: DeveloperApp[]; token: string }> {
  const { id: developerId } = await createDeveloper(registry, commandLine, { email: `own${at}@example.com` });
  const { token } = await createToken(registry, commandLine, { kind: 'developer', developerId });
  const apps: DeveloperApp[] = [];
  while (apps.length < appsPerClient) {
    const oauthInfo = { loginUrl: 'https://localhost/login' };
    const { id } = await createApp(registry, commandLine, { developerId, name: `Own ${at} ${apps.length}`, oauthInfo });
    apps.push((await updateApp(registry, commandLine, { appId: id, developerId, update: {} })).app);
  }
  return { apps, token };
}

async function sandboxOf(registry: Registry, at: number): Promise<KnownIds> {
  const { id: userId } = await createDeveloper(registry, commandLine, { email: `sandbox${at}@example.com` });
  const { id } = await createApp(registry, commandLine, { developerId: userId, name: `Sandbox ${at}` });
  return { user: [userId], app: [id], workspace: [newId('workspace'), newId('workspace')] };
}

async function sendMany(client: FuzzClient, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) await client.sendOne();
}

interface State {
  /** The exported line of each object, by its id. */
  objects: Map<string, string>;
  events: { id: string; type: string; request_id: string | null; app_id: string | null; subject_id: string }[];
}

async function stateOf(registry: Registry): Promise<State> {
  const lines = (await exportText(registry)).split('\n').filter((line) => line !== '');
  const objects = new Map(lines.map((line) => [idOf(JSON.parse(line)), line]));
  const events = await execute<State['events'][number]>(
    registry.storage.reader,
    'select id, type, request_id, app_id, subject_id from events order by id',
  );
  return { objects, events };
}

/**
 * Whether an app has changed exactly as the last suspension of its developer, or the end of it, says: its event names the
 * developer alone, and apps that were not shown have none of their own.
 */
function followsSuspension(was: string | undefined, is: string | undefined, events: State['events']): boolean {
  if (was === undefined || is === undefined) return false;
  const { suspendedStatus: _, ...app } = JSON.parse(was);
  const last = events.findLast(
    ({ type, subject_id: id }) => id === app.developerId && /^developer\.(un)?suspended$/.test(type),
  );
  if (!last) return false;
  const expected = last.type === 'developer.suspended' ? { ...app, suspendedStatus: app.reviewStatus } : app;
  return isDeepStrictEqual(JSON.parse(is), expected);
}

function idOf({ type, id, userId }: Record<string, string>): string {
  return (type === 'developer' ? userId : id) ?? '';
}

/**
 * Asserts that every new event belongs to an accepted request, and that every changed object is in an event or a
 * response. Returns the number of new events.
 */
function assertRequested({ before, after, clients }: { before: State; after: State; clients: FuzzClient[] }): number {
  const accepted = new Set(clients.flatMap((client) => [...client.accepted]));
  const known = new Set(before.events.map(({ id }) => id));
  const events = after.events.filter(({ id }) => !known.has(id));
  const unrequested = events.filter(({ request_id: id }) => id === null || !accepted.has(id));
  guarantee(
    unrequested.length === 0,
    () => `changes without an accepted request: ${JSON.stringify(unrequested.slice(0, 5))}`,
  );
  const recorded = new Set(events.flatMap((event) => [event.app_id, event.subject_id]));
  const shown = new Set(clients.flatMap((client) => [...client.shown]));
  const changed = [...new Set([...before.objects.keys(), ...after.objects.keys()])].filter(
    (id) => before.objects.get(id) !== after.objects.get(id),
  );
  const isOfSuspended = (id: string) => followsSuspension(before.objects.get(id), after.objects.get(id), events);
  const unrecorded = changed.filter((id) => !recorded.has(id) && !shown.has(id) && !isOfSuspended(id));
  guarantee(
    unrecorded.length === 0,
    () => `changed without an event: ${unrecorded.slice(0, 5).map((id) => after.objects.get(id) ?? id)}`,
  );
  return events.length;
}

function figuresOf(clients: FuzzClient[], changes: number): Figures {
  const statuses: Record<string, number> = {};
  for (const { statuses: some } of clients) {
    for (const [status, count] of Object.entries(some)) statuses[status] = (statuses[status] ?? 0) + count;
  }
  const requests = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  return { requests, ...statuses, changes };
}
