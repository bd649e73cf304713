import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { TLSSocket } from 'node:tls';
import { PostgresCluster } from '@appregistrar/testkit/engines/postgres-cluster';
import { portOf } from '@appregistrar/testkit/http/port-of';
import { OperatingPage, variablesOf } from '@appregistrar/testkit/pages/operating-page';
import { systemPath } from '@appregistrar/testkit/programs/system-programs';
import { freePort } from '@appregistrar/testkit/system/free-port';
import { temporaryFolder } from '@appregistrar/testkit/system/temporary-folder';
import { readConfig } from '../../config/config.ts';
import { connectionSettings } from '../connection-settings.ts';
import { openStorage } from '../open-storage.ts';
import { findDeveloper } from '../queries/developers.ts';
import { insert } from '../query.ts';
import { developerRow } from '../testing/default-rows.ts';
import { HostClient, targetOf } from './host-client.ts';

const insertDeveloper = insert('developers');
const serverUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** Who may connect: each user in one way only, and `postgres` in any. */
const rules = `
  host    all postgres  127.0.0.1/32 trust
  hostssl all encrypted 127.0.0.1/32 trust
  hostnossl all plain   127.0.0.1/32 trust
  hostssl all certified 127.0.0.1/32 cert
  host    all elsewhere 127.0.0.1/32 trust
  host    all clear     127.0.0.1/32 password
  host    all ada       127.0.0.1/32 scram-sha-256
  host replication all  127.0.0.1/32 trust
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
      for (const role of ['encrypted', 'plain', 'certified']) await cluster.query(`create role ${role} login`);
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
      ['', true, false],
      ['sslmode=disable', false, false],
      ['sslmode=allow', false, false],
      ['sslmode=prefer', true, false],
      ['sslmode=require', true, /does not support SSL/],
      ['sslmode=verify-ca&sslrootcert=CA', true, /does not support SSL/],
      ['sslmode=verify-full&sslrootcert=CA', true, /does not support SSL/],
      ['sslmode=require&sslrootcert=CA', true, /does not support SSL/],
      ['sslmode=require&sslrootcert=OTHER', /certificate/, /does not support SSL/],
      ['sslmode=verify-ca&sslrootcert=OTHER', /certificate/, /does not support SSL/],
      ['sslmode=verify-full', /certificate/, /does not support SSL/],
      ['sslmode=verify-full&sslrootcert=system', /certificate/, /does not support SSL/],
      ['sslmode=prefer&sslrootcert=OTHER', false, false],
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
      const named = `postgres://postgres@localhost:${tls.port}/postgres?sslrootcert=${authority.certificate}`;
      await assertEncryption(`${named}&sslmode=verify-full&hostaddr=127.0.0.1`, true);
    });

    test('prefer and allow try the other way when the server takes the user in one way only', async () => {
      for (const mode of ['prefer', 'allow']) {
        await assertEncryption(`postgres://encrypted@localhost:${tls.port}/postgres?sslmode=${mode}`, true);
        await assertEncryption(`postgres://plain@localhost:${tls.port}/postgres?sslmode=${mode}`, false);
      }
      await assertEncryption(`postgres://plain@localhost:${tls.port}/postgres?sslmode=require`, /no pg_hba.conf entry/);
      await assertEncryption(
        `postgres://encrypted@localhost:${tls.port}/postgres?sslmode=disable`,
        /no pg_hba.conf entry/,
      );
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
      for (const attributes of ['any', 'primary']) {
        const url = `postgres://localhost:${portOf(server)}/?sslmode=require&target_session_attrs=${attributes}`;
        await assert.rejects(selectValue(url, ''));
      }
      assert.deepEqual(names, ['localhost', 'localhost']);
    });

    test('a client certificate signs in', async () => {
      const { certificate, key } = authority.issue('certified');
      const url = `postgres://certified@localhost:${tls.port}/postgres?sslmode=require`;
      await assertEncryption(`${url}&sslcert=${certificate}&sslkey=${key}`, true);
      await assertEncryption(url, /certificate/);
    });
  });

  test('channel_binding=require refuses a connection that the password is not bound to', async () => {
    const url = `postgres://ada:pw%3A1@localhost:${tls.port}/postgres?channel_binding`;
    await assertEncryption(`${url}=require`, true);
    await assertEncryption(`${url}=disable`, true);
    await assertEncryption(`${url}=require&sslmode=disable`, /offers no channel binding/);
    await assertEncryption(
      `postgres://postgres@localhost:${tls.port}/postgres?channel_binding=require`,
      /no channel binding/,
    );
  });

  test('channel_binding=require sends no password to a server that requests it in plain text', async () => {
    await tls.query(`create role clear login password 'right'`);
    const url = `postgres://clear:wrong@localhost:${tls.port}/postgres?channel_binding`;
    await assertEncryption(`${url}=prefer`, /password authentication failed/);
    await assertEncryption(`${url}=require`, /offers no channel binding/);
  });

  test('takes the password from a password file, by host, port, database and user', async () => {
    const file = authority.file('pgpass', `127.0.0.1:*:*:*:no\nlocalhost:${tls.port}:postgres:ada:pw\\:1\n`);
    chmodSync(file, 0o600);
    const query = `postgres?passfile=${file}`;
    await assertEncryption(`postgres://ada@localhost:${tls.port}/${query}`, true);
    await assertEncryption(`postgres://ada@127.0.0.1:${tls.port}/${query}`, /password authentication failed/);
    await assertEncryption(
      `postgres://ada@localhost:${noTls.port}/${query}`,
      /requires a password, and none is set for ada/,
    );
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
      ['db1.example.com', `localhost:${await freePort()}`],
      ['db2.example.com:5433', `localhost:${noTls.port}`],
      ['/etc/ssl/database-ca.pem', authority.certificate],
      ['/etc/app-registry.pgpass', passwords],
      ['/run/secrets/database-url', url],
    ];
    const blocks = (await OperatingPage.read()).section('Connect to PostgreSQL').blocks('ini');
    const encrypted: (boolean | RegExp)[] = [true, false, false];
    assert.equal(blocks.length, encrypted.length);
    for (const [at, block] of blocks.entries()) {
      const here = replacements.reduce((text, [shown, used]) => text.replaceAll(shown, used), block);
      assert.doesNotMatch(here, /example|etc|secrets/);
      await assertEncryption(readConfig(variablesOf(here)).databaseUrl, encrypted[at] ?? false);
    }
  });

  describe('with several hosts', () => {
    let standby: PostgresCluster;
    const port = `select current_setting('port') as value`;

    before(async () => {
      standby = await PostgresCluster.standbyOf(noTls, 'standby');
    });
    after(() => standby.remove());

    test('uses the first that responds and matches target_session_attrs', async () => {
      const closed = await freePort();
      const any = hostsUrl([closed, standby.port, noTls.port], 'any');
      assert.equal(await selectValue(any, port), String(standby.port));
      for (const attributes of ['', 'read-write', 'primary']) {
        assert.equal(
          await selectValue(hostsUrl([closed, standby.port, noTls.port], attributes), port),
          String(noTls.port),
        );
      }
      await assert.rejects(
        selectValue(hostsUrl([closed, standby.port], 'primary'), port),
        new RegExp(`localhost:${closed}: connect ECONNREFUSED.*; localhost:${standby.port}: the server is a standby$`),
      );
    });

    test('read-write leaves out a read-only primary, and primary takes it', async () => {
      await noTls.set('default_transaction_read_only', 'on');
      await assert.rejects(
        selectValue(hostsUrl([noTls.port, standby.port], 'read-write'), port),
        /the server is read-only/,
      );
      assert.equal(await selectValue(hostsUrl([standby.port, noTls.port], 'primary'), port), String(noTls.port));
      await noTls.query('alter system reset default_transaction_read_only');
      await noTls.query('select pg_reload_conf()');
    });

    test('tries no other host when one refuses the user, so that a wrong password is not tried everywhere', async () => {
      await noTls.query('create role elsewhere login');
      const url = `postgres://elsewhere@localhost:${tls.port},localhost:${noTls.port}/postgres`;
      await assert.rejects(selectValue(url, port), /role "elsewhere" does not exist/);
      assert.equal(await selectValue(url.replace(`${tls.port}`, `${await freePort()}`), port), String(noTls.port));
    });

    test('goes on to the next host when one takes the connection and never responds', async (t) => {
      const silent = createServer(() => {}).listen(0, '127.0.0.1');
      t.after(() => silent.close());
      await once(silent, 'listening');
      const silentPort = portOf(silent);
      const url = `postgres://postgres@127.0.0.1:${silentPort},127.0.0.1:${noTls.port}/postgres?connect_timeout=1`;
      const target = targetOf(connectionSettings(url));
      assert.equal(await selectAt(target, port), String(noTls.port));
      assert.deepEqual(
        target.order.next().map((host) => host.port),
        [noTls.port, silentPort],
      );
    });

    test('an open registry follows a failover to the standby that was promoted', async () => {
      await noTls.query('create database registry');
      const url = hostsUrl([noTls.port, standby.port], '').replace('/postgres?', '/registry?');
      const storage = await openStorage(url, { create: true });
      await storage.write((transaction) => insertDeveloper(transaction, developerRow()));
      while ((await standby.query(`select 1 from pg_database where datname = 'registry'`)).length === 0);
      await untilReplayed(noTls, standby);
      await noTls.kill();
      await standby.promote();
      // Connections that are lost fail their statement; each new one finds the new primary.
      while (
        !(await storage.ping().then(
          () => true,
          () => false,
        ))
      );
      assert.equal((await findDeveloper(storage.reader, { userId: 'user_1' }))?.user_id, 'user_1');
      await storage.write((transaction) => insertDeveloper(transaction, developerRow({ user_id: 'user_2' })));
      await storage.close();
      await noTls.start();
    });
  });
});

