import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { apiRequest } from '@appregistrar/testkit/http/http-request';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';
import type { AppWithWarnings, OperatorApp } from '../../features/apps/app-schemas.ts';
import type { Decision } from '../../features/apps/review/decision.ts';
import type { ReviewNote } from '../../features/apps/review/review-notes.ts';
import type { QueueItem, QueueItemPage } from '../../features/apps/review/review-queue.ts';
import type { ReviewClaim } from '../../features/apps/review/review-status.ts';
import type { PageOf } from '../../kernel/page.ts';
import type { TokenScope } from '../../kernel/registry.ts';

onSqlite((engine) => {
  let operator: OperatorFixture;
  before(async () => {
    operator = await OperatorFixture.open(engine);
  });
  after(() => operator.close());

  const send = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    { scopes = ['admin'], etag, body }: { scopes?: TokenScope[]; etag?: string; body?: object } = {},
  ) => {
    const { token } = await operator.data.newToken('operator', { scopes });
    const headers = etag ? { 'if-match': etag } : {};
    return operator.send(apiRequest(token, { method, path: `/operator/v1${path}`, headers, body }));
  };

  test('a change is approved at the etag of an earlier revision, which If-Match is not: that is the current one', async () => {
    for (const quotes of ['with', 'without']) {
      const { id } = await operator.data.newApp({ status: 'APPROVED' });
      const shown = await send('PATCH', `/apps/${id}`, { body: { listingInfo: { shortDescription: 'Two' } } });
      const etag = shown.headers.etag ?? '';
      await send('PATCH', `/apps/${id}`, { body: { listingInfo: { shortDescription: 'Three' } } });
      const body = { revision: quotes === 'with' ? etag : etag.slice(1, -1) };
      const late = await send('POST', `/apps/${id}/approve`, { etag, body });
      assert.equal(late.refusal, '412 precondition_failed');
      const approved = await send('POST', `/apps/${id}/approve`, { etag: late.headers.etag ?? '', body });
      const { approved: at, revision } = approved.view as OperatorApp;
      assert.deepEqual([at?.revision, revision], [2, 3]);
      assert.equal((await send('POST', `/apps/${id}/approve`, { body })).refusal, '409 review_status_conflict');
    }
  });

  test('a token with the scope portal never receives a note, and every other one does', async () => {
    const { id, etag } = await operator.data.newApp({ status: 'AWAITING_REVIEW' });
    const body = { revision: etag, message: 'No.', note: 'Only for us.' };
    await send('POST', `/apps/${id}/reject`, { body });
    await send('POST', `/apps/${id}/submit`);
    for (const [scopes, note] of [
      [['portal'], undefined],
      [['portal', 'review'], undefined],
      [['portal', 'admin'], undefined],
      [['read'], 'Only for us.'],
      [['review'], 'Only for us.'],
      [['admin'], 'Only for us.'],
    ] as [TokenScope[], string | undefined][]) {
      const decisions = await send('GET', `/apps/${id}/decisions`, { scopes });
      const [decision] = (decisions.view as PageOf<Decision>).items;
      assert.deepEqual([decision?.message, decision?.note], ['No.', note]);
      const queue = await send('GET', '/review-queue?view=full', { scopes });
      const item = (queue.view as PageOf<QueueItem>).items.find(({ app }) => app.id === id);
      assert.equal(item?.sinceLastDecision?.decision.note, note);
      const events = await send('GET', `/events?appId=${id}`, { scopes });
      assert.ok(!events.text.includes('Only for us.'));
    }
  });

  test('a token with the scope portal sees no claim and no note, and every other one does', async () => {
    const { id } = await operator.data.newApp({ status: 'AWAITING_REVIEW' });
    const { id: noteId } = (await send('POST', `/apps/${id}/notes`, { body: { text: 'Only for us.' } }))
      .view as ReviewNote;
    await send('POST', `/apps/${id}/claim`);
    for (const [scopes, isReviewer] of [
      [['portal'], false],
      [['portal', 'admin'], false],
      [['read'], true],
      [['review'], true],
    ] as [TokenScope[], boolean][]) {
      const shown = (await send('GET', `/apps/${id}`, { scopes })).view as AppWithWarnings;
      assert.equal(shown.claim !== undefined, isReviewer);
      const queue = (await send('GET', '/review-queue', { scopes })).view as QueueItemPage;
      assert.equal(queue.items.find(({ app }) => app.id === id)?.claim !== undefined, isReviewer);
      const notes = await send('GET', `/apps/${id}/notes`, { scopes });
      assert.equal(notes.status, isReviewer ? 200 : 403);
      assert.equal(notes.text.includes('Only for us.'), isReviewer);
    }
    const path = `/apps/${id}/notes/${noteId}`;
    const refused = await send('DELETE', path, { scopes: ['review'] });
    assert.equal(refused.refusal, '403 insufficient_scope');
    assert.match(refused.headers['www-authenticate'] ?? '', /error="insufficient_scope", scope="admin"/);
    assert.equal((await send('DELETE', path)).status, 200, 'with the scope admin, that of another');
  });

  test('a claim is made without a body, and refused by the name of another reviewer', async () => {
    const { id } = await operator.data.newApp({ status: 'AWAITING_REVIEW' });
    const { token } = await operator.data.newToken('operator', { scopes: ['review'], name: 'Grace, reviewer' });
    const path = `/operator/v1/apps/${id}/claim`;
    const claimed = await operator.send(apiRequest(token, { method: 'POST', path }));
    assert.equal((claimed.view as ReviewClaim).actorName, 'Grace, reviewer');
    const refused = await send('POST', `/apps/${id}/claim`, { scopes: ['review'], body: {} });
    assert.equal(refused.refusal, '409 app_claimed');
    assert.match(refused.text, /Grace, reviewer/);
  });
});
