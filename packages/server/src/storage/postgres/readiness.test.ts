import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { on, postgres } from '@appregistrar/testkit/engines/engines';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { openStorage } from '../open-storage.ts';
import type { Connection } from '../query.ts';

storageTest(postgres, 'a database is ready if a change could be made, of which nothing stays', async (storage) => {
  await Promise.all([storage.ping(), storage.ping()]);
  assert.deepEqual(await rowsOf(storage, 'events'), []);
});

/** Each breaks what only changes need. */
const broken: [what: string, statement: (role: string) => string, reason: RegExp][] = [
  [
    'a right is missing on one table',
    (role) => `revoke insert on deliveries from ${role}`,
    /^this role may not read and change the table deliveries$/,
  ],
  [
    'an event cannot be inserted',
    () => `alter table events add check (occurred_at > 0) not valid`,
    /^a change failed: .*check constraint/,
  ],
  [
    'an event cannot be read',
    () => 'alter table events enable row level security',
    /^a change failed: .*row-level security/,
  ],
];
for (const [what, statement, reason] of broken) {
  storageTest(postgres, `a database is not ready if ${what}`, async (owner, url) => {
    const role = `role_${randomUUID().replaceAll('-', '')}`;
    await execute(owner.reader, `create role ${role} login`);
    await execute(owner.reader, `grant all on all tables in schema public to ${role}`);
    const storage = await openStorage(Object.assign(new URL(url), { username: role }).href);
    await storage.ping();
    await execute(owner.reader, statement(role));
    await assert.rejects(storage.ping(), { name: 'StorageUnavailable', message: reason });
    await storage.close();
    await execute(owner.reader, `drop owned by ${role}`);
    await execute(owner.reader, `drop role ${role}`);
  });
}

test(
  'two connections for writes stay open while idle, and none for reads',
  on(postgres),
  async (context: TestContext) => {
    const { url, drop } = await postgres.createMigratedDatabase();
    const observer = await openStorage(url);
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const storage = await openStorage(`${url}&application_name=idle`);
    const slow = (connection: Connection) => execute(connection, 'select pg_sleep(0.05)');
    await Promise.all([1, 2, 3].flatMap(() => [storage.write(slow), slow(storage.reader)]));
    const open = async () => {
      const query = `select 1 from pg_stat_activity where application_name = 'idle' and datname = current_database()`;
      return (await execute(observer.reader, query)).length;
    };
    assert.equal(await open(), 6);
    context.mock.timers.tick(10_000);
    // A closed connection ends a moment later.
    while ((await open()) > 2);
    await Promise.all([1, 2].map(() => storage.write(slow)));
    assert.equal(await open(), 2);
    await storage.close();
    await observer.close();
    await drop();
  },
);
