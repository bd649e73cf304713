import { exportText } from 'app-registry-testkit/registry/export-text';
import type { DeveloperApp } from '../packages/server/src/contract/app.ts';
import { createApp } from '../packages/server/src/registry/apps/create-app.ts';
import { updateApp } from '../packages/server/src/registry/apps/update-app.ts';
import { createDeveloper } from '../packages/server/src/registry/developers/create-developer.ts';
import { commandLine, type Registry } from '../packages/server/src/registry/registry.ts';
import { issueToken } from '../packages/server/src/registry/tokens/issue-token.ts';
import { newId } from '../packages/server/src/registry/type-id.ts';
import { execute } from '../packages/server/src/storage/testing/storage-test.ts';
import { makeCredentials, withRegistry } from './frame/credentials.ts';
import { freshSqlite } from './frame/fresh-database.ts';
import type { Run } from './frame/run.ts';
import { Service } from './frame/service.ts';
import { type Figures, promise, type Torture } from './frame/torture.ts';
import type { KnownIds } from './input/operations.ts';
import { Asker } from './input/request-sender.ts';

const appsOfEach = 3;

export const torture: Torture = {
  summary:
    'nasty and generated input in every part of a request, to every operation: is it refused well, or kept exactly?',
  options: {
    requests: { what: 'how many', value: 100_000, short: 3_000 },
    askers: { what: 'clients at the same time', value: 8, short: 4 },
    rounds: { what: 'after each of them everything is looked at', value: 20, short: 2 },
  },
  async run(run) {
    const database = freshSqlite();
    run.atEnd(database.remove);
    const { service, askers } = await prepare(run, database.url);
    let before = await withRegistry(database.url, stateOf);
    const perRound = run.number('requests') / run.number('rounds') / askers.length;
    let changes = 0;
    for (let round = 1; round <= run.number('rounds'); round += 1) {
      await Promise.all(askers.map((asker) => askSome(asker, perRound)));
      for (const asker of askers) await asker.assertApps();
      const after = await withRegistry(database.url, stateOf);
      changes += assertAskedFor({ before, after, askers });
      before = after;
      run.say(`round ${round}: ${Math.round(perRound * askers.length * round)} requests`);
    }
    promise(!service.process.hasEnded, 'the service has ended');
    await service.command('check');
    return figuresOf(askers, changes);
  },
  mutants: [
    {
      name: 'unknown-fault',
      what: 'a fault of the framework is not known as the fault of a client',
      patches: [
        { file: 'http/problem/to-problem.ts', find: `case 'FST_ERR_BAD_URL':`, replace: `case 'FST_ERR_NO_URL':` },
      ],
    },
    {
      name: 'normalised',
      what: 'a name is stored in another form of Unicode',
      patches: [
        {
          file: 'registry/apps/change-app-content.ts',
          find: '    ...given,\n',
          replace: `    ...given,\n    ...(given.name !== undefined && { name: given.name.normalize('NFKC') }),\n`,
        },
      ],
    },
    {
      name: 'proto',
      what: '__proto__ is taken for a member like others',
      patches: [
        { file: 'http/body/json.ts', find: `if (name === '__proto__')`, replace: `if (name === '__prototype__')` },
      ],
    },
    {
      name: 'last-wins',
      what: 'of two members with one name the last is taken',
      patches: [
        {
          file: 'http/body/json.ts',
          find: 'if (members?.has(name))',
          replace: 'if (members?.has(String(members.size)))',
        },
      ],
    },
    {
      name: 'more-than-asked',
      what: 'an update that names a colour removes the short description',
      patches: [
        {
          file: 'registry/apps/change-app-content.ts',
          find: '    ...given,\n',
          replace: '    ...given,\n    ...(given.background_color !== undefined && { short_description: null }),\n',
        },
      ],
    },
    {
      name: 'stored-though-refused',
      what: 'an update of an app that is under review is refused after it was stored',
      options: { requests: 8_000 },
      patches: [
        {
          file: 'registry/apps/update-app.ts',
          find: 'throwIfInvalid(check(AppUpdate, input.update));\n  requireAppId(input.appId);\n  const given',
          replace: `const faults = check(AppUpdate, input.update);
  if (faults) await registry.storage.write(async (transaction) => {
    const app = await findAppForUpdate(transaction, { id: input.appId });
    if (app) await (await import('../storage/apps.ts')).updateApp(transaction, { ...app, login_url: null });
  });
  throwIfInvalid(faults);
  requireAppId(input.appId);
  const given`,
        },
      ],
    },
  ],
};

