import assert from 'node:assert/strict';
import { constants, DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Connection } from '../query.ts';
import { sqliteBuilder } from './sqlite-connection.ts';
import { SqliteWriter } from './sqlite-writer.ts';

test('writes go on after a transaction that could not be rolled back', async () => {
  const database = new DatabaseSync(':memory:');
  database.exec('create table numbers (number)');
  const writer = new SqliteWriter({ database, files: undefined, onUnknownCommit: () => {} });
  const insert = (transaction: Connection, number: number) =>
    transaction.run(sql`insert into numbers values (${number})`.compile(sqliteBuilder));
  let rollbacks = 0;
  database.setAuthorizer((action, operation) => {
    const isRollback = action === constants.SQLITE_TRANSACTION && operation === 'ROLLBACK';
    return isRollback && ++rollbacks === 1 ? constants.SQLITE_DENY : constants.SQLITE_OK;
  });
  const refusal = new Error('refused');
  const refused = writer.write(async (transaction) => {
    await insert(transaction, 1);
    throw refusal;
  });
  await assert.rejects(refused, refusal);
  await writer.write((transaction) => insert(transaction, 2));
  assert.equal(rollbacks, 2);
  assert.deepEqual(
    database
      .prepare('select number from numbers')
      .all()
      .map(({ number }) => number),
    [2],
  );
  database.close();
});
