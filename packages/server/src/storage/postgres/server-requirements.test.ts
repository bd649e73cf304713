import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { postgres } from '@appregistrar/testkit/engines/engines';
import { execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { openStorage } from '../open-storage.ts';
import { UnusableDatabase } from '../storage-failure.ts';

describe('a server that is not PostgreSQL is refused at startup with the reason', () => {
  // A function in front of those of PostgreSQL responds as the other engine does.
  const cases: [what: string, sql: string, reason: RegExp][] = [
    [
      'one that reports an older version, as most others do',
      `create function other.current_setting(name text) returns text language sql as
        $$ select case name when 'server_version_num' then '130000' else pg_catalog.current_setting(name) end $$`,
      /^UnusableDatabase: This server is PostgreSQL 13, or reports to be; app-registry needs 15 or newer/,
    ],
    [
      'one whose advisory locks do nothing',
      'create function other.pg_advisory_xact_lock(bigint) returns void language sql as $$ select $$',
      /^UnusableDatabase: The advisory locks of this server do not exclude each other/,
    ],
    [
      'one whose advisory locks are not implemented',
      `create function other.pg_advisory_xact_lock(bigint) returns void language plpgsql as
        $$ begin raise exception 'not implemented' using errcode = '0A000'; end $$`,
      /^UnusableDatabase: This server has no advisory locks \(not implemented\)/,
    ],
    [
      'one that uses another isolation level',
      `create function other.current_setting(name text, missing_ok boolean) returns text language sql as
        $$ select case name when 'yb_effective_transaction_isolation_level' then 'repeatable read'
          else pg_catalog.current_setting(name, missing_ok) end $$`,
      /^UnusableDatabase: This server runs READ COMMITTED transactions as REPEATABLE READ/,
    ],
  ];
  for (const [what, statement, reason] of cases) {
    storageTest(postgres, what, async (storage, url) => {
      await execute(storage.reader, 'create schema other');
      await execute(storage.reader, statement);
      const options = encodeURIComponent('-c search_path=other,pg_catalog,public');
      await assert.rejects(openStorage(`${url}&options=${options}`), (error) => {
        assert.ok(error instanceof UnusableDatabase);
        assert.match(String(error), reason);
        return true;
      });
    });
  }
});
