import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { removeFolder, temporaryFolder } from '@appregistrar/testkit/system/temporary-folder';
import { SqliteCheckpoints } from './checkpoints.ts';
import { openSqliteDatabase } from './database.ts';
import { ForeignCommits } from './foreign-commits.ts';

test('a restarted write-ahead log is not mistaken for a commit of another process, and a real commit is detected', async () => {
  const folder = temporaryFolder('foreign-commits-');
  const location = join(folder, 'registry.db');
  const writer = openSqliteDatabase(location, { readOnly: false });
  const other = openSqliteDatabase(location, { readOnly: false });
  const checkpoints = new SqliteCheckpoints(location, 1);
  const write = (database: typeof writer) =>
    database.exec('create table if not exists rows (id); insert into rows values (1)');
  try {
    const foreign = new ForeignCommits(writer);
    const restart = (commit: () => Promise<void>) => foreign.exceptRestart(commit);
    const counts = new Set([foreign.count()]);
    write(writer);
    let isRestarted = false;
    const restarted = checkpoints.restart(restart).finally(() => (isRestarted = true));
    while (!isRestarted) {
      counts.add(foreign.count());
      await new Promise(setImmediate);
    }
    await restarted;
    assert.equal(foreign.logPages(), 1, 'the log has begun anew');
    write(writer);
    assert.equal(counts.add(foreign.count()).size, 1);
    await checkpoints.restart(async (commit) => {
      await restart(async () => {
        await commit();
        write(other);
      });
    });
    assert.equal(counts.add(foreign.count()).size, 2);
  } finally {
    await checkpoints.close();
    for (const database of [writer, other]) database.close();
    removeFolder(folder);
  }
});
