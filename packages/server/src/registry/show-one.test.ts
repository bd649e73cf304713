import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { assertRefused } from 'app-registry-testkit/registry/recorded';
import { RegistryFixture } from 'app-registry-testkit/registry/registry-fixture';
import { showApp } from './apps/show-app.ts';
import { listDevelopers } from './developers/list-developers.ts';
import { showDeveloper } from './developers/show-developer.ts';
import { listInstallations } from './installations/list-installations.ts';
import { showInstallation } from './installations/show-installation.ts';
import { commandLine } from './registry.ts';
import { listTokens } from './tokens/list-tokens.ts';
import { revokeToken } from './tokens/revoke-token.ts';
import { showToken } from './tokens/show-token.ts';
import { decodeTypeId, newId } from './type-id.ts';

/** No ids, some of which no database would take for a question. */
const noIds = ['', 'one', 'app_\0', '\ud800', `token_${'0'.repeat(300)}`, "' or ''='"];

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(() => fixture.close());

  test('a developer is shown as lists show it, by a TypeID or a UUID', async () => {
    const { developer, registry } = fixture;
    assert.deepEqual(await showDeveloper(registry, developer.userId), developer);
    assert.deepEqual(await showDeveloper(registry, decodeTypeId(developer.userId)?.uuid ?? ''), developer);
    assert.deepEqual((await listDevelopers(registry, {})).items[0], developer);
  });

  test('an installation is shown as lists show it, enabled or not', async () => {
    const installed = await fixture.install(await fixture.newApp());
    assert.deepEqual(await showInstallation(fixture.registry, installed.id), installed);
    const { items } = await listInstallations(fixture.registry, { workspaceId: installed.workspaceId });
    assert.deepEqual(items, [installed]);
  });

  test('a token is shown as lists show it, without its secret, and with whether it can be used now', async () => {
    const { id, token } = await fixture.newToken('operator', { scopes: ['portal'], lifeMs: 60_000, name: 'portal' });
    const shown = () => showToken(fixture.registry, id);
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

  test('what is not there, and what is no id, is refused by name', async () => {
    const { registry } = fixture;
    for (const id of [newId('app'), newId('token'), ...noIds]) {
      await assertRefused(registry, () => showApp(registry, id), 'app_not_found');
      await assertRefused(registry, () => showInstallation(registry, id), 'installation_not_found');
    }
    for (const id of [newId('token'), newId('app'), ...noIds]) {
      await assertRefused(registry, () => showToken(registry, id), 'token_not_found');
    }
    for (const id of [newId('user'), newId('app'), ...noIds]) {
      await assertRefused(registry, () => showDeveloper(registry, id), 'developer_not_found');
    }
  });
});
