import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Page, type PageOf } from './page.ts';
import { ServedRegistry } from './testing/served-registry.ts';

test('a list iterates over its pages, each loaded on demand, and leads back', async (t) => {
  const registry = await ServedRegistry.start();
  t.after(() => registry.stop());
  const apps = [await registry.data.newApp(), await registry.data.newApp(), await registry.data.newApp()];
  const { token } = await registry.data.newToken('operator');
  let reads = 0;
  const read = async (cursor = ''): Promise<PageOf<{ id: string }>> => {
    reads += 1;
    const query = new URLSearchParams({ limit: '2', ...(cursor && { cursor }) });
    const response = await fetch(`${registry.operatorUrl}/apps?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return (await response.json()) as PageOf<{ id: string }>;
  };

  const first = await Page.first(read);
  assert.deepEqual([first.items.length, first.prevCursor, reads], [2, undefined, 1]);
  const ids: string[] = [];
  for await (const { id } of first) ids.push(id);
  assert.deepEqual(ids.sort(), apps.map(({ id }) => id).sort());
  assert.equal(reads, 2);

  assert.deepEqual(
    (await first.toArray({ limit: Number.POSITIVE_INFINITY })).map(({ id }) => id),
    apps.map(({ id }) => id),
  );
  assert.equal(reads, 3);
  for (const limit of [0, 1, 2]) assert.deepEqual(await first.toArray({ limit }), first.items.slice(0, limit));
  assert.equal(reads, 3, 'a page that is not needed is not read');

  assert.equal(await first.previous(), null);
  const last = await first.next();
  assert.equal(last?.items.length, 1);
  assert.equal(await last?.next(), null);
  assert.deepEqual((await last?.previous())?.items, first.items);
});
