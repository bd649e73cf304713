import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import { on, postgres } from '@appregistrar/testkit/engines/engines';
import { alterDatabase, execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { portOf } from '../../../test/http/port-of.ts';
import { developerIds, storeDevelopers } from '../../../test/storage/sample-rows.ts';
import { openStorage } from '../open-storage.ts';
import { StorageUnavailable, UnusableDatabase } from '../storage-failure.ts';

describe('a PostgreSQL database that cannot be used', () => {
  test('a server that does not respond', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const port = portOf(closed);
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
    await assert.rejects(openStorage(`postgres://127.0.0.1:${portOf(server)}/registry`), isUnusable(/./));
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

  // A function in front of those of PostgreSQL responds as the other engine does.
  const cases: [what: string, sql: string, reason: RegExp][] = [
    [
      'one that reports an older version, as most others do',
      `create function other.current_setting(name text) returns text language sql as
        $$ select case name when 'server_version_num' then '130000' else pg_catalog.current_setting(name) end $$`,
      /^This server is PostgreSQL 13, or reports to be; app-registry needs 15 or newer/,
    ],
    [
      'one whose advisory locks do nothing',
      'create function other.pg_advisory_xact_lock(bigint) returns void language sql as $$ select $$',
      /^The advisory locks of this server do not exclude each other/,
    ],
    [
      'one whose advisory locks are not implemented',
      `create function other.pg_advisory_xact_lock(bigint) returns void language plpgsql as
        $$ begin raise exception 'not implemented' using errcode = '0A000'; end $$`,
      /^This server has no advisory locks \(not implemented\)/,
    ],
    [
      'one that uses another isolation level',
      `create function other.current_setting(name text, missing_ok boolean) returns text language sql as
        $$ select case name when 'yb_effective_transaction_isolation_level' then 'repeatable read'
          else pg_catalog.current_setting(name, missing_ok) end $$`,
      /^This server runs READ COMMITTED transactions as REPEATABLE READ/,
    ],
  ];
  for (const [what, statement, reason] of cases) {
    storageTest(postgres, `a server that is not PostgreSQL: ${what}`, async (storage, url) => {
      await execute(storage.reader, 'create schema other');
      await execute(storage.reader, statement);
      const options = encodeURIComponent('-c search_path=other,pg_catalog,public');
      await assert.rejects(openStorage(`${url}&options=${options}`), isUnusable(reason));
    });
  }

  storageTest(postgres, 'a read-only database can be read but not written', async (storage, url) => {
    await alterDatabase(storage, url, 'set default_transaction_read_only = on');
    const other = await openStorage(url);
    await assert.rejects(other.ping(), StorageUnavailable);
    await assert.rejects(storeDevelopers(other, 'user_1'), StorageUnavailable);
    assert.deepEqual(await developerIds(other.reader), []);
    await other.close();
  });

  storageTest(postgres, 'a database in which the lookups of requests fail is not ready', async (storage) => {
    await storage.ping();
    await execute(storage.reader, 'alter table access_tokens rename to others');
    await assert.rejects(storage.ping(), /access_tokens/);
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
