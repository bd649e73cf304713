import assert from 'node:assert/strict';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import type { Position } from '../../page.ts';
import type { Storage } from '../../storage.ts';
import { assertBounded, planOf } from '../../testing/query-plan.ts';
import { appRow, developerRow } from '../../testing/sample-rows.ts';
import { execute, storageTest } from '../../testing/storage-test.ts';
import { listHostPage } from './apps-by-host.ts';
import { insertIdentities } from './identities.ts';
import { listLookAlikes } from './look-alikes.ts';

const numbers = Array.from({ length: 4_000 }, (_, at) => at);
const idOf = (at: number) => `app_${String(at).padStart(6, '0')}`;

/** Half of the apps share a name and a host, and belong to one developer. */
async function fill(storage: Storage): Promise<void> {
  const textOf = (at: number, kind: string) => `${kind}.${at % 2 === 0 ? 'shared' : at}.`;
  await storage.write(async (transaction) => {
    await transaction.insertNew('developers', [
      developerRow({ user_id: 'user_1' }),
      developerRow({ user_id: 'user_2' }),
    ]);
    await transaction.insertNew(
      'apps',
      numbers.map((at) =>
        appRow({ id: idOf(at), name_key: idOf(at), developer_id: `user_${1 + (at % 2)}`, review_status: 'APPROVED' }),
      ),
    );
    const identities = numbers.flatMap((at) =>
      (['name', 'host'] as const).map((kind) => {
        const value = textOf(at, kind);
        return { app_id: idOf(at), source: 'approved', field: kind, kind, value, skeleton: value } as const;
      }),
    );
    await insertIdentities(transaction, identities);
  });
  await storage.write((transaction) => execute(transaction, 'analyze'));
}

forEachEngine((engine) => {
  storageTest(engine, 'the list of apps by host reads a page of an index and no more', async (storage) => {
    await fill(storage);
    const sides: (Position['side'] | undefined)[] = [undefined, 'after', 'before'];
    for (const side of sides) {
      const position = side && { side, values: ['host.shared.', idOf(2_000), 'approved', 'host'] };
      const work = (connection: Storage['reader']) => listHostPage(connection, 'host.', { limit: 20, position });
      await assertBounded(storage, work, { columns: ['value', 'app_id', 'source', 'field'], rowsMax: 42 });
    }
  });

  storageTest(engine, 'look-alikes are searched by their index, and few of each developer', async (storage) => {
    await fill(storage);
    const compared = (value: string, developer_id: string) =>
      ({ kind: 'host', value, skeleton: 'host.shared.', developer_id }) as const;
    const given = [
      compared('host.shared.', 'user_2'),
      compared('host.shared.', 'user_1'),
      compared('host.sharea.', 'user_2'),
      compared('host.sharez.', 'user_2'),
      { ...compared('host.none.', 'user_2'), skeleton: 'host.none.' },
    ];
    const found = await listLookAlikes(storage.reader, given);
    const shared = idOf(0);
    assert.deepEqual(
      found.map(({ same_id, similar_id }) => [same_id, similar_id]),
      [
        [shared, null],
        [null, null],
        [null, shared],
        [null, shared],
        [null, null],
      ],
    );
    const plan = await planOf(storage, (connection) => listLookAlikes(connection, given));
    assert.match(plan, /app_identities_by_skeleton/);
    assert.doesNotMatch(plan, /SCAN app|Seq Scan|app_identities_by_host/, plan);
  });
});
