import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { Program } from '@appregistrar/testkit/programs/program';
import { eventsAt } from '@appregistrar/testkit/registry/events-at';
import { storeInitialSettings } from '../../registry/stored-settings.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { execute } from '../../storage/testing/storage-test.ts';

const dayMs = 86_400_000;
const oldEvents = 3_000;
const youngEvents = 10;
const main = fileURLToPath(new URL('../main.ts', import.meta.url));

forEachEngine((engine) => {
  test('archiving that is killed at any moment loses no event, and is completed when it is repeated', async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'archive-'));
    const file = join(folder, 'events.jsonl.gz');
    const database = await engine.createMigratedDatabase();
    const storage = await openStorage(database.url);
    // As the first command would: it waits for no other write then.
    await storeInitialSettings(storage, { uniqueNames: true });
    const all = [
      ...eventsAt(Date.now() - 10 * dayMs, { count: oldEvents, characters: 2_000 }),
      ...eventsAt(Date.now() - 1_000, { count: youngEvents, characters: 2_000 }),
    ];
    await storage.write((transaction) => transaction.insertNew('events', all));
    const ids = all.map(({ id }) => id);

    const archiving = () =>
      new Program([process.execPath, main, 'event', 'archive', '--before', '2999-01-01T00:00:00Z', file, '--json'], {
        env: { DATABASE_URL: database.url },
      });
    let kills = 0;
    const killOnce = async (isTime: () => boolean | Promise<boolean>) => {
      const program = archiving();
      let hasEnded = false;
      void program.ended.then(() => {
        hasEnded = true;
      });
      while (!hasEnded && !(await isTime())) await sleep(1);
      program.process.kill('SIGKILL');
      if ((await program.ended).signal) kills += 1;
    };
    const assertNothingLost = async () => {
      const filed = existsSync(file) ? idsIn(file) : [];
      assert.deepEqual([...new Set([...filed, ...(await storedIds())])], ids, `after ${kills} kills`);
    };

    // While another write holds the events, it can only write the file.
    await storage.write(async (transaction) => {
      if (engine.name === 'postgres') await execute(transaction, 'lock table events in share mode');
      await killOnce(() => existsSync(`${file}.part`) || existsSync(file));
      await killOnce(() => existsSync(file));
    });
    assert.equal(kills, 2);
    assert.deepEqual(await storedIds(), ids);
    for (const part of [1, 0.8, 0.5]) {
      await killOnce(async () => (await storedIds()).length < part * ids.length);
      await assertNothingLost();
    }
    const { status, stdout, stderr } = await archiving().ended;
    assert.equal(status, 0, stderr);
    assert.equal(JSON.parse(stdout).events, oldEvents);
    assert.deepEqual([idsIn(file), await storedIds()], [ids.slice(0, oldEvents), ids.slice(oldEvents)]);
    context.diagnostic(`${kills} kills`);
    assert.deepEqual(readdirSync(folder), ['events.jsonl.gz']);
    await storage.close();
    await database.drop();
    await rm(folder, { recursive: true });

    async function storedIds(): Promise<unknown[]> {
      const rows = await execute(storage.reader, 'select id from events order by id');
      return rows.map(({ id }) => id);
    }
  });
});

function idsIn(file: string): unknown[] {
  const lines = gunzipSync(readFileSync(file)).toString().trim().split('\n');
  return lines.slice(1, -1).map((line) => JSON.parse(line).id);
}
