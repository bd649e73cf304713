import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { storageTest } from '@appregistrar/testkit/storage/storage-test';
import { appRow, developerRow } from '../../../test/storage/sample-rows.ts';
import type { Registry } from '../../kernel/registry.ts';
import type { Reader } from '../../storage/query.ts';
import type { Storage } from '../../storage/storage.ts';
import type { AppRow } from '../../storage/tables.ts';
import { countRegistry } from './daily-counts.ts';

/** Enough for many steps. */
const appsCount = 4_100;
const statuses: AppRow['review_status'][] = ['DRAFT', 'AWAITING_REVIEW', 'APPROVED', 'REJECTED', 'APPROVED'];

async function filled(storage: Storage): Promise<Registry> {
  const app = (at: number) =>
    appRow({
      id: `app_${String(at).padStart(6, '0')}`,
      name_key: `app ${at}`,
      name_claim: null,
      review_status: statuses[at % statuses.length] as AppRow['review_status'],
      installation_count: at % 3,
    });
  await storage.write(async (transaction) => {
    await transaction.insertNew('developers', [developerRow()]);
    await transaction.insertNew(
      'apps',
      Array.from({ length: appsCount }, (_, at) => app(at)),
    );
  });
  return { storage, now: () => 1_000 } as Registry;
}

forEachEngine((engine) => {
  storageTest(engine, 'every app is counted once, however many there are', async (storage) => {
    const fifth = appsCount / statuses.length;
    const thirds = Math.floor(appsCount / 3);
    assert.deepEqual(await countRegistry(await filled(storage)), {
      apps: { draft: fifth, awaitingReview: fifth, approved: 2 * fifth, rejected: fifth },
      // The numbers below 4,100 repeat 0, 1, 2, and end with 0 and 1.
      installations: 3 * thirds + 1,
      countedAt: 1_000,
    });
  });

  storageTest(engine, 'an empty registry has zero counts', async (storage) => {
    assert.deepEqual(await countRegistry({ storage, now: () => 0 } as Registry), {
      apps: { draft: 0, awaitingReview: 0, approved: 0, rejected: 0 },
      installations: 0,
      countedAt: 0,
    });
  });

  storageTest(engine, 'other requests are served while it counts', async (storage) => {
    const counting = countRegistry(await filled(storage));
    let isCounting = true;
    const counted = counting.finally(() => {
      isCounting = false;
    });
    let turns = 0;
    for (; isCounting; turns += 1) await setImmediate();
    await counted;
    assert.ok(turns >= 3, `${turns} turns of the event loop`);
  });

  storageTest(engine, 'with a pace, it pauses between steps for a multiple of their duration', async (storage) => {
    const registry = await filled(storage);
    const steps: { began: number; ended: number }[] = [];
    const rows: Reader['rows'] = async (statement) => {
      const began = performance.now();
      const taken = await storage.reader.rows(statement);
      steps.push({ began, ended: performance.now() });
      return taken;
    };
    const paced = { ...registry, storage: { reader: { builder: storage.reader.builder, rows } } } as Registry;
    const counts = await countRegistry(paced, { pauses: 9, signal: new AbortController().signal });
    assert.deepEqual(counts, await countRegistry(registry));
    assert.equal(steps.length, 17);
    for (const [at, { began, ended }] of steps.slice(0, -1).entries()) {
      const next = steps[at + 1] as (typeof steps)[number];
      // A timer counts whole milliseconds and may fire one early.
      assert.ok(next.began - ended >= 9 * (ended - began) - 2, JSON.stringify(steps));
    }
  });

  storageTest(engine, 'it can be aborted during a pause', async (storage) => {
    const ending = new AbortController();
    const counting = countRegistry(await filled(storage), { pauses: 1_000_000, signal: ending.signal });
    ending.abort();
    await assert.rejects(counting, { name: 'AbortError' });
  });
});
