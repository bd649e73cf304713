import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { StorageUnavailable } from '../failure.ts';
import { openStorage } from '../open-storage.ts';
import { findDeveloper } from '../queries/developers.ts';
import { insert } from '../query.ts';
import { startChild } from '../testing/child-process.ts';
import { developerRow } from '../testing/default-rows.ts';
import { storageTest } from '../testing/storage-test.ts';

const insertDeveloper = insert('developers');

storageTest(sqlite, 'writes work again after the log could not be read', async (storage, url) => {
  const write = (userId: string) =>
    storage.write((transaction) => insertDeveloper(transaction, developerRow({ user_id: userId, email: userId })));
  // Writes the first page of the database, which every transaction reads.
  await storage.ping();
  const log = await readFile(logOf(url));
  const unreadable = Buffer.alloc(log.length);
  log.copy(unreadable, 0, 0, 32);
  await writeFile(logOf(url), unreadable, { flag: 'r+' });
  await assert.rejects(write('user_2'), StorageUnavailable);
  await assert.rejects(findDeveloper(storage.reader, { userId: 'user_2' }), StorageUnavailable);
  await writeFile(logOf(url), log, { flag: 'r+' });
  // After the commit of another process, each connection reads anew.
  const other = await openStorage(url);
  await other.ping();
  await other.close();
  await write('user_3');
  assert.ok(await findDeveloper(storage.reader, { userId: 'user_3' }));
});

storageTest(sqlite, 'cached results of the gate are current after a failed sync', async (_storage, url) => {
  const child = startChild(
    url,
    `${failingSyncs}
    const { insertApp, updateInstallationCount } = await import(${moduleAt('../queries/apps.ts')});
    const { appRow, developerRow } = await import(${moduleAt('../testing/default-rows.ts')});
    const storage = await openStorage(url);
    await storage.write(async (transaction) => {
      await transaction.insertNew('developers', [developerRow()]);
      await insertApp(transaction, appRow());
    });
    const find = () => storage.gate.findPlatformRevision('app_1');
    await find();
    syncs.fails = true;
    const isRead = Promise.withResolvers();
    syncs.until = isRead.promise;
    const change = storage.write((transaction) => updateInstallationCount(transaction, { id: 'app_1', by: 1, stamp: 's' }));
    const begun = await syncs.begun.promise;
    // It is executed beside the sync, and changes nothing.
    const read = storage.write(async () => isRead.resolve());
    await Promise.allSettled([change, read]);
    await find();
    syncs.fails = false;
    await storage.ping();
    console.log(await find());
    await storage.close();`,
  );
  assert.equal(await child.ended, '2.s.live.stamp_1\n');
});

storageTest(sqlite, 'commits of another process are written again after a failed sync', async (_storage, url) => {
  const child = startChild(
    url,
    `${failingSyncs}
    const { schemaVersion } = await import(${moduleAt('../schema-version.ts')});
    const [storage, other] = [await openStorage(url), await openStorage(url)];
    await other.ping();
    syncs.fails = true;
    await schemaVersion(storage).catch(() => {});
    syncs.fails = false;
    await schemaVersion(storage);
    await storage.ping();
    console.log(syncs.written >= fs.statSync(url.slice('sqlite:'.length) + '-wal').size);
    await Promise.all([storage.close(), other.close()]);`,
  );
  assert.equal(await child.ended, 'true\n');
});

storageTest(sqlite, 'reads are served when a sync fails that no read depends on', async (_storage, url) => {
  const child = startChild(
    url,
    `${failingSyncs}
    const { schemaVersion } = await import(${moduleAt('../schema-version.ts')});
    const storage = await openStorage(url);
    let calls = 0;
    // The first one fails, the next one works, and so on.
    Object.defineProperty(syncs, 'fails', { get: () => ++calls % 2 === 1 });
    await storage.ping().catch(() => {});
    const reads = await Promise.allSettled(Array.from({ length: 3 }, () => schemaVersion(storage)));
    await schemaVersion(storage);
    console.log(calls >= 2, reads.map(({ status }) => status).join(' '));
    process.exit();`,
  );
  assert.equal(await child.ended, 'true fulfilled fulfilled fulfilled\n');
});

storageTest(sqlite, 'a process started after a failed sync rewrites the log', async (_storage, url) => {
  const failing = startChild(
    url,
    `${failingSyncs}
    const storage = await openStorage(url);
    syncs.fails = true;
    await storage.ping().catch(() => console.log('failed'));
    process.exit();`,
  );
  assert.equal(await failing.ended, 'failed\n');
  const openAgain = `${failingSyncs}
    const storage = await openStorage(url);
    console.log(syncs.written >= fs.statSync(url.slice('sqlite:'.length) + '-wal').size);
    await storage.ping();
    await storage.close();`;
  assert.equal(await startChild(url, openAgain).ended, 'true\n');
  assert.equal(await startChild(url, openAgain).ended, 'false\n', 'once');
});

storageTest(sqlite, 'a process started after a second failed sync knows of the failure', async (_storage, url) => {
  const child = startChild(
    url,
    `${failingSyncs}
    const storage = await openStorage(url);
    syncs.fails = true;
    await storage.ping().catch(() => {});
    // Writes the log again.
    await openStorage(url);
    await storage.ping().catch(() => {});
    console.log(fs.existsSync(url.slice('sqlite:'.length) + '-wal-unsynced'));
    process.exit();`,
  );
  assert.equal(await child.ended, 'true\n');
});

/** Code for a child: its syncs of the log can be delayed and made to fail; what is written to the log is counted. */
const failingSyncs = `
  const { default: fs } = await import('node:fs');
  const { fdatasync, write, writeSync } = fs;
  const syncs = { fails: false, until: undefined, begun: Promise.withResolvers(), written: 0 };
  fs.fdatasync = async (file, done) => {
    if (!syncs.fails) return fdatasync(file, done);
    syncs.begun.resolve();
    await syncs.until;
    setImmediate(done, Object.assign(new Error('EIO'), { code: 'EIO' }));
  };
  fs.write = (file, buffer, from, length, ...rest) => {
    syncs.written += length;
    return write(file, buffer, from, length, ...rest);
  };
  fs.writeSync = (file, buffer, from, length, ...rest) => {
    syncs.written += length;
    return writeSync(file, buffer, from, length, ...rest);
  };
  (await import('node:module')).syncBuiltinESMExports();`;

function moduleAt(path: string): string {
  return JSON.stringify(new URL(path, import.meta.url).href);
}

function logOf(url: string): string {
  return `${url.slice('sqlite:'.length)}-wal`;
}
