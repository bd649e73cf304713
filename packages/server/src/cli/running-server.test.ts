import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { getAppRequest, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import { send } from '@appregistrar/testkit/http/send';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import { contentOf } from '@appregistrar/testkit/registry/recorded';
import { type ServedHere, serveHere } from '../../test/programs/serve-here.ts';
import type { OperatorApp, PlatformApp } from '../features/apps/app-schemas.ts';
import type { OperatorDeveloper } from '../features/developers/developer.ts';
import type { OperatorInstallation } from '../features/installations/installation.ts';

let cli: CommandLine;
let server: ServedHere;
let developerId: string;
let id: string;
let tokens: { developer: string; platform: string };

before(async () => {
  cli = await CommandLine.open(sqlite);
  server = await serveHere(cli.databaseUrl);
  ({ id: developerId } = await cli.done<OperatorDeveloper>('developer', 'create', '--email', 'ada@example.com'));
  ({ id } = await cli.done<OperatorApp>('app', 'create', '--developer', developerId, '--name', 'Invoice Sync'));
  const { token: developer } = await issue('developer', '--developer', developerId);
  tokens = { developer, platform: (await issue('platform')).token };
});
after(async () => {
  await server.stop();
  await cli.close();
});

const issue = (...kind: string[]) => cli.done<{ id: string; token: string }>('token', 'create', '--kind', ...kind);
const getApp = async () => (await send<PlatformApp>(server.publicUrl, getAppRequest(tokens.platform, id))).view;
const updateApp = async (update: object, token = tokens.developer) =>
  (await send(server.publicUrl, updateAppRequest(token, { id, update }))).status;

test('a review step is visible in the next response, and an update to the next command', async () => {
  assert.equal((await getApp()).reviewStatus, 'DRAFT');
  await cli.done('app', 'submit', id);
  assert.equal((await getApp()).reviewStatus, 'AWAITING_REVIEW');
  assert.equal(await updateApp({ name: 'Ledger Sync' }), 409);
  await cli.done('app', 'approve', id, '--revision', '1');
  assert.equal((await getApp()).reviewStatus, 'APPROVED');
  assert.equal(await updateApp({ name: 'Ledger Sync' }), 200);
  const { name, changedSinceApproval } = await cli.done<OperatorApp>('app', 'get', id);
  assert.deepEqual([name, changedSinceApproval], ['Ledger Sync', true]);
});

test('each change of an installation is visible in the next response', async () => {
  const target = ['--workspace', 'workspace_01jq3w2r5sfh8tn4m6b7k8c9d0', '--user', developerId];
  const installed = await cli.done<OperatorInstallation>('installation', 'create', '--app', id, ...target);
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
  const issued = await issue('developer', '--developer', developerId);
  assert.equal(await updateApp({}, issued.token), 200);
  await cli.done('token', 'revoke', issued.id);
  assert.equal(await updateApp({}, issued.token), 401);
  assert.equal(await updateApp({}), 200);
});

test('concurrent commands and updates all succeed', async () => {
  const rounds = Array.from({ length: 10 }, (_, round) => round);
  const updates = rounds.map((round) => updateApp({ listingInfo: { shortDescription: `Round ${round}.` } }));
  const commands = rounds.map(() => issue('platform'));
  assert.deepEqual(new Set(await Promise.all(updates)), new Set([200]));
  await Promise.all(commands);
});
