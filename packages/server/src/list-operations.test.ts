import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import Type from 'typebox';
import { type ListRequest, listRequests, openListScene, readList } from '../test/registry/list-scene.ts';
import { operatorOperations } from './features/operations.ts';
import type { Failure } from './kernel/failure.ts';
import { decodeTypeId } from './kernel/ids.ts';
import type { AnyOperation } from './kernel/operation.ts';
import { pageLimits } from './kernel/page.ts';
import type { Registry } from './kernel/registry.ts';

const operations = Object.values<AnyOperation>(operatorOperations);
const lists = operations.filter(({ response, streams }) => !streams && 'items' in fieldsOf(response));

/** A cursor that a release has returned, and the items after it. The file only grows: a later release reads these too. */
interface StoredCursor extends ListRequest {
  cursor: string;
  items: (string | number)[];
  prevCursor?: string;
}

const stored: StoredCursor[] = JSON.parse(
  await readFile(new URL('../golden/list-cursors.json', import.meta.url), 'utf8'),
);

describe('every list', () => {
  test('is known, as its name and its query say that it is one', () => {
    const named = operations.filter(({ id, query }) => /^list/.test(id) || fieldsOf(query).limit);
    assert.deepEqual(named.map(({ id }) => id).toSorted(), lists.map(({ id }) => id).toSorted());
  });

  for (const { id, query, response } of lists) {
    test(`${id} has the page of all lists, and an order`, () => {
      const { cursor, limit, sort, ...filters } = fieldsOf(query);
      assert.equal(cursor?.type, 'string');
      assert.deepEqual([limit?.minimum, limit?.maximum], [1, pageLimits.max]);
      assert.ok(sort?.enum?.length);
      assert.match(sort.description ?? '', /, by default /);
      const { items, nextCursor, prevCursor, ...beside } = fieldsOf(response);
      assert.deepEqual([items?.type, nextCursor?.type, prevCursor?.type], ['array', 'string', 'string']);
      const flags = Object.entries(beside).filter(([, { type }]) => type === 'boolean');
      assert.deepEqual(flags, [], 'a cursor says whether there is more, and an estimate is another field than a total');
      assert.deepEqual(
        Object.entries(filters).flatMap(([name, { description = '' }]) => (/comma/.test(description) ? [name] : [])),
        [],
        'a filter with several values is repeated',
      );
      assert.ok(!('since' in filters) || 'until' in filters || id === 'readEventFeed', 'the feed has no end');
    });
  }
});

onSqlite((engine) => {
  let registry: Registry;
  let close: () => Promise<void>;
  before(async () => {
    ({ registry, close } = await openListScene(engine));
  });
  after(() => close());

  test('every list in every order has a stored cursor', () => {
    const missing = lists.filter(({ id }) => !stored.some(({ operation }) => operation === id)).map(({ id }) => id);
    assert.deepEqual(missing, []);
    const known = stored.map(keyOf);
    assert.deepEqual(
      listRequests.map(keyOf).filter((request) => !known.includes(request)),
      [],
    );
  });

  test('every list that is read forwards only says so', async () => {
    const undescribed = [];
    for (const request of listRequests) {
      const cursor = (await readList(registry, request)).nextCursor;
      const next = await readList(registry, { ...request, query: { ...request.query, cursor } });
      const { description = '' } = lists.find(({ id }) => id === request.operation) ?? {};
      if (!next.prevCursor && !description.includes('`prevCursor`')) undescribed.push(keyOf(request));
    }
    assert.deepEqual(undescribed, []);
  });

  for (const request of listRequests) {
    test(`a cursor continues ${keyOf(request)}, however it is written`, async () => {
      const query = rewritten(request);
      const { nextCursor: cursor, ...page } = await readList(registry, request);
      const { nextCursor: _, ...same } = await readList(registry, { ...request, query });
      assert.deepEqual(same, page);
      const next = await readList(registry, { ...request, query: { ...request.query, cursor } });
      assert.deepEqual(
        await readList(registry, { ...request, query: { ...query, cursor } }),
        next,
        keyOf({ ...request, query }),
      );
    });
  }

  for (const { cursor, items, prevCursor, ...request } of stored) {
    const name = keyOf(request);

    test(`a stored cursor continues ${name}`, async () => {
      const page = await readList(registry, withCursor(request, cursor));
      assert.deepEqual(page.items.map(identityOf), items);
      if (prevCursor === undefined) return;
      const back = await readList(registry, withCursor(request, prevCursor));
      assert.deepEqual(back.items, (await readList(registry, request)).items);
    });

    test(`the cursor of ${name} is refused everywhere else`, async () => {
      const { nextCursor } = await readList(registry, request);
      for (const other of listRequests) {
        if ((await readList(registry, other)).nextCursor === nextCursor) continue;
        await assert.rejects(readList(registry, withCursor(other, cursor)), (failure: Failure) => {
          assert.deepEqual(validationErrorsOf(failure), ['cursor invalid_format'], keyOf(other));
          return true;
        });
      }
    });
  }
});

/** The query of a list in other words. */
function rewritten({ operation, query }: ListRequest): Record<string, unknown> {
  const declared = fieldsOf(lists.find(({ id }) => id === operation)?.query);
  const written = Object.entries(query).map(([name, value]) => [name, otherNotations[name]?.(value) ?? value]);
  const defaults = Object.entries(declared).flatMap(([name, { default: byDefault, type }]) =>
    byDefault === undefined ? (type === 'boolean' && flags.has(name) ? [[name, false]] : []) : [[name, byDefault]],
  );
  return { ...Object.fromEntries(defaults), ...Object.fromEntries(written) };
}

/** Parameters for which false is the same as none. */
const flags = new Set(['deleted', 'effectiveOnly', 'withTotal', 'actors', 'workspaces']);
const asUuid = (id: unknown) => decodeTypeId(`${id}`)?.uuid;
const upperCase = (text: unknown) => `${text}`.toUpperCase();
const withoutMilliseconds = (time: unknown) => `${time}`.replace('.000Z', 'Z');
const otherNotations: Record<string, (value: unknown) => unknown> = {
  ...{ appId: asUuid, developerId: asUuid, workspaceId: asUuid, userId: asUuid, name: upperCase, host: upperCase },
  ...{ q: upperCase, contains: upperCase, since: withoutMilliseconds, until: withoutMilliseconds },
  ids: (ids) => (ids as string[]).map(asUuid).toReversed(),
  status: (status) => (status as string[]).toReversed(),
};

function withCursor({ query, ...request }: ListRequest, cursor: string): ListRequest {
  return { ...request, query: { ...query, cursor } };
}

function keyOf({ operation, params = {}, query }: ListRequest): string {
  return [operation, ...Object.values(params), JSON.stringify(query)].join(' ');
}

/** An item of any list has one of these. */
function identityOf(item: object): unknown {
  const { id, app, userId, subjectId, revision, host }: Record<string, unknown> = { ...item };
  return id ?? (app as { id: string } | undefined)?.id ?? userId ?? subjectId ?? revision ?? host;
}

interface Field {
  type?: string;
  enum?: string[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  description?: string;
}

function fieldsOf(schema: Type.TSchema | undefined): Record<string, Field> {
  return schema && Type.IsObject(schema) ? (schema.properties as Record<string, Field>) : {};
}
