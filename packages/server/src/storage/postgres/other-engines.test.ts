import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { postgres } from '@appregistrar/testkit/engines/engines';
import { UnusableDatabase } from '../failure.ts';
import { openStorage } from '../open-storage.ts';
import { execute, storageTest } from '../testing/storage-test.ts';
import { otherEngineOf } from './other-engines.ts';

/** What `version()` returns, as printed where the comment says, and the engine that is refused. */
const versions: [text: string, name: string | null][] = [
  // Its SQL shell, in logs of its version 23.2.
  ['CockroachDB CCL v23.2.0-beta.1 (aarch64-unknown-linux-gnu, built 2023/11/22 19:37:50, go1.20.10)', 'CockroachDB'],
  // Amazon Redshift, Database Developer Guide, "VERSION".
  [
    'PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc (GCC) 3.4.2 20041017 (Red Hat 3.4.2-6.fc3), Redshift 1.0.12103',
    'Amazon Redshift',
  ],
  // gpstate of Greenplum 7.4.
  [
    'PostgreSQL 12.12 (Greenplum Database 7.4.0 build commit:27de6dc6d00607a5630a41fd2c0ad489f40e2ad4) on x86_64-pc-linux-gnu, compiled by gcc (GCC) 8.5.0 20210514 (Red Hat 8.5.0-22), 64-bit',
    'Greenplum',
  ],
  // Logs of users of both.
  ['PostgreSQL 9.5 on x86_64-unknown-linux-gnu (Materialize 26.36.0)', 'Materialize'],
  ['PostgreSQL 13.14.0-RisingWave-2.3.2 (58c5893670f326f0922b9bc58c61c83cabeccaa8)', 'RisingWave'],
  // Not known to lack anything: tried, or taken as PostgreSQL. YugabyteDB's documentation; a log of EDB Postgres Advanced Server.
  [
    'PostgreSQL 15.12-YB-2025.2.6.0-b0 on x86_64-pc-linux-gnu, compiled by clang version 19.1.0 (https://github.com/yugabyte/llvm-project.git a2a6b655e14e7fa1fcf1011a6cb29cb8575249c0), 64-bit',
    null,
  ],
  [
    'PostgreSQL 17.4 (EnterpriseDB Advanced Server 17.4.0) on x86_64-pc-linux-gnu, compiled by gcc (GCC) 11.5.0 20240719 (Red Hat 11.5.0-5), 64-bit',
    null,
  ],
  [
    'PostgreSQL 17.11 (Debian 17.11-1.pgdg13+2) on x86_64-pc-linux-gnu, compiled by gcc (Debian 14.2.0-19) 14.2.0, 64-bit',
    null,
  ],
];

for (const [text, name] of versions) {
  test(`${text} is ${name ?? 'not refused by its name'}`, () => {
    assert.equal(otherEngineOf(text)?.name ?? null, name);
  });
}

describe('a server that is not PostgreSQL is refused at startup with the reason', () => {
  // A function in front of those of PostgreSQL responds as the other engine does.
  const cases: [what: string, sql: string, reason: RegExp][] = [
    [
      'one that is known',
      `create function other.version() returns text language sql as $$ select 'CockroachDB CCL v23.1.11' $$`,
      /^UnusableDatabase: This server is CockroachDB, which cannot hold a registry: its advisory locks/,
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