async function assertEncryption(url: string, expected: boolean | RegExp): Promise<void> {
  const encryption = selectValue(url, 'select ssl as value from pg_stat_ssl where pid = pg_backend_pid()');
  if (expected instanceof RegExp) await assert.rejects(encryption, expected);
  else assert.equal(await encryption, expected, url);
}

function selectValue(url: string, sql: string): Promise<unknown> {
  return selectAt(targetOf(connectionSettings(url)), sql);
}

async function selectAt(target: ReturnType<typeof targetOf>, sql: string): Promise<unknown> {
  const client = new HostClient(target, {});
  await client.connect();
  const { rows } = await client.query<{ value: unknown }>(sql);
  await client.end();
  return rows[0]?.value;
}

function hostsUrl(ports: number[], sessionAttributes: string): string {
  const hosts = ports.map((port) => `localhost:${port}`).join(',');
  return `postgres://postgres@${hosts}/postgres?target_session_attrs=${sessionAttributes}`;
}

async function untilReplayed(primary: PostgresCluster, standby: PostgresCluster): Promise<void> {
  const [at] = await primary.query<{ lsn: string }>('select pg_current_wal_lsn() as lsn');
  while ((await standby.query(`select 1 where pg_last_wal_replay_lsn() >= '${at?.lsn}'`)).length === 0);
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
