import assert from 'node:assert/strict';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { emptiedStorage } from '@appregistrar/testkit/storage/storage-test';
import { developerRow } from '../../test/storage/sample-rows.ts';
import { defineInsert } from './query.ts';
import { ForeignPosition, listPage, type PageOfRows, type PageRequest, type Position } from './row-pages.ts';
import type { Storage } from './storage.ts';
import type { DeveloperRow } from './tables.ts';

const insertDeveloper = defineInsert('developers');
const ids = Array.from({ length: 7 }, (_, at) => `user_${at}`);

/** Seven developers with repeating first names: b a c b a c b. */
async function fill(storage: Storage): Promise<void> {
  await storage.write(async (transaction) => {
    for (const [at, user_id] of ids.entries()) {
      await insertDeveloper(transaction, developerRow({ user_id, email: 'bac'[at % 3] as string }));
    }
  });
}

type Order = readonly ('user_id' | 'email')[];

function page(storage: Storage, order: Order, request: PageRequest): Promise<PageOfRows<DeveloperRow>> {
  const query = storage.reader.builder.selectFrom('developers').selectAll();
  return listPage(storage.reader, { query, order }, request);
}

/** The pages in one direction, to the last. */
async function walk(
  storage: Storage,
  order: Order,
  direction: 'next' | 'prev',
  request: PageRequest,
): Promise<PageOfRows<DeveloperRow>[]> {
  const read = await page(storage, order, request);
  const position = read[direction];
  return position ? [read, ...(await walk(storage, order, direction, { ...request, position }))] : [read];
}

forEachEngine((engine) => {
  const onStorage = emptiedStorage(engine);

  for (const order of [['user_id'], ['email', 'user_id']] satisfies Order[]) {
    const named = order.join(' and ');

    onStorage(`pages by ${named} return every row once, in order, forwards and backwards`, async (storage) => {
      await fill(storage);
      const all = (await page(storage, order, { limit: 10 })).rows.map(({ user_id }) => user_id);
      assert.deepEqual(all, order.length === 1 ? ids : [1, 4, 0, 3, 6, 2, 5].map((at) => ids[at]));
      for (const limit of [1, 2, 3, 6, 7, 8]) {
        const pages = await walk(storage, order, 'next', { limit });
        const rows = pages.flatMap((one) => one.rows.map(({ user_id }) => user_id));
        assert.deepEqual(rows, all);
        assert.equal(pages.length, Math.ceil(ids.length / limit), `${limit} a page`);
        assert.deepEqual([pages[0]?.prev, pages.at(-1)?.next], [undefined, undefined]);
        const last = pages.at(-1)?.prev;
        const back = last ? await walk(storage, order, 'prev', { limit, position: last }) : [];
        assert.deepEqual(back.toReversed(), pages.slice(0, -1));
      }
    });
  }

  onStorage('rows inserted or deleted between pages do not shift the others', async (storage) => {
    await fill(storage);
    const first = await page(storage, ['user_id'], { limit: 2 });
    await storage.write(async (transaction) => {
      await insertDeveloper(transaction, developerRow({ user_id: 'user_0a' }));
      await transaction.run(transaction.builder.deleteFrom('developers').where('user_id', '=', 'user_1').compile());
    });
    const second = await page(storage, ['user_id'], { limit: 2, position: first.next });
    assert.deepEqual(
      second.rows.map(({ user_id }) => user_id),
      ['user_2', 'user_3'],
    );
  });

  for (const descending of [false, true]) {
    onStorage(
      `a page whose rows were deleted leads back to the last page, descending: ${descending}`,
      async (storage) => {
        await fill(storage);
        const read = (request: PageRequest) => {
          const query = storage.reader.builder.selectFrom('developers').selectAll();
          return listPage(storage.reader, { query, order: ['user_id'], descending }, request);
        };
        const first = await read({ limit: 3 });
        const second = await read({ limit: 3, position: first.next });
        const left = first.rows.map(({ user_id }) => user_id);
        await storage.write((transaction) =>
          transaction.run(transaction.builder.deleteFrom('developers').where('user_id', 'not in', left).compile()),
        );
        const { rows, next, prev } = await read({ limit: 3, position: second.next });
        assert.deepEqual([rows, next], [[], undefined]);
        assert.deepEqual(await read({ limit: 3, position: prev }), { rows: first.rows });
        assert.deepEqual(
          (await read({ limit: 2, position: prev })).rows.map(({ user_id }) => user_id),
          left.slice(1),
        );
      },
    );
  }

  onStorage('an empty list is one page without neighbours', async (storage) => {
    assert.deepEqual(await page(storage, ['user_id'], { limit: 2 }), { rows: [] });
  });

  onStorage('a position of a list with another order is rejected', async (storage) => {
    const position: Position = { side: 'after', values: ['a', 'user_1'] };
    await assert.rejects(page(storage, ['user_id'], { limit: 2, position }), ForeignPosition);
  });
});
