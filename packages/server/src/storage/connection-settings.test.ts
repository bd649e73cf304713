import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { connectionSettings, type PostgresHost, readConnectionSettings } from './connection-settings.ts';
import { describeDatabase } from './describe-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'connection-'));
const file = join(folder, 'file.pem');
writeFileSync(file, '', { mode: 0o600 });
after(() => rmSync(folder, { recursive: true }));

describe('a PostgreSQL URL', () => {
  /** Each as libpq reads it: the examples of PostgreSQL's manual (32.1.1.2), and more. */
  const hosts: [url: string, hosts: [name: string, port: number, address?: string][]][] = [
    ['postgres://', [['localhost', 5432]]],
    ['postgresql://localhost:5433', [['localhost', 5433]]],
    ['postgresql://other@localhost/otherdb?connect_timeout=10&application_name=myapp', [['localhost', 5432]]],
    [
      'postgresql://host1:123,host2:456/somedb?target_session_attrs=any&application_name=myapp',
      [
        ['host1', 123],
        ['host2', 456],
      ],
    ],
    ['postgresql:///mydb?host=localhost&port=5433', [['localhost', 5433]]],
    ['postgresql://[2001:db8::1234]/database', [['2001:db8::1234', 5432]]],
    ['postgresql:///dbname?host=/var/lib/postgresql', [['/var/lib/postgresql', 5432]]],
    ['postgresql://%2Fvar%2Flib%2Fpostgresql/dbname', [['/var/lib/postgresql', 5432]]],
    [
      'postgres://a,b:1,[::1]:2/db',
      [
        ['a', 5432],
        ['b', 1],
        ['::1', 2],
      ],
    ],
    [
      'postgres:///db?host=a,b&port=6000',
      [
        ['a', 6000],
        ['b', 6000],
      ],
    ],
    ['postgres://ignored:1/db?host=used&port=2', [['used', 2]]],
    ['postgres://db.example/db?hostaddr=10.0.0.1', [['db.example', 5432, '10.0.0.1']]],
    ['postgres:///db?hostaddr=10.0.0.1', [['10.0.0.1', 5432, '10.0.0.1']]],
  ];
  for (const [url, expected] of hosts) {
    test(`names the hosts of ${url}`, () => {
      const wanted: PostgresHost[] = expected.map(([name, port, address = null]) => ({ name, port, address }));
      assert.deepEqual(connectionSettings(url).hosts, wanted);
    });
  }

  test('has the defaults of libpq, except that of several hosts a writable one is used, and that every wait is limited', () => {
    const { hosts: _, passwordFile: __, ...settings } = connectionSettings('postgres:///');
    assert.deepEqual(settings, {
      user: userInfo().username,
      database: userInfo().username,
      password: null,
      sessionAttributes: 'any',
      connectTimeoutMs: 5_000,
      applicationName: 'app-registry',
      options: undefined,
      channelBinding: 'prefer',
      tls: {
        mode: 'prefer',
        negotiation: 'postgres',
        rootCertificate: null,
        certificate: null,
        key: null,
        keyPassword: null,
      },
    });
    assert.equal(connectionSettings('postgres://a,b/').sessionAttributes, 'read-write');
    assert.equal(connectionSettings('postgres://a/?sslrootcert=system').tls.mode, 'verify-full');
    assert.equal(connectionSettings('postgres://a/?ssl=true').tls.mode, 'require');
    assert.equal(connectionSettings('postgres://ada@a').database, 'ada');
  });

  test('gives every setting that it names', () => {
    const url =
      `postgres://ada%40x:p%3Aw%2F%25@a/my%20db?target_session_attrs=primary&connect_timeout=7&application_name=me%2Fyou
      &options=-c%20geqo%3Doff&channel_binding=require&sslmode=verify-ca&sslnegotiation=direct&sslpassword=s+s
      &sslrootcert=${file}&sslcert=${file}&sslkey=${file}`.replaceAll(/\s/g, '');
    const { hosts: _, ...settings } = connectionSettings(url);
    assert.deepEqual(settings, {
      user: 'ada@x',
      database: 'my db',
      password: 'p:w/%',
      passwordFile: null,
      sessionAttributes: 'primary',
      connectTimeoutMs: 7_000,
      applicationName: 'me/you',
      options: '-c geqo=off',
      channelBinding: 'require',
      tls: {
        mode: 'verify-ca',
        negotiation: 'direct',
        rootCertificate: file,
        certificate: file,
        key: file,
        keyPassword: 's+s',
      },
    });
  });

  const errors: [query: string, parameter: string | null, requirement: RegExp][] = [
    ['sslmode=no-verify', 'sslmode', /^must be one of disable, allow, prefer, require, verify-ca, verify-full$/],
    ['sslmode=verify-ca', 'sslrootcert', /must name the certificates of your authority/],
    ['sslmode=require&sslrootcert=system', 'sslmode', /must be verify-full/],
    ['sslnegotiation=direct', 'sslmode', /must be require, verify-ca or verify-full/],
    ['sslrootcert=/nonexistent', 'sslrootcert', /must name a file that can be read/],
    [`sslcert=${file}`, 'sslkey', /must be set/],
    [`sslkey=${file}`, 'sslcert', /must be set/],
    ['target_session_attrs=standby', 'target_session_attrs', /^must be one of any, read-write, primary$/],
    ['connect_timeout=0', 'connect_timeout', /^must be an integer from 1 to 600$/],
    ['connect_timeout=2.5', 'connect_timeout', /^must be an integer from 1 to 600$/],
    ['port=65536', 'port', /^must be from 1 to 65535$/],
    ['port=1,2', 'port', /^must be one port, or one per host$/],
    ['hostaddr=db.example', 'hostaddr', /^must be IP addresses$/],
    ['hostaddr=::1,::2', 'hostaddr', /^must have one address per host$/],
    ['channel_binding=yes', 'channel_binding', /^must be one of disable, prefer, require$/],
    ['passfile=/nonexistent', 'passfile', /must name a file that can be read/],
    ['gssencmode=require', 'gssencmode', /^must be one of disable, prefer$/],
    ['client_encoding=latin1', 'client_encoding', /^must be one of UTF8/],
    ['max=10', null, /^has an unknown parameter; the known ones are host, hostaddr, port, /],
  ];
  for (const [query, parameter, requirement] of errors) {
    test(`with ${query} is refused, and the error says why but not the value`, () => {
      const read = readConnectionSettings(`postgres://ada@db.example/registry?${query}`);
      assert.equal(read.settings, null);
      assert.equal(read.errors.length, 1, JSON.stringify(read.errors));
      assert.equal(read.errors[0]?.parameter, parameter);
      assert.match(String(read.errors[0]?.requirement), requirement);
    });
  }

  test('reports everything that is wrong with it at once, without its password', () => {
    const url = 'postgres://ada:secret@a:0/registry?sslmode=x&connect_timeout=y';
    assert.throws(
      () => connectionSettings(url),
      /^UnusableDatabase: The URL .* cannot be used: port must .*; connect_timeout must .*; sslmode must [^;]*\.$/,
    );
    for (const wrong of [
      url,
      'postgres://ada:sec%ret@a/',
      'postgres://ada:se?cret=1@a/',
      'postgres://ada:se/cret@a:b/',
    ]) {
      assert.throws(
        () => connectionSettings(wrong),
        (error) => !/secret|cret|ret=/.test(String(error)),
        wrong,
      );
    }
  });

  test('is described with all its hosts, and without user and password', () => {
    const place = describeDatabase('postgres://ada:secret@a,b:5433,[::1]:5434/registry?password=hidden');
    assert.equal(place, 'the PostgreSQL database registry on a, b:5433, [::1]:5434');
  });

  test('uses no password file that other users can read, and needs none with a password', () => {
    const shared = join(folder, 'shared');
    writeFileSync(shared, '');
    chmodSync(shared, 0o640);
    const {
      errors: [error],
    } = readConnectionSettings(`postgres://a/?passfile=${shared}`);
    assert.deepEqual(error, {
      parameter: 'passfile',
      requirement: 'must name a file that only its owner can read: chmod 0600',
    });
    assert.equal(connectionSettings(`postgres://ada:pw@a/?passfile=${shared}`).passwordFile, null);
    assert.equal(connectionSettings(`postgres://a/?passfile=${file}`).passwordFile, file);
  });
});
