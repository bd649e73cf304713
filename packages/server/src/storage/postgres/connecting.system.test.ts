import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { createServer } from 'node:net';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { TLSSocket } from 'node:tls';
import { PostgresCluster } from '@appregistrar/testkit/engines/postgres-cluster';
import { OperatingPage, variablesOf } from '@appregistrar/testkit/pages/operating-page';
import { withVariables } from '@appregistrar/testkit/programs/command-line';
import { systemPath } from '@appregistrar/testkit/programs/system-programs';
import { temporaryFolder } from '@appregistrar/testkit/system/temporary-folder';
import { portOf } from '../../../test/http/port-of.ts';
import { readConfig } from '../../config/config.ts';
import { postgresConfig } from '../postgres-url.ts';
import { PostgresPool } from './postgres-connection.ts';

const serverUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** Who may connect: each user in one way only, and `postgres` in any. */
const rules = `
  host    all postgres  127.0.0.1/32 trust
  hostssl all certified 127.0.0.1/32 cert
  host    all ada       127.0.0.1/32 scram-sha-256
`;

describe('connecting to PostgreSQL', () => {
  let authority: CertificateAuthority;
  let other: CertificateAuthority;
  /** With TLS, for `localhost` but not for its address. */
  let tls: PostgresCluster;
  let noTls: PostgresCluster;
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);

  before(async () => {
    process.on('warning', onWarning);
    authority = new CertificateAuthority();
    other = new CertificateAuthority();
    const server = authority.issue('server', ['DNS:localhost'], serverUser);
    const hba = { hba_file: authority.file('pg_hba.conf', rules) };
    const files = { ssl_cert_file: server.certificate, ssl_key_file: server.key, ssl_ca_file: authority.certificate };
    tls = await PostgresCluster.create({ ...hba, ...files, ssl: 'on' });
    noTls = await PostgresCluster.create(hba);
    for (const cluster of [tls, noTls]) {
      await cluster.query('create role certified login');
      await cluster.query(`create role ada login password 'pw:1'`);
    }
  });

  after(async () => {
    await tls.remove();
    await noTls.remove();
    process.off('warning', onWarning);
    assert.deepEqual(warnings, [], 'the driver warns of nothing');
  });

  describe('by sslmode', () => {
    /** Whether the connection is encrypted, or why there is none: on the server with TLS, and on that without. */
    const cases: [sslMode: string, onTls: boolean | RegExp, onNoTls: boolean | RegExp][] = [
      ['', false, false],
      ['sslmode=disable', false, false],
      ['sslmode=require', true, /does not support SSL/],
      ['sslmode=verify-ca&sslrootcert=CA', true, /does not support SSL/],
      ['sslmode=verify-full&sslrootcert=CA', true, /does not support SSL/],
      ['sslrootcert=CA', true, /does not support SSL/],
      ['sslmode=require&sslrootcert=CA', true, /does not support SSL/],
      ['sslmode=require&sslrootcert=OTHER', /certificate/, /does not support SSL/],
      ['sslmode=verify-ca&sslrootcert=OTHER', /certificate/, /does not support SSL/],
      ['sslmode=verify-full', /certificate/, /does not support SSL/],
    ];
    for (const [sslMode, onTls, onNoTls] of cases) {
      test(`${sslMode || 'unset'}: with TLS ${onTls}, without ${onNoTls}`, async () => {
        const query = sslMode.replace('CA', authority.certificate).replace('OTHER', other.certificate);
        await assertEncryption(`postgres://postgres@localhost:${tls.port}/postgres?${query}`, onTls);
        await assertEncryption(`postgres://postgres@localhost:${noTls.port}/postgres?${query}`, onNoTls);
      });
    }

    test('verify-full refuses a certificate for another name, and verify-ca accepts it', async () => {
      const url = `postgres://postgres@127.0.0.1:${tls.port}/postgres?sslrootcert=${authority.certificate}`;
      await assertEncryption(`${url}&sslmode=verify-full`, /IP: 127\.0\.0\.1 is not in the cert/);
      await assertEncryption(`${url}&sslmode=verify-ca`, true);
    });

    test('names the server in the handshake, by which hosting services find the database', async (t) => {
      const names: unknown[] = [];
      const server = createServer((socket) => {
        socket
          .on('error', () => {})
          .once('data', () => {
            socket.write('S');
            const SNICallback = (name: string) => socket.destroy(void names.push(name));
            new TLSSocket(socket, { isServer: true, SNICallback }).on('error', () => {});
          });
      }).listen(0, '127.0.0.1');
      t.after(() => server.close());
      await once(server, 'listening');
      await assert.rejects(selectValue(`postgres://localhost:${portOf(server)}/?sslmode=require`, ''));
      assert.deepEqual(names, ['localhost']);
    });

    test('a client certificate signs in', async () => {
      const { certificate, key } = authority.issue('certified');
      const url = `postgres://certified@localhost:${tls.port}/postgres?sslmode=require`;
      await assertEncryption(`${url}&sslcert=${certificate}&sslkey=${key}`, true);
      await assertEncryption(url, /certificate/);
    });
  });

  test('takes the password from a password file, by host, port, database and user', async () => {
    const file = authority.file('pgpass', `127.0.0.1:*:*:*:no\nlocalhost:${tls.port}:postgres:ada:pw\\:1\n`);
    chmodSync(file, 0o600);
    process.env.PGPASSFILE = file;
    await assertEncryption(`postgres://ada@localhost:${tls.port}/postgres`, false);
    await assertEncryption(`postgres://ada@127.0.0.1:${tls.port}/postgres`, /password authentication failed/);
    await assertEncryption(
      `postgres://ada@localhost:${noTls.port}/postgres`,
      /requires a password, and none is set for ada/,
    );
    delete process.env.PGPASSFILE;
  });

  test('takes files that begin with a byte order mark, and the password file of the home folder where HOME is not set', async (t) => {
    const file = authority.file('.pgpass', `\ufefflocalhost:*:*:ada:pw\\:1\n`);
    chmodSync(file, 0o600);
    const certificate = authority.file('marked.pem', `\ufeff${readFileSync(authority.certificate, 'utf8')}`);
    const url = `postgres://ada@localhost:${tls.port}/postgres?sslmode=verify-full&sslrootcert=${certificate}`;
    await withVariables({ HOME: dirname(file) }, () => assertEncryption(url, true));
    const homedir = t.mock.method(os, 'homedir', () => dirname(file));
    syncBuiltinESMExports();
    try {
      await withVariables({ HOME: undefined }, () => assertEncryption(url, true));
    } finally {
      homedir.mock.restore();
      syncBuiltinESMExports();
    }
  });

  test('names itself app-registry, or as the URL says', async () => {
    const url = `postgres://postgres@localhost:${tls.port}/postgres`;
    assert.equal(await selectValue(url, `select current_setting('application_name') as value`), 'app-registry');
    assert.equal(
      await selectValue(`${url}?application_name=a%20b`, `select current_setting('application_name') as value`),
      'a b',
    );
    assert.equal(await selectValue(`${url}?options=-c%20geqo%3Doff`, `select current_setting('geqo') as value`), 'off');
  });

  test('works as docs/postgresql.md shows it', async () => {
    const passwords = authority.file('shown.pgpass', '*:*:*:ada:pw\\:1\n');
    const url = authority.file('shown-url', `postgres://ada:pw%3A1@localhost:${noTls.port}/postgres\n`);
    for (const path of [passwords, url]) chmodSync(path, 0o600);
    const replacements: [shown: string, used: string][] = [
      ['registry@', 'ada@'],
      ['/registry?', '/postgres?'],
      ['db.example.com', `localhost:${tls.port}`],
      ['/etc/ssl/database-ca.pem', authority.certificate],
      ['/etc/app-registry.pgpass', passwords],
      ['/run/secrets/database-url', url],
    ];
    const blocks = (await OperatingPage.read()).section('Connect to PostgreSQL').blocks('ini');
    const encrypted = [true, false];
    assert.equal(blocks.length, encrypted.length);
    for (const [at, block] of blocks.entries()) {
      const here = replacements.reduce((text, [shown, used]) => text.replaceAll(shown, used), block);
      assert.doesNotMatch(here, /example|etc|secrets/);
      const variables = variablesOf(here);
      if (variables.PGPASSFILE !== undefined) process.env.PGPASSFILE = variables.PGPASSFILE;
      await assertEncryption(readConfig(variables).databaseUrl, encrypted[at] ?? false);
    }
    delete process.env.PGPASSFILE;
  });
});

