import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp, restoreApp } from '@appregistrar/testkit/calls/apps';
import { setInstallationEnabled } from '@appregistrar/testkit/calls/installations';
import { eraseDeveloper } from '@appregistrar/testkit/calls/suspension';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';
import { insertEvent } from '../../features/events/event-queries.ts';
import type { EventPage } from '../../features/events/event-query.ts';
import type { SearchHit } from '../../features/search/search-result.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine, type TokenScope } from '../../kernel/registry.ts';

onSqlite((engine) => {
  let operator: OperatorFixture;
  before(async () => {
    operator = await OperatorFixture.open(engine);
  });
  after(() => operator.close());

  test('every event matches the published document, even one of an undocumented type', async () => {
    const { registry } = operator.data;
    const app = await operator.data.newApp({ status: 'APPROVED' });
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
    const { items } = (await operator.call<EventPage>('GET /events?limit=100', { as: 'read' })).view;
    assert.equal(items.at(-1)?.type, 'app.praised');
    const types = new Set<string>(items.map(({ type }) => type));
    for (const type of ['app.restored', 'developer.erased', 'installation.disabled', 'token.created', 'app.rejected']) {
      assert.ok(types.has(type), type);
    }
  });

  test('a search finds tokens and webhooks only with a token of the scope admin', async () => {
    const { id } = operator.tokens.install;
    const typesFor = async (as: TokenScope) =>
      (await operator.call<{ items: SearchHit[] }>(`GET /search?q=${id}`, { as })).view.items.map(({ type }) => type);
    for (const scope of ['read', 'portal', 'review'] as const) assert.deepEqual(await typesFor(scope), [], scope);
    assert.deepEqual(await typesFor('admin'), ['token']);
  });
});
