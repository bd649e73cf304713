import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { readConfig } from './config.ts';
import { errorsOf } from './testing/errors-of.ts';

describe('the database URL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'database-url-'));
  after(() => rmSync(folder, { recursive: true }));

  test('can be in a file, which is then the only place for it', () => {
    const file = join(folder, 'url');
    writeFileSync(file, 'postgres://registry:secret@db.example/registry\n');
    assert.equal(readConfig({ DATABASE_URL_FILE: file }).databaseUrl, 'postgres://registry:secret@db.example/registry');
    assert.deepEqual(errorsOf({ DATABASE_URL_FILE: file, DATABASE_URL: 'sqlite::memory:' }), [
      'DATABASE_URL_FILE must not be set together with DATABASE_URL.',
    ]);
    assert.deepEqual(errorsOf({ DATABASE_URL_FILE: join(folder, 'none') }), [
      'DATABASE_URL_FILE must name a readable file (ENOENT).',
    ]);
    writeFileSync(file, 'mysql://ada:secret@db/x');
    assert.deepEqual(errorsOf({ DATABASE_URL_FILE: file }), [
      'DATABASE_URL_FILE must be sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE.',
    ]);
  });

  test('is completed with the variables of libpq, where it does not say otherwise', () => {
    const env = {
      PGHOST: 'a,b',
      PGPORT: '6432',
      PGUSER: 'ada',
      PGPASSWORD: 'p&w',
      PGSSLMODE: 'require',
      PGAPPNAME: '',
    };
    assert.equal(
      readConfig({ ...env, DATABASE_URL: 'postgres:///registry?sslmode=disable' }).databaseUrl,
      'postgres:///registry?sslmode=disable&host=a%2Cb&port=6432&user=ada&password=p%26w',
    );
    assert.equal(
      readConfig({ ...env, DATABASE_URL: 'postgres://eve:pw@c:1/registry' }).databaseUrl,
      'postgres://eve:pw@c:1/registry?sslmode=require',
    );
    assert.equal(
      readConfig({ PGHOSTADDR: '10.0.0.1', DATABASE_URL: 'postgres://ada@db/registry' }).databaseUrl,
      'postgres://ada@db/registry?hostaddr=10.0.0.1',
    );
    assert.equal(readConfig({ ...env }).databaseUrl, 'sqlite:./data/registry.db');
  });

  test('and the variables of libpq are refused each by its name, without their values', () => {
    const env = { PGSSLMODE: 'secret', PGPORT: 'secret', PGPASSFILE: '/secret', PGTARGETSESSIONATTRS: 'standby' };
    assert.deepEqual(errorsOf({ ...env, DATABASE_URL: 'postgres://ada@db/registry?connect_timeout=0&secret=1' }), [
      'DATABASE_URL has an unknown parameter; the known ones are host, hostaddr, port, dbname, user, password, passfile, target_session_attrs, connect_timeout, application_name, fallback_application_name, options, sslmode, sslrootcert, sslcert, sslkey, sslpassword, sslnegotiation, channel_binding, client_encoding, gssencmode, uselibpqcompat.',
      'PGPORT must be from 1 to 65535.',
      'PGPASSFILE must name a file that can be read.',
      'PGTARGETSESSIONATTRS must be one of any, read-write, primary.',
      'connect_timeout in DATABASE_URL must be an integer from 1 to 600.',
      'PGSSLMODE must be one of disable, allow, prefer, require, verify-ca, verify-full.',
    ]);
  });

  test('of PostgreSQL that cannot be read is refused without its password', () => {
    for (const url of [
      'postgres:secret',
      'postgres://ada:secret@[db/x',
      'postgres://ada:secret@d%zz/x',
      'postgres://a:se%cret@d/x',
    ]) {
      assert.deepEqual(errorsOf({ DATABASE_URL: url }), [
        'DATABASE_URL must be postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters as %XX.',
      ]);
    }
  });
});
