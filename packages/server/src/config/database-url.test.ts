import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { errorsOf } from '../../test/config/errors-of.ts';
import { readConfig } from './config.ts';

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
      PGHOST: 'a',
      PGPORT: '6432',
      PGUSER: 'ada',
      PGPASSWORD: 'p&w',
      PGSSLMODE: 'require',
      PGAPPNAME: '',
    };
    assert.equal(
      readConfig({ ...env, DATABASE_URL: 'postgres:///registry?sslmode=disable' }).databaseUrl,
      'postgres:///registry?sslmode=disable&host=a&port=6432&user=ada&password=p%26w',
    );
    assert.equal(
      readConfig({ ...env, DATABASE_URL: 'postgres://eve:pw@c:1/registry' }).databaseUrl,
      'postgres://eve:pw@c:1/registry?sslmode=require',
    );
    assert.equal(
      readConfig({ PGDATABASE: 'other', DATABASE_URL: 'postgres://ada@db' }).databaseUrl,
      'postgres://ada@db?dbname=other',
    );
    assert.equal(readConfig({ ...env }).databaseUrl, 'sqlite:./data/registry.db');
  });

  test('is refused for the variables of libpq too, without their values', () => {
    assert.deepEqual(errorsOf({ PGSSLMODE: 'secret', DATABASE_URL: 'postgres://ada@db/registry' }), [
      'DATABASE_URL needs an sslmode (PGSSLMODE) of disable, require, verify-ca, verify-full.',
    ]);
  });

  test('of PostgreSQL that cannot be read is refused without its password', () => {
    for (const url of ['postgres:secret', 'postgres://ada:secret@[db/x']) {
      assert.deepEqual(errorsOf({ DATABASE_URL: url }), [
        'DATABASE_URL must be postgres://USER:PASSWORD@HOST:PORT/DATABASE, with one host, and special characters as %XX.',
      ]);
    }
  });
});
