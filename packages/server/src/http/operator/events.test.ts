import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp, restoreApp } from '@appregistrar/testkit/calls/apps';
import { setInstallationEnabled } from '@appregistrar/testkit/calls/installations';
import { eraseDeveloper } from '@appregistrar/testkit/calls/suspension';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { withoutNonce } from '@appregistrar/testkit/registry/recorded';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';
import type { OperatorApp } from '../../features/apps/app-schemas.ts';
import { insertEvent } from '../../features/events/event-queries.ts';
import type { EventPage } from '../../features/events/event-query.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';

onSqlite((engine) => {
  let operator: OperatorFixture;
  let app: OperatorApp;
  before(async () => {
    operator = await OperatorFixture.open(engine);
    app = await operator.data.newApp({ status: 'APPROVED' });
  });
  after(() => operator.close());

  const list = async (query: string) => (await operator.call<EventPage>(`GET /events?${query}`, { as: 'read' })).view;

  test('one query shows who changed a field, its old and new values, when, and by which request', async () => {
    const [from, to] = ['https://a.example/callback', 'https://b.example/callback'];
    for (const callbackUrl of [from, to]) {
      await operator.call(`PATCH /apps/${app.id}`, { as: 'portal', body: { oauthInfo: { callbackUrl } } });
    }
    const [created, first, second, ...others] = (await list(`appId=${app.id}&field=oauthInfo.callbackUrl`)).items;
    assert.deepEqual([created?.type, others], ['app.created', []]);
    assert.deepEqual(withoutNonce(first?.data), {
      before: { oauthInfo: { callbackUrl: null } },
      after: { oauthInfo: { callbackUrl: from }, revision: 2 },
      changedSinceApproval: ['oauthInfo.callbackUrl'],
      effective: { oauthInfo: { callbackUrl: from } },
    });
    assert.ok(second?.type === 'app.updated');
    assert.deepEqual(second.data.before, { oauthInfo: { callbackUrl: from } });
    assert.equal(second.actor, operator.tokens.portal.id);
    assert.deepEqual((await list(`requestId=${second.requestId}`)).items, [second]);
    assert.ok(Math.abs(Date.parse(second.timestamp) - Date.now()) < 60_000);
  });

  test('one query shows what a token changed and which workspaces have those apps installed', async () => {
    const { workspaceId } = await operator.data.install(app);
    const actor = operator.tokens.portal.id;
    const { items, apps } = await list(`actor=${actor}&workspaces=true&limit=100`);
    assert.ok(items.length > 0 && items.every((event) => event.actor === actor));
    assert.deepEqual(apps, [{ appId: app.id, installationCount: 1, workspaceIds: [workspaceId] }]);
    assert.equal((await list(`actor=${actor}&workspaces=false`)).apps, undefined);
  });

  test('every event matches the published document, even one of an undocumented type', async () => {
    const { registry } = operator.data;
    const rejected = await operator.data.newApp({ status: 'REJECTED' });
    const { id } = await operator.data.install(app);
    await setInstallationEnabled(registry, commandLine, { id, enabled: false });
    await deleteApp(registry, commandLine, { appId: app.id, force: true });
    await restoreApp(registry, commandLine, app.id);
    await eraseDeveloper(registry, commandLine, rejected.developerId);
    const event = { id: newId('event'), type: 'app.praised', occurred_at: 0, app_id: app.id, subject_id: app.id };
    const content = {
      actor: 'maintenance',
      request_id: null,
      traceparent: null,
      before: null,
      after: '{"stars":5}',
      details: null,
      effective: null,
      reason: null,
    };
    await registry.storage.write((transaction) => insertEvent(transaction, { ...event, ...content }));
    // The fixture checks each response against the published document.
    const { items } = await list('limit=100');
    assert.equal(items.at(-1)?.type, 'app.praised');
    const types = new Set<string>(items.map(({ type }) => type));
    for (const type of ['app.restored', 'developer.erased', 'installation.disabled', 'token.created', 'app.rejected']) {
      assert.ok(types.has(type), type);
    }
  });
});
