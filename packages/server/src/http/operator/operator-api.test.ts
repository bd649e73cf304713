import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';
import type { OperatorApp } from '../../features/apps/app-schemas.ts';
import type { OperatorDeveloper } from '../../features/developers/developer.ts';
import type { SearchHit } from '../../features/search/search-result.ts';
import type { PageOf } from '../../kernel/page.ts';
import type { TokenScope } from '../../kernel/registry.ts';

onSqlite((engine) => {
  let operator: OperatorFixture;
  before(async () => {
    operator = await OperatorFixture.open(engine);
  });
  after(() => operator.close());

  test('an app can be created, submitted, found in the review queue and approved', async () => {
    const { id: userId } = (
      await operator.call<OperatorDeveloper>('POST /developers', { as: 'portal', body: { email: 'joan@example.com' } })
    ).view;
    const created = await operator.call<OperatorApp>('POST /apps', {
      as: 'portal',
      body: { developerId: userId, name: 'Invoice Sync' },
    });
    assert.equal(created.status, 201);
    const { id } = created.view;
    await operator.call(`POST /apps/${id}/submit`, { as: 'portal' });
    const queue = await operator.call<PageOf<OperatorApp>>('GET /apps?status=AWAITING_REVIEW&limit=1', { as: 'read' });
    assert.deepEqual(
      queue.view.items.map((app) => app.id),
      [id],
    );
    const { etag } = await operator.call(`GET /apps/${id}`, { as: 'read' });
    const approved = await operator.call<OperatorApp>(`POST /apps/${id}/approve`, {
      as: 'review',
      body: { revision: etag },
    });
    assert.equal(approved.view.reviewStatus, 'APPROVED');
  });

  test('a search finds tokens and webhooks only with a token of the scope admin', async () => {
    const { id } = operator.tokens.install;
    const typesFor = async (as: TokenScope) =>
      (await operator.call<{ items: SearchHit[] }>(`GET /search?q=${id}`, { as })).view.items.map(({ type }) => type);
    for (const scope of ['read', 'portal', 'review'] as const) assert.deepEqual(await typesFor(scope), [], scope);
    assert.deepEqual(await typesFor('admin'), ['token']);
  });
});
