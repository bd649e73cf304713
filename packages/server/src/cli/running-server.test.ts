import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import { contentOf } from '@appregistrar/testkit/registry/recorded';
import { quickStop } from '../../test/programs/quick-stop.ts';
import { readConfig } from '../config/config.ts';
import type { AccessToken } from '../features/access/access-token.ts';
import type { OperatorApp, PlatformApp } from '../features/apps/app-schemas.ts';
import type { OperatorDeveloper } from '../features/developers/developer.ts';
import type { OperatorInstallation } from '../features/installations/installation.ts';
import { type Server, startServer } from '../serve.ts';

type Issued = AccessToken & { token: string };

onSqlite((engine) => {
  let cli: CommandLine;
  let server: Server;
  let developerId: string;
  let app: OperatorApp;
  let developer: Issued;
  let platform: Issued;

  before(async () => {
    cli = await CommandLine.open(engine);
    server = await startServer(
      readConfig({
        DATABASE_URL: cli.databaseUrl,
        PUBLIC_ADDRESS: '127.0.0.1:0',
        OPERATOR_ADDRESS: '127.0.0.1:0',
        LOG_LEVEL: 'silent',
        RATE_LIMIT_UPDATES_PER_MINUTE: '0',
        STORED_BYTES_PER_DEVELOPER_PER_DAY: '0',
      }),
    );
    ({ id: developerId } = await cli.done<OperatorDeveloper>('developer', 'create', '--email', 'ada@example.com'));
    app = await cli.done<OperatorApp>('app', 'create', '--developer', developerId, '--name', 'Invoice Sync');
    developer = await cli.done<Issued>('token', 'create', '--kind', 'developer', '--developer', developerId);
    platform = await cli.done<Issued>('token', 'create', '--kind', 'platform');
  });
  after(async () => {
    await server.stop(quickStop);
    await cli.close();
  });

  const request = (path: string, token: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${server.publicAddress.port}${path}`, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${token}` },
    });
  const getApp = async (): Promise<PlatformApp> => {
    const response = await request(`/platform/apps/v1/${app.id}`, platform.token);
    assert.equal(response.status, 200);
    return (await response.json()) as PlatformApp;
  };
  const updateApp = async (update: object, token = developer.token): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'PATCH', headers, body: JSON.stringify(update) };
    return (await request(`/developer/apps/v1/${app.id}`, token, init)).status;
  };

  test('a review step is visible in the next response', async () => {
    assert.equal((await getApp()).reviewStatus, 'DRAFT');
    await cli.done('app', 'submit', app.id);
    assert.equal((await getApp()).reviewStatus, 'AWAITING_REVIEW');
    assert.equal(await updateApp({ name: 'Ledger Sync' }), 409);
    await cli.done('app', 'approve', app.id, '--revision', '1');
    assert.equal((await getApp()).reviewStatus, 'APPROVED');
    assert.equal(await updateApp({ name: 'Ledger Sync' }), 200);
  });

  test('an update is visible to the next command', async () => {
    assert.equal(await updateApp({ listingInfo: { backgroundColor: '#123456' } }), 200);
    const shown = await cli.done<OperatorApp>('app', 'get', app.id);
    assert.equal(shown.listingInfo.backgroundColor, '#123456');
    assert.equal(shown.changedSinceApproval, true);
  });

  test('the creation and deletion of an installation are visible in the next response', async () => {
    const target = ['--workspace', 'workspace_01jq3w2r5sfh8tn4m6b7k8c9d0', '--user', developerId];
    const installed = await cli.done<OperatorInstallation>('installation', 'create', '--app', app.id, ...target);
    assert.deepEqual((await getApp()).installations, [contentOf(installed)]);
    const { disabledBy, ...disabled } = contentOf(
      await cli.done<OperatorInstallation>('installation', 'disable', installed.id),
    );
    assert.deepEqual(disabledBy, ['workspace']);
    assert.deepEqual((await getApp()).installations, [disabled], 'the platform sees no causes');
    await cli.done('installation', 'delete', installed.id);
    assert.deepEqual((await getApp()).installations, []);
  });

  test('a token works from the next request on, and stops working when it is revoked', async () => {
    const issued = await cli.done<Issued>('token', 'create', '--kind', 'developer', '--developer', developerId);
    assert.equal(await updateApp({}, issued.token), 200);
    await cli.done('token', 'revoke', issued.id);
    assert.equal(await updateApp({}, issued.token), 401);
    assert.equal(await updateApp({}), 200);
  });

  test('concurrent commands and updates all succeed', async () => {
    const rounds = Array.from({ length: 10 }, (_, round) => round);
    const updates = rounds.map((round) => updateApp({ listingInfo: { shortDescription: `Round ${round}.` } }));
    const commands = rounds.map(() => cli.done('token', 'create', '--kind', 'platform'));
    assert.deepEqual(new Set(await Promise.all(updates)), new Set([200]));
    await Promise.all(commands);
  });
});
