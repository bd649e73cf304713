import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postgres } from '@appregistrar/testkit/engines/engines';
import { startPostgres } from '@appregistrar/testkit/engines/postgres-server';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { readConfig } from '../../config/config.ts';
import { startServer } from '../../serve.ts';
import { openStorage } from '../open-storage.ts';
import { alterDatabase, execute, storageTest } from '../testing/storage-test.ts';

for (const [configured, used] of [
  ['off', 'on'],
  ['local', 'on'],
  ['remote_write', 'on'],
  ['on', 'on'],
  ['remote_apply', 'remote_apply'],
] as const) {
  const setting = `synchronous_commit = ${configured}`;
  storageTest(postgres, `a write on a database with ${setting} commits with ${used}`, async (storage, url) => {
    await alterDatabase(storage, url, `set ${setting}`);
    const other = await openStorage(url);
    const show = 'show synchronous_commit';
    assert.deepEqual(await execute(other.reader, show), [{ synchronous_commit: configured }]);
    for (const _ of [1, 2]) {
      const shown = await other.write((transaction) => execute(transaction, show));
      assert.deepEqual(shown, [{ synchronous_commit: used }]);
    }
    await other.close();
  });
}

const unsynced = [/fsync = off/, /full_page_writes = off/];

for (const [fsync, expected] of [
  ['off', unsynced],
  ['on', []],
] as const) {
  const reports = fsync === 'off' ? 'warns in the log and in /readyz, which is still 200' : 'warns of nothing';
  test(`a server whose PostgreSQL has fsync = ${fsync} ${reports}`, async () => {
    const server = await startPostgres('', { fsync, full_page_writes: fsync });
    const log = new CapturedLog();
    const addresses = { PUBLIC_ADDRESS: '127.0.0.1:0', OPERATOR_ADDRESS: '127.0.0.1:0' };
    const service = await startServer(readConfig({ ...addresses, DATABASE_URL: server.url }), log.logger);
    const response = await fetch(`http://127.0.0.1:${service.operatorAddress.port}/readyz`);
    const { status, warnings = [] } = (await response.json()) as { status: string; warnings?: string[] };
    await service.stop();
    await server.stop();
    assert.deepEqual([response.status, status, warnings.length], [200, 'ready', expected.length]);
    const logged = log.lines.map(({ msg }) => msg).filter((msg) => String(msg).startsWith('PostgreSQL'));
    assert.deepEqual(logged, warnings);
    for (const [at, warning] of expected.entries()) assert.match(warnings[at] ?? '', warning);
  });
}
