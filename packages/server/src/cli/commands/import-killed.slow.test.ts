import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { Program } from '@appregistrar/testkit/programs/program';
import { appOf, developerOf, installationOf, tableCounts } from '@appregistrar/testkit/registry/import-file';
import { openStorage } from '../../storage/open-storage.ts';

const installationCount = 3_000;
const kills = 2;
const seed = 20_260_301;
const main = fileURLToPath(new URL('../main.ts', import.meta.url));

forEachEngine((engine) => {
  test(`an import that is killed at any moment has imported nothing or everything (seed ${seed})`, async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'killed-'));
    const { file, counts: all } = await makeFile(folder);
    let durationMs = await timeImport(file);
    const random = randomNumbers(seed);
    let killed = 0;
    while (killed < kills) {
      const database = await engine.createMigratedDatabase();
      const startedAt = performance.now();
      const program = importing(file, database.url);
      // The start of the process takes a part of the time.
      const moment = durationMs * (0.3 + 0.75 * random());
      await Promise.race([sleep(moment), program.ended]);
      program.process.kill('SIGKILL');
      const { signal } = await program.ended;
      if (signal) killed += 1;
      // The machine may be less busy by now.
      else durationMs = 0.9 * Math.min(durationMs, performance.now() - startedAt);

      const storage = await openStorage(database.url);
      const counts = await tableCounts(storage);
      const isAll = counts.installations === installationCount;
      context.diagnostic(`after ${Math.round(moment)} ms: ${isAll ? 'everything' : 'nothing'}, ${signal ?? 'ended'}`);
      assert.deepEqual(counts, isAll ? all : { developers: 0, apps: 0, installations: 0, events: 0 });
      if (!signal) assert.ok(isAll);
      await storage.close();
      // A killed import does not block the next one.
      if (signal) assert.equal((await importing(file, database.url).ended).status, 0);
      await database.drop();
    }
    await rm(folder, { recursive: true });
  });

  test('an import in batches that is killed repeatedly resumes, and records each object once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'killed-steps-'));
    const { file, counts: all } = await makeFile(folder);
    const database = await engine.createMigratedDatabase();
    const storage = await openStorage(database.url);
    const stepsBefore = new Set<number>();
    for (let before = 0; before < installationCount; ) {
      const program = importing(file, database.url, '--batch', '1000', '--rejects', join(folder, 'rejects.jsonl'));
      // Kills it after the next step.
      let counts = await tableCounts(storage);
      while ((counts.installations ?? 0) <= before && program.process.exitCode === null) {
        await sleep(5);
        counts = await tableCounts(storage);
      }
      program.process.kill('SIGKILL');
      await program.ended;
      before = (await tableCounts(storage)).installations ?? 0;
      stepsBefore.add(before);
      assert.equal(before % 1_000, 0);
    }
    assert.ok(stepsBefore.size > 1, 'no import was killed in time');
    assert.equal((await importing(file, database.url, '--batch').ended).status, 0);
    assert.deepEqual(await tableCounts(storage), all);
    const check = new Program([process.execPath, main, 'check'], { env: { DATABASE_URL: database.url } });
    assert.equal((await check.ended).status, 0);
    await storage.close();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  async function timeImport(file: string): Promise<number> {
    const database = await engine.createDatabase();
    const startedAt = performance.now();
    assert.equal((await importing(file, database.url).ended).status, 0);
    await database.drop();
    return performance.now() - startedAt;
  }
});

function importing(file: string, databaseUrl: string, ...options: string[]): Program {
  return new Program([process.execPath, main, 'import', file, ...options], { env: { DATABASE_URL: databaseUrl } });
}

async function makeFile(folder: string) {
  const file = join(folder, 'registry.jsonl');
  const developer = developerOf();
  const apps = Array.from({ length: 20 }, (_, at) => appOf(developer.userId, `App ${at}`));
  const installations = Array.from({ length: installationCount }, (_, at) =>
    installationOf(apps[at % apps.length]?.id ?? ''),
  );
  const lines = [developer, ...apps, ...installations];
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const counts = { developers: 1, apps: 20, installations: installationCount, events: lines.length };
  return { file, counts };
}

/** Deterministic numbers from 0 to 1 (mulberry32). */
function randomNumbers(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
