import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forEachEngine, sqliteInMemory } from 'app-registry-testkit/engines/engines';
import { BatchLoader, type GateQueries, type GateResults } from './gate.ts';
import { updateRevokedAt } from './queries/access-tokens.ts';
import { deleteApp, insertApp, updateInstallationCount, updatePlatformRevisions } from './queries/apps.ts';
import { insert } from './query.ts';
import type { Storage } from './storage.ts';
import { startChild } from './testing/child-process.ts';
import { appRow, developerRow, sampleRows } from './testing/sample-rows.ts';
import { execute, storageTest } from './testing/storage-test.ts';

const insertDeveloper = insert('developers');

forEachEngine((engine) => {
  storageTest(engine, 'an answer is never older than what another process has acknowledged', async (storage, url) => {
    await insertSample(storage);
    const child = startChild(url, countUp);
    for (let round = 0; round < 50; round += 1) {
      const told = Number((await child.nextOutput()).trim().split('\n').at(-1));
      const [revision, token] = await Promise.all([
        storage.gate.findPlatformRevision('app_1'),
        storage.gate.findToken('aa'),
      ]);
      assert.ok(Number(revision) >= told, `revision ${revision} after ${told} was told`);
      assert.ok(Number(token?.revoked_at) >= told, `token ${token?.revoked_at} after ${told} was told`);
    }
    child.release();
    await child.ended;
  });
});

/** Changes the app and the token and tells how often it has, until its standard input ends. */
const countUp = `
  const storage = await openStorage(url);
  const { updateInstallationCount } = await import(${moduleText('queries/apps.ts')});
  const { updateRevokedAt } = await import(${moduleText('queries/access-tokens.ts')});
  let isEnded = false;
  process.stdin.once('end', () => (isEnded = true)).resume();
  for (let count = 2; !isEnded; count += 1) {
    await storage.write(async (transaction) => {
      await updateInstallationCount(transaction, { id: 'app_1', by: 1 });
      await updateRevokedAt(transaction, { id: 'token_1', revokedAt: count });
    });
    console.log(count);
  }
  await storage.close();`;

for (const engine of [sqliteInMemory]) describe(engine.name, () => ownWrites(engine));
forEachEngine(ownWrites);

function ownWrites(engine: Parameters<typeof storageTest>[0]): void {
  storageTest(engine, 'every write of this process is in the next answer', async (storage) => {
    await insertSample(storage);
    for (let count = 1; count <= 10; count += 1) {
      assert.equal(await storage.gate.findPlatformRevision('app_1'), count);
      await storage.write((transaction) => updateInstallationCount(transaction, { id: 'app_1', by: 1 }));
    }
    assert.equal((await storage.gate.findToken('aa'))?.revoked_at, null);
    await storage.write((transaction) => updateRevokedAt(transaction, { id: 'token_1', revokedAt: 5 }));
    assert.equal((await storage.gate.findToken('aa'))?.revoked_at, 5);
  });

  storageTest(engine, 'what is not there is null, also what was there before', async (storage) => {
    const { gate } = storage;
    const found = () => Promise.all([gate.findToken('aa'), gate.findPlatformRevision('app_1')]);
    assert.deepEqual(await found(), [null, null]);
    await insertSample(storage);
    const [token, revision] = await found();
    assert.deepEqual([token?.id, revision], ['token_1', 1]);
    await storage.write(async (transaction) => {
      await deleteApp(transaction, { id: 'app_1' });
      await execute(transaction, `delete from access_tokens where id = 'token_1'`);
    });
    assert.deepEqual(await found(), [null, null]);
  });

  storageTest(engine, 'a write that changes any number of apps is in the next answer of each', async (storage) => {
    const ids = Array.from({ length: 2_500 }, (_, at) => `app_${at}`);
    await storage.write(async (transaction) => {
      await insertDeveloper(transaction, developerRow());
      const rows = ids.map((id) => appRow({ id, name_claim: null }));
      await transaction.insertNew('apps', rows);
    });
    const { developer_id: developerId } = appRow();
    for (const revision of [1, 2, 3]) {
      const told = await Promise.all(ids.map((id) => storage.gate.findPlatformRevision(id)));
      assert.deepEqual([...new Set(told)], [revision]);
      await storage.write((transaction) => updatePlatformRevisions(transaction, { developerId }));
    }
  });

  storageTest(engine, 'what a write has changed that shares its commit with a refused one is told', async (storage) => {
    await insertSample(storage);
    for (let count = 1; count <= 5; count += 1) {
      assert.equal(await storage.gate.findPlatformRevision('app_1'), count);
      const refused = storage.write(async (transaction) => {
        await updateInstallationCount(transaction, { id: 'app_1', by: 1 });
        throw new Error('given up');
      });
      const done = storage.write((transaction) => updateInstallationCount(transaction, { id: 'app_1', by: 1 }));
      await assert.rejects(refused, /given up/);
      await done;
    }
  });

  storageTest(engine, 'no answer tells of what is not committed', async (storage) => {
    await insertSample(storage);
    const seen: (number | null)[] = [];
    await assert.rejects(
      storage.write(async (transaction) => {
        await updateInstallationCount(transaction, { id: 'app_1', by: 1 });
        void storage.gate.findPlatformRevision('app_1').then((revision) => seen.push(revision));
        for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
        throw new Error('given up');
      }),
      /given up/,
    );
    seen.push(await storage.gate.findPlatformRevision('app_1'));
    assert.deepEqual(seen, [1, 1]);
  });
}

