import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import type { OperatorApp } from '../../features/apps/app-schemas.ts';
import type { OperatorDeveloper } from '../../features/developers/developer.ts';
import type { EventPage } from '../../features/events/event-query.ts';
import { searchLimits } from '../../features/events/search-events.ts';
import { newId } from '../../kernel/ids.ts';
import { openStorage } from '../../storage/open-storage.ts';

onSqlite((engine) => {
  let cli: CommandLine;
  let app: string;
  let developerId: string;
  before(async () => {
    cli = await CommandLine.open(engine);
    const { id: userId } = await change<OperatorDeveloper>('developer', 'create', '--email', 'ada@example.com');
    developerId = userId;
    app = (await change<OperatorApp>('app', 'create', '--developer', userId, '--name', 'Invoice Sync')).id;
    await change('app', 'update', app, '--short-description', 'One, "two".');
    await change('app', 'submit', app);
    await change('app', 'delete', app);
  });
  after(() => cli.close());

  const change = <Result extends object>(...args: string[]) => cli.done<Result>(...args, '--actor', 'nightly');
  const listAll = (...options: string[]) => cli.done<EventPage>('event', 'list', ...options);
  const list = (...options: string[]) => listAll('--app', app, ...options);

  test('text output shows the state before and after an event on one line each', async () => {
    const { status, stdout } = await cli.run('event', 'list', '--app', app);
    assert.equal(status, 0);
    assert.match(stdout, /^\S+Z\tapp\.created\tcommand-line:nightly\t/);
    assert.match(stdout, /before\.listingInfo\.shortDescription null, after\..* "One, \\"two\\"\."/);
    assert.match(stdout, /before\.reviewStatus "DRAFT", after\.reviewStatus "AWAITING_REVIEW", after\.revision 2$/m);
  });

  test('each filter has an option', async () => {
    const { items } = await list('--field', 'listingInfo.shortDescription');
    const [, { id, timestamp } = assert.fail(), ...others] = items;
    assert.deepEqual(others, []);
    assert.deepEqual(
      (await listAll('--actor', 'command-line:nightly', '--limit', '1')).items[0]?.type,
      'developer.created',
    );
    const types = async (...options: string[]) => (await list(...options)).items.map(({ type }) => type);
    assert.deepEqual(await types('--since', id), ['app.submitted', 'app.deleted']);
    assert.ok((await types('--since', timestamp)).includes('app.deleted'));
    assert.deepEqual(await listAll('--request', '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11'), { items: [] });
    assert.equal((await listAll()).items[0]?.type, 'developer.created');
  });

  test('event list --workspaces shows where the apps are installed', async () => {
    const { id: userId } = await change<OperatorDeveloper>('developer', 'create', '--email', 'grace@example.com');
    const { id } = await change<OperatorApp>('app', 'create', '--developer', userId, '--name', 'Ledger');
    const workspace = 'workspace_01jq3w2r5sfh8tn4m6b7k8c9d0';
    await cli.done('installation', 'create', '--app', id, '--workspace', workspace, '--user', userId);
    const options = ['--actor', 'command-line:nightly', '--workspaces'];
    assert.deepEqual((await listAll(...options)).apps, [
      { appId: app, installationCount: 0, workspaceIds: [] },
      { appId: id, installationCount: 1, workspaceIds: [workspace] },
    ]);
    const { stdout } = await cli.run('event', 'list', ...options);
    assert.match(stdout, new RegExp(`^apps:\n  - appId +${app}\n`, 'm'));
    assert.match(stdout, new RegExp(`^ +workspaceIds +${workspace}$`, 'm'));
  });

  test('the help shows how to find who changed a field, and what a token changed', async () => {
    const { stdout } = await cli.run('event', 'list', '--help');
    assert.match(stdout, /^ {2}\$ app-registry event list --app app_\w+ --field oauthInfo\.callbackUrl$/m);
    assert.match(stdout, /^ {2}\$ app-registry event list --actor token_\w+ --workspaces$/m);
    assert.match(stdout, /^ {2}\$ app-registry event list --field oauthInfo\.callbackUrl --contains evil\.example$/m);
  });

  test('event list --contains prints changes of all apps, and how to continue when there may be more', async () => {
    const search = ['--field', 'listingInfo.shortDescription', '--contains', '"TWO"'];
    const { items, searched, nextCursor } = await listAll(...search);
    assert.deepEqual(
      items.map(({ type, appId }) => [type, appId]),
      [['app.updated', app]],
    );
    assert.deepEqual([(searched?.events ?? 0) > 1, nextCursor], [true, undefined]);
    const first = await cli.run('event', 'list', ...search, '--limit', '1');
    const [, cursor = ''] = /^To continue, add --cursor (\S+),/m.exec(first.stderr) ?? [];
    assert.match(first.stdout, /^searched:\n {2}events +\d+\n {2}until:\n {4}id +event_/m);
    assert.deepEqual((await listAll(...search, '--cursor', cursor)).items, []);
  });

  test('event list --contains continues by itself until everything is searched', async () => {
    const storage = await openStorage(cli.databaseUrl);
    const [event = assert.fail()] = await rowsOf(storage, 'events');
    const others = Array.from({ length: searchLimits.events }, () => ({ ...event, id: newId('event'), after: '{}' }));
    await storage.write((transaction) => transaction.insertNew('events', others));
    await storage.close();
    const name = 'After many events';
    await cli.done('app', 'create', '--developer', developerId, '--name', name);
    const options = ['--contains', 'AFTER many', '--workspaces'];
    const { items, apps, searched, nextCursor } = await listAll(...options);
    assert.deepEqual([items.length, apps?.length, nextCursor], [1, 1, undefined]);
    assert.ok((searched?.events ?? 0) > searchLimits.events);
    assert.deepEqual(searched?.until, { id: items[0]?.id, timestamp: items[0]?.timestamp });
  });
});
