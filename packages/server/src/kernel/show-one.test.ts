import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getToken, listTokens, revokeToken } from '@appregistrar/testkit/calls/access';
import { getAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { getDeveloper, listDevelopers } from '@appregistrar/testkit/calls/developers';
import { getInstallation, listInstallations } from '@appregistrar/testkit/calls/installations';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { decodeTypeId, newId } from './ids.ts';
import { commandLine } from './registry.ts';

/** Malformed ids, some of which a database would reject as a query parameter. */
const malformedIds = ['', 'one', 'app_\0', '\ud800', `token_${'0'.repeat(300)}`, "' or ''='"];

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(() => fixture.close());

  test('a developer is shown as in lists, found by a TypeID or a UUID', async () => {
    const { developer, registry } = fixture;
    assert.deepEqual(await getDeveloper(registry, developer.userId), developer);
    assert.deepEqual(await getDeveloper(registry, decodeTypeId(developer.userId)?.uuid ?? ''), developer);
    assert.deepEqual((await listDevelopers(registry, {})).items[0], developer);
  });

  test('an installation is shown as in lists, enabled or not', async () => {
    const installed = await fixture.install(await fixture.newApp());
    assert.deepEqual(await getInstallation(fixture.registry, installed.id), installed);
    const { items } = await listInstallations(fixture.registry, { workspaceId: installed.workspaceId });
    assert.deepEqual(items, [installed]);
  });

  test('a token is shown as in lists, without its secret and with its current status', async () => {
    const { id, token } = await fixture.newToken('operator', { scopes: ['portal'], expiresIn: 60, name: 'portal' });
    const shown = () => getToken(fixture.registry, id);
    assert.deepEqual(await shown(), {
      id,
      kind: 'operator',
      scopes: ['portal'],
      name: 'portal',
      createdAt: '2026-03-01T09:30:00.000Z',
      expiresAt: '2026-03-01T09:31:00.000Z',
      status: 'active',
    });
    assert.deepEqual((await listTokens(fixture.registry, { kind: 'operator' })).items, [await shown()]);
    assert.ok(!JSON.stringify(await shown()).includes(token));
    now += 60_000;
    assert.equal((await shown()).status, 'expired');
    await revokeToken(fixture.registry, commandLine, id);
    assert.equal((await shown()).status, 'revoked');
  });

  test('a missing object and a malformed id are refused with the code of their kind', async () => {
    const { registry } = fixture;
    for (const id of [newId('app'), newId('token'), ...malformedIds]) {
      await assertRefused(registry, () => getAppAsOperator(registry, id), 'app_not_found');
      await assertRefused(registry, () => getInstallation(registry, id), 'installation_not_found');
    }
    for (const id of [newId('token'), newId('app'), ...malformedIds]) {
      await assertRefused(registry, () => getToken(registry, id), 'token_not_found');
    }
    for (const id of [newId('user'), newId('app'), ...malformedIds]) {
      await assertRefused(registry, () => getDeveloper(registry, id), 'developer_not_found');
    }
  });
});