describe('the questions of one turn of the event loop', () => {
  test('are asked together and once, after the last of them', async () => {
    const { gate, asked, answer } = watchedGate(1);
    const answers = [gate.findPlatformRevision('app_1'), gate.findToken('aa')];
    await Promise.resolve();
    answers.push(gate.findPlatformRevision('app_1'), gate.findPlatformRevision('app_2'));
    assert.deepEqual(asked, []);
    await nextTurn();
    assert.deepEqual(asked, [{ hashes: ['aa'], appIds: ['app_1', 'app_2'] }]);
    answer({ app_1: 5 });
    assert.deepEqual(await Promise.all(answers), [5, null, 5, null]);
  });

  test('are never answered by what was asked before them', async () => {
    const { gate, asked, answer } = watchedGate(2);
    const first = gate.findPlatformRevision('app_1');
    await nextTurn();
    const second = gate.findPlatformRevision('app_1');
    await nextTurn();
    const third = gate.findPlatformRevision('app_1');
    await nextTurn();
    assert.equal(asked.length, 2);
    answer({ app_1: 1 });
    assert.equal(await first, 1);
    await nextTurn();
    assert.equal(asked.length, 3);
    answer({ app_1: 2 });
    answer({ app_1: 3 });
    assert.deepEqual(await Promise.all([second, third]), [2, 3]);
  });

  test('are asked once, also when those before them are answered before their time has come', async () => {
    const { gate, asked, answer } = watchedGate(2);
    const first = gate.findPlatformRevision('app_1');
    await nextTurn();
    const second = gate.findPlatformRevision('app_2');
    answer({ app_1: 1 });
    await first;
    await nextTurn();
    assert.equal(asked.length, 2);
    answer({ app_2: 2 });
    assert.equal(await second, 2);
  });

  test('fail together, whether somebody waits for them or not, and the next ones are asked', async () => {
    const { gate, fail, answer } = watchedGate(1);
    const refused = [gate.findPlatformRevision('app_1'), gate.findToken('aa')];
    void gate.findPlatformRevision('app_2');
    await nextTurn();
    fail(new Error('lost'));
    for (const promise of refused) await assert.rejects(promise, /lost/);
    const next = gate.findPlatformRevision('app_1');
    await nextTurn();
    answer({ app_1: 7 });
    assert.equal(await next, 7);
  });
});

/** A gate whose questions a test answers, in their order. */
function watchedGate(atOnceMax: number) {
  const asked: GateQueries[] = [];
  const waiting: PromiseWithResolvers<GateResults>[] = [];
  const gate = new BatchLoader((questions) => {
    asked.push(questions);
    const answers = Promise.withResolvers<GateResults>();
    waiting.push(answers);
    return answers.promise;
  }, atOnceMax);
  return {
    gate,
    asked,
    answer: (revisions: Record<string, number>) =>
      waiting.shift()?.resolve({ tokens: new Map(), revisions: new Map(Object.entries(revisions)) }),
    fail: (error: Error) => waiting.shift()?.reject(error),
  };
}

async function nextTurn(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise(setImmediate);
}

async function insertSample(storage: Storage): Promise<void> {
  await storage.write(async (transaction) => {
    await insertDeveloper(transaction, developerRow());
    await insertApp(transaction, appRow());
    await transaction.insertNew('access_tokens', sampleRows.access_tokens.slice(0, 1));
  });
}

function moduleText(file: string): string {
  return JSON.stringify(new URL(file, import.meta.url).href);
}
