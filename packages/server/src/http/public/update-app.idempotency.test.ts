import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { holdNextWrite } from '../../../test/http/hold-next-write.ts';
import { HttpFixture } from '../../../test/http/http-fixture.ts';

onSqlite((engine) => {
  let http: HttpFixture;
  let appId: string;
  before(async () => {
    http = await HttpFixture.open(engine);
    appId = (await http.data.newApp()).id;
  });
  after(() => http.close());

  test('a retry returns the first response even if the client never received it', async () => {
    const body = '{"name":"Lost"}';
    const held = holdNextWrite(http.data.registry.storage);
    const socket = connect(await http.port(), '127.0.0.1');
    socket.write(
      [
        `PATCH /developer/apps/v1/${appId} HTTP/1.1`,
        'Host: localhost',
        `Authorization: Bearer ${http.tokens.developer}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'Idempotency-Key: "lost"',
        '',
        body,
      ].join('\r\n'),
    );
    await held.requested;
    socket.destroy();
    await once(socket, 'close');
    assert.equal((await update('lost', { name: 'Lost' })).refusal, '409 request_in_progress');
    await held.release();
    const between = await http.updateApp(appId, { name: 'After the lost response' });
    const events = (await http.data.eventsOf(appId)).length;
    const retry = await update('lost', { name: 'Lost' });
    assert.deepEqual([retry.headers['idempotency-replayed'], retry.view.name], ['true', 'Lost']);
    assert.notEqual(retry.etag, between.etag);
    assertSame(await update('lost', { name: 'Lost' }), retry);
    assert.equal((await http.data.eventsOf(appId)).length, events);
    assert.equal((await http.updateApp(appId, {})).view.name, 'After the lost response');
  });

  test('an update that changes nothing is replayed like any other', async () => {
    const { name } = (await http.updateApp(appId, {})).view;
    const first = await update('no-change', { name });
    await http.updateApp(appId, { name: 'Changed meanwhile' });
    assertSame(await update('no-change', { name }), first);
  });

  test('a key is refused with another body, app or precondition, and nothing is written', async () => {
    await update('one-use', { listingInfo: { shortDescription: 'One.' } });
    const other = (await http.data.newApp()).id;
    const before = [await http.stateOf(appId), await http.stateOf(other)];
    const responses = [
      await update('one-use', { listingInfo: { shortDescription: 'Two.' } }),
      await update('one-use', { listingInfo: { shortDescription: null } }),
      await update('one-use', { listingInfo: { shortDescription: 'One.' } }, { 'if-match': '*' }),
      await update('one-use', { listingInfo: { shortDescription: 'One.' } }, { 'if-none-match': '"one"' }),
      await http.updateApp(other, { listingInfo: { shortDescription: 'One.' } }, { 'idempotency-key': 'one-use' }),
    ];
    assert.deepEqual(
      responses.map(({ refusal }) => refusal),
      Array(5).fill('422 idempotency_key_reused'),
    );
    assert.deepEqual([await http.stateOf(appId), await http.stateOf(other)], before);
  });

  test('a retry with an If-Match that matched the first time returns 200, although it no longer matches', async () => {
    const { etag } = await http.updateApp(appId, {});
    const first = await update('condition', { name: 'Conditional' }, { 'if-match': etag });
    assertSame(await update('condition', { name: 'Conditional' }, { 'if-match': etag }), first);
    assert.equal((await update('new', { name: 'Conditional' }, { 'if-match': etag })).status, 412);
  });

  test('an empty update stores no key and returns the current app', async () => {
    await update('read', {});
    await update('read', { name: 'Changed under the key of a read' });
    assert.equal((await update('read', {})).view.name, 'Changed under the key of a read');
  });

  function update(key: string, change: unknown, headers: Record<string, string> = {}) {
    return http.updateApp(appId, change, { 'idempotency-key': key, ...headers });
  }
});

function assertSame(retry: HttpResponse, first: HttpResponse): void {
  assert.deepEqual([retry.status, retry.text, retry.etag], [first.status, first.text, first.etag]);
}