async function assertEncryption(url: string, expected: boolean | RegExp): Promise<void> {
  const encryption = selectValue(url, 'select ssl as value from pg_stat_ssl where pid = pg_backend_pid()');
  if (expected instanceof RegExp) await assert.rejects(encryption, expected);
  else assert.equal(await encryption, expected, url);
}

async function selectValue(url: string, sql: string): Promise<unknown> {
  const pool = new PostgresPool({ ...postgresConfig(url), max: 1 });
  try {
    return (await pool.query<{ value: unknown }>(sql)).rows[0]?.value;
  } finally {
    await pool.end();
  }
}

/** The paths of PEM files. */
interface Certificate {
  certificate: string;
  key: string;
}

/** An authority that issues certificates, made with openssl in a folder of its own, which other users can enter. */
class CertificateAuthority {
  readonly certificate: string;
  readonly #key: string;
  readonly #folder = temporaryFolder('certificates-');

  constructor() {
    chmodSync(this.#folder, 0o755);
    const own = this.#request('authority', '/CN=Test Authority', ['-x509', '-days', '2']);
    this.certificate = own.certificate;
    this.#key = own.key;
  }

  /** Issues a certificate for a name, and host names or addresses such as `DNS:localhost`. The key belongs to `owner`. */
  issue(name: string, subjects: string[] = [], owner?: { uid: number; gid: number }): Certificate {
    const extensions = subjects.length > 0 ? ['-addext', `subjectAltName=${subjects.join(',')}`] : [];
    const issuer = ['-x509', '-days', '2', '-CA', this.certificate, '-CAkey', this.#key];
    const issued = this.#request(name, `/CN=${name}`, [...issuer, ...extensions]);
    chmodSync(issued.key, 0o600);
    if (owner) chownSync(issued.key, owner.uid, owner.gid);
    return issued;
  }

  /** Writes a file for a server beside the certificates. Returns its path. */
  file(name: string, text: string): string {
    const path = join(this.#folder, name);
    writeFileSync(path, text, { mode: 0o644 });
    return path;
  }

  #request(name: string, subject: string, args: string[]): Certificate {
    const certificate = join(this.#folder, `${name}.pem`);
    const key = join(this.#folder, `${name}.key`);
    const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key];
    execFileSync('openssl', ['req', ...newKey, '-subj', subject, ...args, '-out', certificate], {
      env: { PATH: systemPath },
      stdio: 'ignore',
    });
    return { certificate, key };
  }
}
