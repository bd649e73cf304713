import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPostgres } from '@appregistrar/testkit/engines/postgres-server';
import { openStorage } from '../open-storage.ts';

test('a PostgreSQL that syncs is warned of nothing', async () => {
  const server = await startPostgres('', { fsync: 'on', full_page_writes: 'on' });
  const storage = await openStorage(server.url, { create: true });
  assert.deepEqual(await storage.warnings(), []);
  await storage.close();
  await server.stop();
});
