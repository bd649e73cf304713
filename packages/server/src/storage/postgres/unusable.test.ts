import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, test } from 'node:test';
import { on, postgres } from '@appregistrar/testkit/engines/engines';
import { alterDatabase, execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { developerRow } from '../../../test/storage/sample-rows.ts';
import { findDeveloper } from '../../features/developers/developer-queries.ts';
import { openStorage } from '../open-storage.ts';
import { defineInsert } from '../query.ts';
import { StorageUnavailable, UnusableDatabase } from '../storage-failure.ts';

const insertDeveloper = defineInsert('developers');

describe('a PostgreSQL database that cannot be used', () => {
  test('a server that does not respond', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await assert.rejects(
      openStorage(`postgres://postgres:secret@127.0.0.1:${port}/registry`),
      isUnusable(/ECONNREFUSED/),
    );
    await assert.rejects(openStorage('postgres://localhost/registry?host=/nonexistent'), isUnusable(/ENOENT/));
  });

  test('a server that speaks another protocol', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await assert.rejects(openStorage(`postgres://127.0.0.1:${port}/registry`), isUnusable(/./));
    server.close();
  });

  test('a database that does not exist', on(postgres), async () => {
    const { url, drop } = await postgres.createDatabase();
    await drop();
    await assert.rejects(openStorage(url, { create: true }), isUnusable(/database "test_.*" does not exist\. Create/));
  });

  for (const encoding of ['SQL_ASCII', 'LATIN1']) {
    storageTest(postgres, `a database with the encoding ${encoding}`, async (storage, url) => {
      const name = `${new URL(url).pathname.slice(1)}_${encoding}`;
      await execute(storage.reader, `create database "${name}" encoding '${encoding}' template template0`);
      const other = Object.assign(new URL(url), { pathname: name }).href;
      await assert.rejects(
        openStorage(other),
        isUnusable(new RegExp(`encoding ${encoding},.* needs UTF8\\. Create another`)),
      );
      await execute(storage.reader, `drop database "${name}"`);
    });
  }

  storageTest(postgres, 'a read-only database can be read but not written', async (storage, url) => {
    await alterDatabase(storage, url, 'set default_transaction_read_only = on');
    const other = await openStorage(url);
    await assert.rejects(other.ping(), StorageUnavailable);
    await assert.rejects(
      other.write((transaction) => insertDeveloper(transaction, developerRow())),
      StorageUnavailable,
    );
    assert.equal(await findDeveloper(other.reader, { userId: 'user_1' }), null);
    await other.close();
  });
});

function isUnusable(reason: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof UnusableDatabase, String(error));
    assert.match(error.message, reason);
    assert.doesNotMatch(error.message, /secret/);
    return true;
  };
}
