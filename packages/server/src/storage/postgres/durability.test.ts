import assert from 'node:assert/strict';
import { postgres } from '@appregistrar/testkit/engines/engines';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { alterDatabase, execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { readConfig } from '../../config/config.ts';
import { startServer } from '../../serve.ts';
import { openStorage } from '../open-storage.ts';

storageTest(
  postgres,
  'a write waits for the disk of its server, regardless of what the database sets',
  async (storage, url) => {
    for (const configured of ['off', 'local', 'remote_write', 'on', 'remote_apply']) {
      await alterDatabase(storage, url, `set synchronous_commit = ${configured}`);
      const other = await openStorage(url);
      const show = 'show synchronous_commit';
      assert.deepEqual(await execute(other.reader, show), [{ synchronous_commit: configured }]);
      for (const _ of [1, 2]) {
        const shown = await other.write((transaction) => execute(transaction, show));
        assert.deepEqual(shown, [{ synchronous_commit: configured === 'remote_apply' ? configured : 'on' }]);
      }
      await other.close();
    }
  },
);

storageTest(
  postgres,
  'a server warns of a PostgreSQL that does not sync, in the log and in /readyz, which is still 200',
  async (storage, url) => {
    // That of the tests does not, unless a different one was named.
    const off: string[] = [];
    for (const setting of ['fsync', 'full_page_writes']) {
      const [row] = await execute(storage.reader, `show ${setting}`);
      if (row?.[setting] === 'off') off.push(`${setting} = off`);
    }
    const log = new CapturedLog();
    const addresses = { PUBLIC_ADDRESS: '127.0.0.1:0', OPERATOR_ADDRESS: '127.0.0.1:0' };
    const service = await startServer(readConfig({ ...addresses, DATABASE_URL: url }), log.logger);
    const response = await fetch(`http://127.0.0.1:${service.operatorAddress.port}/readyz`);
    const { status, warnings = [] } = (await response.json()) as { status: string; warnings?: string[] };
    await service.stop();
    assert.deepEqual([response.status, status, warnings.length], [200, 'ready', off.length]);
    for (const [at, setting] of off.entries()) assert.match(warnings[at] ?? '', new RegExp(setting));
    const logged = log.lines.map(({ msg }) => msg).filter((msg) => String(msg).startsWith('PostgreSQL'));
    assert.deepEqual(logged, warnings);
  },
);