async function prepare(run: Run, databaseUrl: string): Promise<{ service: Service; askers: Asker[] }> {
  const { platform, operator } = await makeCredentials(databaseUrl);
  const service = await Service.create({ source: run.source, databaseUrl });
  run.atEnd(() => service.kill());
  await service.start();
  const ports = {
    public: Number(new URL(service.publicUrl).port),
    operator: Number(new URL(service.operatorUrl).port),
  };
  const askers: Asker[] = [];
  await withRegistry(databaseUrl, async (registry) => {
    while (askers.length < run.number('askers')) {
      const random = run.random('asker', askers.length);
      const { apps, token } = await ownApps(registry, askers.length);
      const sandbox = await sandboxOf(registry, askers.length);
      const asker = new Asker({ random, ports, tokens: { developer: token, platform, operator }, apps, sandbox });
      run.atEnd(() => asker.close());
      askers.push(asker);
    }
  });
  return { service, askers };
}

async function ownApps(registry: Registry, at: number): Promise<{ apps: DeveloperApp[]; token: string }> {
  const { userId: developerId } = await createDeveloper(registry, commandLine, { email: `own${at}@example.com` });
  const { token } = await issueToken(registry, commandLine, { kind: 'developer', developerId });
  const apps: DeveloperApp[] = [];
  while (apps.length < appsOfEach) {
    const oauthInfo = { loginUrl: 'https://localhost/login' };
    const { id } = await createApp(registry, commandLine, { developerId, name: `Own ${at} ${apps.length}`, oauthInfo });
    apps.push((await updateApp(registry, commandLine, { appId: id, developerId, update: {} })).app);
  }
  return { apps, token };
}

async function sandboxOf(registry: Registry, at: number): Promise<KnownIds> {
  const { userId } = await createDeveloper(registry, commandLine, { email: `sandbox${at}@example.com` });
  const { id } = await createApp(registry, commandLine, { developerId: userId, name: `Sandbox ${at}` });
  return { user: [userId], app: [id], workspace: [newId('workspace'), newId('workspace')] };
}

async function askSome(asker: Asker, count: number): Promise<void> {
  for (let asked = 0; asked < count; asked += 1) await asker.askOne();
}

interface State {
  /** What an export tells of each object, by its id. */
  objects: Map<string, string>;
  events: { id: string; request_id: string | null; app_id: string | null; subject_id: string }[];
}

async function stateOf(registry: Registry): Promise<State> {
  const lines = (await exportText(registry)).split('\n').filter((line) => line !== '');
  const objects = new Map(lines.map((line) => [idOf(JSON.parse(line)), line]));
  const events = await execute<State['events'][number]>(
    registry.storage.reader,
    'select id, request_id, app_id, subject_id from events',
  );
  return { objects, events };
}

function idOf({ type, id, userId }: Record<string, string>): string {
  return (type === 'developer' ? userId : id) ?? '';
}

/** Every event is of an accepted request, and every object that differs is in an event or an answer. To their number. */
function assertAskedFor({ before, after, askers }: { before: State; after: State; askers: Asker[] }): number {
  const accepted = new Set(askers.flatMap((asker) => [...asker.accepted]));
  const known = new Set(before.events.map(({ id }) => id));
  const events = after.events.filter(({ id }) => !known.has(id));
  const unasked = events.filter(({ request_id: id }) => id === null || !accepted.has(id));
  promise(
    unasked.length === 0,
    () => `changes that no accepted request asked for: ${JSON.stringify(unasked.slice(0, 5))}`,
  );
  const told = new Set(events.flatMap((event) => [event.app_id, event.subject_id]));
  const shown = new Set(askers.flatMap((asker) => [...asker.shown]));
  const changed = [...new Set([...before.objects.keys(), ...after.objects.keys()])].filter(
    (id) => before.objects.get(id) !== after.objects.get(id),
  );
  const silent = changed.filter((id) => !told.has(id) && !shown.has(id));
  promise(
    silent.length === 0,
    () => `changed without an event: ${silent.slice(0, 5).map((id) => after.objects.get(id) ?? id)}`,
  );
  return events.length;
}

function figuresOf(askers: Asker[], changes: number): Figures {
  const statuses: Record<string, number> = {};
  for (const { statuses: some } of askers) {
    for (const [status, count] of Object.entries(some)) statuses[status] = (statuses[status] ?? 0) + count;
  }
  const requests = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  return { requests, ...statuses, changes };
}
