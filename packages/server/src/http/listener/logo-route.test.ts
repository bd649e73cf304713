import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { blockLogo, unblockLogo } from '@appregistrar/testkit/calls/logos';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { commandLine } from '../../kernel/registry.ts';

onSqlite((engine) => {
  let http: HttpFixture;
  before(async () => {
    http = await HttpFixture.open(engine);
  });
  after(() => http.close());

  test('a logo is cached for a year, its type is not guessed, and pages of any origin may show it', async () => {
    const { headers } = await http.send({ method: 'GET', path: `/logos/${(await http.data.newLogo()).id}` });
    assert.equal(headers['content-type'], 'image/png');
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
  });

  test('a blocked logo gets 404 without caching, also for HEAD and a revalidation, until it is unblocked', async () => {
    const { registry } = http.data;
    const { id } = await http.data.newLogo();
    const path = `/logos/${id}`;
    const revalidation = { 'if-none-match': '*', 'if-modified-since': new Date(Date.now() + 1000).toUTCString() };
    const statuses = async () => [
      (await http.send({ method: 'GET', path })).status,
      (await http.send({ method: 'HEAD', path })).status,
      (await http.send({ method: 'GET', path, headers: revalidation })).status,
    ];
    assert.deepEqual(await statuses(), [200, 200, 200]);
    await blockLogo(registry, commandLine, { id, block: { reason: 'A foreign trademark.' } });
    assert.deepEqual(await statuses(), [404, 404, 404]);
    const { headers, refusal } = await http.send({ method: 'GET', path });
    assert.deepEqual([refusal, headers['cache-control']], ['404 logo_not_found', 'no-store']);
    await unblockLogo(registry, commandLine, id);
    assert.deepEqual(await statuses(), [200, 200, 200]);
  });
});
