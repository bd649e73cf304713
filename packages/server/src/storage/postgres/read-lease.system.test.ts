import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresCluster } from '@appregistrar/testkit/engines/postgres-cluster';
import { OperatingPage } from '@appregistrar/testkit/pages/operating-page';
import { PgBouncer } from '@appregistrar/testkit/programs/pg-bouncer';
import { TcpProxy } from '@appregistrar/testkit/system/tcp-proxy';
import { StorageUnavailable, UnknownOutcome } from '../failure.ts';
import { openStorage } from '../open-storage.ts';
import { findSettings } from '../queries/settings.ts';
import type { Storage } from '../storage.ts';
import { execute } from '../testing/storage-test.ts';

const readLeaseSeconds = 2;
const timeoutMs = 30_000;

describe('between a primary and its standby', () => {
  let primary: PostgresCluster;
  let standby: PostgresCluster;
  const servers = new AsyncDisposableStack();
  before(async () => {
    ({ primary, standby } = await replicated(servers));
  });
  after(() => servers.disposeAsync());

  test('reads and changes are refused while the synchronous standby confirms nothing, and accepted once it does', async () => {
    await using ends = new AsyncDisposableStack();
    const storage = await opened(ends, primary.url());
    await Promise.all(everyUse(storage).map((use) => use()));
    const thaw = standby.freeze();
    for (const use of everyUse(storage)) await untilRefused(use);
    thaw();
    for (const use of everyUse(storage)) await untilDone(use);
  });

  test('a process that starts waits as long, unless another one has done so', async () => {
    await using ends = new AsyncDisposableStack();
    const startedAt = performance.now();
    await opened(ends, primary.url());
    assert.ok(performance.now() - startedAt >= readLeaseSeconds * 1_000);
    await untilLocked(primary);
    const beside = performance.now();
    await opened(ends, primary.url(), 60);
    assert.ok(performance.now() - beside < 60_000);
  });

  test('a commit whose wait for the standby is cancelled renews nothing', async () => {
    await using ends = new AsyncDisposableStack();
    const storage = await opened(ends, primary.url());
    const thaw = standby.freeze();
    await untilRefused(async () => {
      await primary.query(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`);
      await read(storage);
    });
    thaw();
  });

  test('a change whose wait for the standby is cancelled has an unknown outcome', async () => {
    await using ends = new AsyncDisposableStack();
    const storage = await opened(ends, primary.url(), 0);
    const thaw = standby.freeze();
    const committed = storage.write((transaction) => execute(transaction, 'update settings set revision = 77'));
    const refused = assert.rejects(committed, UnknownOutcome);
    const cancel = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
    await untilDone(async () => assert.equal((await primary.query(cancel)).length, 1));
    await refused;
    thaw();
  });
});

test('a process accepts no change on a promoted standby before read leases of the former primary have expired', async () => {
  await using ends = new AsyncDisposableStack();
  const { primary, standby } = await replicated(ends);
  const address = await TcpProxy.start(primary.port);
  ends.defer(() => address.stop());
  const reader = await opened(ends, primary.url());
  const writer = await opened(ends, primary.url(address.port));
  await standby.promote();
  address.switchTo(standby.port);
  await untilDone(() => read(writer));
  await assert.rejects(change(writer), StorageUnavailable);
  await assert.rejects(writer.ping(), StorageUnavailable);
  await untilDone(() => change(writer));
  await assert.rejects(read(reader), StorageUnavailable);
});

test('no read of the former primary is current by the lease on the new one', async () => {
  await using ends = new AsyncDisposableStack();
  const { primary, standby } = await replicated(ends);
  const address = await TcpProxy.start(primary.port);
  ends.defer(() => address.stop());
  const storage = await opened(ends, primary.url(address.port));
  await Promise.all(Array.from({ length: 10 }, () => read(storage)));
  await standby.promote();
  // Only new connections lead to it.
  address.sendTo(standby.port);
  await opened(ends, standby.url());
  await standby.query('update settings set revision = 77');
  const revisions = new Set<number | undefined>();
  await untilDone(async () => revisions.add((await read(storage))?.revision));
  for (let at = 0; at < 10; at += 1)
    await read(storage).then(
      (settings) => revisions.add(settings?.revision),
      () => {},
    );
  assert.deepEqual([...revisions], [77]);
});

test('the lease holds behind PgBouncer, which gives each transaction another connection', async () => {
  await using ends = new AsyncDisposableStack();
  const { primary, standby } = await replicated(ends);
  const address = await TcpProxy.start(primary.port);
  ends.defer(() => address.stop());
  const page = await OperatingPage.read();
  const [configuration = ''] = page.section('Connection pooler').blocks('ini');
  const server = { host: '127.0.0.1', port: address.port, database: 'postgres' };
  const bouncer = await PgBouncer.start(configuration, server);
  ends.defer(() => bouncer.stop());
  const storage = await opened(ends, bouncer.url);
  await Promise.all(everyUse(storage).map((use) => use()));
  await untilLocked(primary);
  await standby.promote();
  // Its connections to the former primary stay open.
  await untilRefused(() => read(storage));
  await assert.rejects(change(storage), StorageUnavailable);
  address.switchTo(standby.port);
  for (const use of everyUse(storage)) await untilDone(use);
});

function read(storage: Storage) {
  return findSettings(storage.reader, {});
}

function change(storage: Storage) {
  return storage.write((transaction) => findSettings(transaction, {}));
}

function everyUse(storage: Storage): (() => Promise<unknown>)[] {
  const list = () => storage.snapshot(async function* () {}).next();
  const lookUp = () => storage.gate.findToken('none');
  return [() => read(storage), () => change(storage), list, lookUp, () => storage.ping()];
}

/** A primary whose commits wait for its standby. */
async function replicated(ends: AsyncDisposableStack) {
  const primary = await PostgresCluster.create();
  ends.defer(() => primary.remove());
  const standby = await PostgresCluster.standbyOf(primary, 'standby');
  ends.defer(() => standby.remove());
  await (await openStorage(primary.url(), { create: true })).close();
  await primary.set('synchronous_standby_names', 'standby');
  const isSynchronous = `select 1 from pg_stat_replication where sync_state = 'sync'`;
  await untilDone(async () => assert.equal((await primary.query(isSynchronous)).length, 1));
  return { primary, standby };
}

async function opened(ends: AsyncDisposableStack, url: string, seconds = readLeaseSeconds): Promise<Storage> {
  const storage = await openStorage(url, { readLeaseSeconds: seconds });
  ends.defer(() => storage.close());
  return storage;
}

async function untilLocked(primary: PostgresCluster): Promise<void> {
  const locks = `select 1 from pg_locks where locktype = 'advisory'`;
  await untilDone(async () => assert.notEqual((await primary.query(locks)).length, 0));
}

async function untilDone(work: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const error = await work().then(
      () => null,
      (reason: Error) => reason,
    );
    if (error === null) return;
    if (performance.now() > deadline) throw error;
    await sleep(50);
  }
}

async function untilRefused(work: () => Promise<unknown>): Promise<void> {
  await untilDone(() => assert.rejects(work(), StorageUnavailable));
}
