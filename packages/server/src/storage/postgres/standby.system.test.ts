import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OperatingPage } from '@appregistrar/testkit/pages/operating-page';
import { collect } from '@appregistrar/testkit/storage/storage-test';
import { FailoverScene } from '../../../test/engines/failover-scene.ts';
import { findApp } from '../../features/apps/app-queries.ts';
import { openStorage } from '../open-storage.ts';
import type { Storage, TimelineChange } from '../storage.ts';
import { PrimaryRequired, StorageUnavailable } from '../storage-failure.ts';

const [pooler] = (await OperatingPage.read()).section('Connection pooler').blocks('ini');

class NotFound extends Error {}

/** None of them writes, so that it is not the server that refuses. */
const uses: Record<string, (storage: Storage) => Promise<unknown>> = {
  'a lookup': (storage) => storage.requestLookups.findToken('unknown'),
  'a read': (storage) => findApp(storage.reader, { id: 'unknown' }),
  'a write that is refused for what it finds': (storage) =>
    storage
      .write(async (transaction) => {
        if (!(await findApp(transaction, { id: 'unknown' }))) throw new NotFound();
      })
      .catch((error: unknown) => {
        if (!(error instanceof NotFound)) throw error;
      }),
  'a snapshot': (storage) =>
    collect(
      storage.snapshot(async function* (snapshot) {
        yield await findApp(snapshot, { id: 'unknown' });
      }),
    ),
  'a check whether it is ready': (storage) => storage.ping(),
};

for (const [where, configuration] of Object.entries({ directly: undefined, 'behind PgBouncer': pooler })) {
  describe(where, () => {
    test('a standby refuses everything, including reads; once promoted it serves and its new timeline is reported once', async (t) => {
      const scene = await FailoverScene.open(configuration);
      t.after(() => scene.close());
      const { primary, standby, address } = scene;
      const changes: TimelineChange[] = [];
      const storage = await openStorage(scene.url, { create: true, onTimelineChanged: (one) => changes.push(one) });
      t.after(() => storage.close());
      let counted = 0;
      storage.observe({ committed: () => {}, waited: () => {}, timelineChanged: () => (counted += 1) });
      const cases = await Promise.all(Object.entries(uses).map((one) => connected(one, scene.url)));
      t.after(() => Promise.all(cases.map(({ close }) => close())));
      await scene.replicated();

      address.switchTo(standby.port);
      for (const { name, use } of cases) await untilRefused(use, name);
      await assert.rejects(openStorage(scene.url), /cannot be reached: the database server is a standby/);
      assert.deepEqual([changes, counted], [[], 0]);

      await standby.promote();
      for (const server of [standby, primary, standby]) {
        address.switchTo(server.port);
        for (const use of Object.values(uses)) await untilServed(() => use(storage));
        assert.deepEqual([changes, counted], [[{ from: 1, to: 2 }], 1]);
      }
    });
  });
}

/**
 * A use on a connection that no other has lost before it, nor a prepared statement: a new connection is refused by itself.
 */
async function connected([name, use]: [string, (typeof uses)[string]], url: string) {
  const storage = await openStorage(url, { prepare: false });
  await use(storage);
  return { name, use: () => use(storage), close: () => storage.close() };
}

/** The connections that the change of servers has broken are refused for another reason. */
async function untilRefused(use: () => Promise<unknown>, name: string): Promise<void> {
  for (;;) {
    const outcome = await use().catch((error: unknown) => error);
    if (outcome instanceof PrimaryRequired) return assert.match(outcome.message, /is a standby/);
    assert.ok(outcome instanceof StorageUnavailable, `${name}: ${outcome}`);
  }
}

async function untilServed(use: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const error = await use().then(
      () => null,
      (reason: unknown) => reason,
    );
    if (error === null) return;
    assert.ok(error instanceof StorageUnavailable, String(error));
  }
}
