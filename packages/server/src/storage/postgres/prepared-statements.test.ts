import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe } from 'node:test';
import { postgres } from '@appregistrar/testkit/engines/engines';
import { execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { appRow, developerRow, sampleRows, storeDevelopers } from '../../../test/storage/sample-rows.ts';
import { findDeveloper } from '../../features/developers/developer-queries.ts';
import { findNewestEventId } from '../../features/events/event-queries.ts';
import { openStorage } from '../open-storage.ts';
import { type Connection, defineInsert } from '../query.ts';
import type { Storage } from '../storage.ts';

const insertDeveloper = defineInsert('developers');
const developer = developerRow();
const find = (connection: Connection) => findDeveloper(connection, { userId: developer.user_id });

const migration = 'alter table developers alter column email type varchar(1000)';

/** What happens to a statement that a connection has prepared, and whether names are given up for it. */
const losses: Record<string, { lose: (connection: Connection) => Promise<unknown>; givesUp: boolean }> = {
  'is unknown to the server': {
    lose: (connection) => execute(connection, 'deallocate all'),
    givesUp: true,
  },
  'is one of another program': {
    async lose(connection) {
      const [statement] = await execute<{ name: string }>(
        connection,
        `select name from pg_prepared_statements where statement like '%from "developers"%'`,
      );
      await execute(connection, `deallocate "${statement?.name}"`);
      await execute(connection, `prepare "${statement?.name}" as select $1::int, $2::int`);
    },
    givesUp: true,
  },
  'has another result since a migration': {
    lose: (connection) => execute(connection, migration),
    givesUp: false,
  },
};

for (const [loss, { lose, givesUp }] of Object.entries(losses)) {
  describe(`a prepared statement that ${loss}`, () => {
    storageTest(postgres, 'is bypassed for a read', async (_, url) => {
      const reasons: string[] = [];
      const storage = await openStorage(url, { onUnprepared: (reason) => reasons.push(reason) });
      await storeDevelopers(storage, 'user_1');
      for (let round = 0; round < 3; round += 1) {
        assert.equal((await find(storage.reader))?.user_id, 'user_1');
        if (round === 0) await lose(storage.reader);
      }
      assert.equal(reasons.length, givesUp ? 1 : 0);
      await storage.close();
    });

    storageTest(postgres, 'makes a write repeat, which is stored once', async (_, url) => {
      const reasons: string[] = [];
      const storage = await openStorage(url, { onUnprepared: (reason) => reasons.push(reason) });
      let attempts = 0;
      await storage.write(async (transaction) => {
        attempts += 1;
        await insertDeveloper(transaction, developer);
        assert.deepEqual(await find(transaction), developer);
        if (attempts === 1) await lose(transaction);
        assert.deepEqual(await find(transaction), developer);
      });
      assert.deepEqual([attempts, reasons.length], [2, givesUp ? 1 : 0]);
      assert.deepEqual(await execute(storage.reader, 'select count(*) from developers'), [{ count: 1 }]);
      await storage.close();
    });
  });
}

storageTest(
  postgres,
  'a statement is named after its text, so that no program finds another by its name',
  async (storage) => {
    await storage.write(async (transaction) => {
      await insertDeveloper(transaction, developer);
      await find(transaction);
      const prepared = 'select name, statement from pg_prepared_statements';
      const statements = await execute<{ name: string; statement: string }>(transaction, prepared);
      assert.equal(statements.length, 3);
      for (const { name, statement } of statements)
        assert.equal(name, createHash('sha256').update(statement).digest('hex').slice(0, 32));
    });
  },
);

storageTest(postgres, 'a write that drops the error of a lost statement is repeated too', async (_, url) => {
  const storage = await openStorage(url);
  let attempts = 0;
  const found = await storage.write(async (transaction) => {
    await insertDeveloper(transaction, developer);
    await find(transaction);
    attempts += 1;
    if (attempts === 1) await execute(transaction, 'deallocate all');
    return find(transaction).catch(() => null);
  });
  assert.deepEqual([found, attempts], [developer, 2]);
  await storage.close();
});

storageTest(postgres, 'a connection whose statements a migration has outdated is not used again', async (_, url) => {
  const storage = await openStorage(url);
  const attemptsOfWrite = async () => {
    let attempts = 0;
    await storage.write((transaction) => {
      attempts += 1;
      return find(transaction);
    });
    return attempts;
  };
  await attemptsOfWrite();
  await execute(storage.reader, migration);
  assert.deepEqual([await attemptsOfWrite(), await attemptsOfWrite()], [2, 1]);
  await storage.close();
});

storageTest(postgres, 'a statement that fails for another reason is not repeated', async (storage) => {
  let attempts = 0;
  const write = storage.write((transaction) => {
    attempts += 1;
    return execute(transaction, 'select 1 / 0');
  });
  await assert.rejects(write, { code: '22012' });
  assert.equal(attempts, 1);
});

storageTest(postgres, 'with DATABASE_PREPARE=0 no statement is prepared', async (_, url) => {
  const storage = await openStorage(url, { prepare: false });
  const prepared = 'select count(*) from pg_prepared_statements';
  await find(storage.reader);
  assert.deepEqual(await execute(storage.reader, prepared), [{ count: 0 }]);
  await storage.write(async (transaction) => {
    await find(transaction);
    assert.deepEqual(await execute(transaction, prepared), [{ count: 0 }]);
  });
  await storage.close();
});

/** PostgreSQL makes a plan for the values of each of the first executions. */
const plansMax = 5;
const executions = 10;

const hot: Record<string, { part: string; read: (storage: Storage) => Promise<unknown> }> = {
  'a batch of lookups': {
    part: 'as lookup',
    read: ({ requestLookups }) => requestLookups.findPlatformRevision('app_1'),
  },
  'the newest event': { part: 'from "events"', read: ({ reader }) => findNewestEventId(reader, {}) },
};

storageTest(postgres, 'the plan of a frequent query is made once, also in a large table', async (filled, url) => {
  await fill(filled);
  for (const [what, { part, read }] of Object.entries(hot)) {
    const storage = await openStorage(url, { pools: { write: 1, read: 1, list: 1 } });
    for (let execution = 0; execution < executions; execution += 1) await read(storage);
    const plans = `select generic_plans + custom_plans as executions, custom_plans as plans
      from pg_prepared_statements where statement like '%${part}%'`;
    const [counted] = await execute(storage.reader, plans);
    assert.equal(counted?.executions, executions);
    assert.ok(Number(counted?.plans) <= plansMax, `${counted?.plans} plans for ${what}`);
    await storage.close();
  }
});

async function fill(storage: Storage): Promise<void> {
  const [event] = sampleRows.events;
  const numbers = Array.from({ length: 5_000 }, (_, number) => number);
  await storage.write(async (transaction) => {
    await transaction.insertNew('developers', [developer]);
    await transaction.insertNew(
      'apps',
      numbers.map((number) => appRow({ id: `app_${number}` })),
    );
    await transaction.insertNew(
      'events',
      numbers.map((number) => ({ ...event, id: `event_${number}` })),
    );
  });
  await execute(storage.reader, 'analyze');
}
