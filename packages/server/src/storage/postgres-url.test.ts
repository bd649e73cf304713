import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { describeDatabase, postgresConfig, postgresUrlProblem } from './postgres-url.ts';

const folder = mkdtempSync(join(tmpdir(), 'postgres-url-'));
const file = join(folder, 'file.pem');
writeFileSync(file, 'a certificate');
after(() => rmSync(folder, { recursive: true }));

describe('a PostgreSQL URL', () => {
  const hosts: [url: string, host: string, port: number][] = [
    ['postgres://', 'localhost', 5432],
    ['postgresql://localhost:5433', 'localhost', 5433],
    ['postgresql:///mydb?host=localhost&port=5433', 'localhost', 5433],
    ['postgresql://[2001:db8::1234]/database', '2001:db8::1234', 5432],
    ['postgresql:///dbname?host=/var/lib/postgresql', '/var/lib/postgresql', 5432],
    ['postgresql://%2Fvar%2Flib%2Fpostgresql/dbname', '/var/lib/postgresql', 5432],
    ['postgres://ignored:1/db?host=used&port=2', 'used', 2],
  ];
  for (const [url, host, port] of hosts) {
    test(`names the host of ${url}`, () => {
      const config = postgresConfig(url);
      assert.deepEqual([config.host, config.port], [host, port]);
    });
  }

  test('gives every setting that it names', () => {
    const url = `postgres://ada%40x:p%3Aw%2F%25@a/my%20db?connect_timeout=7&application_name=me%2Fyou
      &options=-c%20geqo%3Doff&sslmode=verify-ca&sslrootcert=${file}&sslcert=${file}&sslkey=${file}`;
    const { ssl, ...config } = postgresConfig(url.replaceAll(/\s/g, ''));
    assert.deepEqual(config, {
      host: 'a',
      port: 5432,
      user: 'ada@x',
      database: 'my db',
      password: 'p:w/%',
      options: '-c geqo=off',
      application_name: 'me/you',
      connectionTimeoutMillis: 7_000,
      enableChannelBinding: true,
    });
    const { checkServerIdentity, ...files } = ssl as { checkServerIdentity: () => unknown };
    assert.deepEqual({ ...files }, { ca: 'a certificate', cert: 'a certificate', key: 'a certificate', host: 'a' });
    assert.equal(checkServerIdentity(), undefined);
    assert.equal(postgresConfig('postgres://ada@a?dbname=named').database, 'named');
  });

  test('encrypts what leaves this machine, unless it says otherwise', () => {
    const encryptionOf = (url: string) => postgresConfig(`postgres://${url}`).ssl;
    for (const host of ['', 'localhost', '127.0.0.1', '[::1]', '%2Frun%2Fpostgresql'])
      assert.equal(encryptionOf(host), false);
    assert.deepEqual(encryptionOf('a'), { rejectUnauthorized: false, host: 'a' });
    assert.equal(encryptionOf('a?sslmode=disable'), false);
    assert.deepEqual(
      { ...(encryptionOf('localhost?sslmode=require') as object) },
      { rejectUnauthorized: false, host: 'localhost' },
    );
    assert.deepEqual(
      { ...(encryptionOf(`localhost?sslrootcert=${file}`) as object) },
      { ca: 'a certificate', host: 'localhost' },
    );
    assert.equal(encryptionOf('%2Frun%2Fpostgresql?sslmode=verify-full'), false);
  });

  const problems: [query: string, problem: RegExp][] = [
    ['sslmode=prefer', /^needs an sslmode \(PGSSLMODE\) of disable, require, verify-ca, verify-full$/],
    ['sslmode=verify-ca', /^needs an sslrootcert \(PGSSLROOTCERT\)/],
    ['sslrootcert=/nonexistent', /^names a certificate or a key that cannot be read$/],
    [`sslcert=${file}`, /^needs sslcert \(PGSSLCERT\) and sslkey \(PGSSLKEY\) together$/],
    ['connect_timeout=0', /^needs a connect_timeout \(PGCONNECT_TIMEOUT\) from 1 to 600$/],
    ['port=65536', /^needs a port \(PGPORT\) from 1 to 65535$/],
    ['host=a,b', /with one host/],
    ['target_session_attrs=primary', /^has an unknown parameter; the known ones are host, port, user, /],
  ];
  for (const [query, problem] of problems) {
    test(`with ${query} is refused, and the error says why`, () => {
      assert.match(String(postgresUrlProblem(`postgres://ada@db.example/registry?${query}`)), problem);
    });
  }

  test('that is wrong is refused without its password', () => {
    for (const url of [
      'postgres:secret',
      'postgres://ada:secret@a:0/registry?sslmode=secret',
      'postgres://ada:se?cret=1@a/',
      'postgres://ada:se/cret@a:b/',
      'postgres://ada:secret@a:1,b:2/',
    ]) {
      assert.throws(
        () => postgresConfig(url),
        (error) => /^UnusableDatabase: The URL/.test(String(error)) && !/secret|cret=/.test(String(error)),
        url,
      );
    }
  });

  test('is described without user and password', () => {
    assert.equal(
      describeDatabase('postgres://ada:secret@a/registry?password=hidden'),
      'the PostgreSQL database registry on a',
    );
    assert.equal(describeDatabase('postgres://ada:secret@[::1]:5434'), 'the PostgreSQL database ada on [::1]:5434');
  });
});
