import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listTokens } from '@appregistrar/testkit/calls/access';
import { deleteApp, listApps, listDeletedApps } from '@appregistrar/testkit/calls/apps';
import { createDeveloper, listDevelopers } from '@appregistrar/testkit/calls/developers';
import { listInstallations } from '@appregistrar/testkit/calls/installations';
import { listWebhooks } from '@appregistrar/testkit/calls/webhooks';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { sql } from 'kysely';
import { listTotal, totalMax } from './page.ts';
import { commandLine, type Registry } from './registry.ts';

type List = (registry: Registry, input: unknown) => Promise<{ items: object[]; nextCursor?: string; total?: number }>;

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
    for (const name of ['Cedar', 'Alder', 'Birch', 'alder two', 'Elm']) {
      now += 1_000;
      await fixture.newApp({ name });
    }
    for (const email of ['zoe@example.com', 'ben@example.com']) {
      now += 1_000;
      await createDeveloper(fixture.registry, commandLine, { email });
    }
    for (const expiresIn of [5, 1, 3]) await fixture.newToken('platform', { expiresIn });
    const { items } = await listApps(fixture.registry, { sort: 'name', limit: 2 });
    for (const { id } of items.toReversed()) {
      now += 1_000;
      await deleteApp(fixture.registry, commandLine, { appId: id });
    }
    await fixture.install(await fixture.newApp({ name: 'Fir', status: 'APPROVED' }));
  });
  after(() => fixture.close());

  /** The values of a field, in pages of two. */
  async function valuesOf(list: List, field: string, query: object): Promise<unknown[]> {
    const values: unknown[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await list(fixture.registry, { ...query, limit: 2, cursor });
      values.push(...page.items.map((item) => Reflect.get(item, field)));
      cursor = page.nextCursor;
      if (cursor === undefined) return values;
    }
  }

  const orders: [string, List, string, string][] = [
    ['apps', listApps, 'id', 'id'],
    ['apps', listApps, 'name', 'name'],
    ['deleted apps', listDeletedApps, 'id', 'id'],
    ['deleted apps', listDeletedApps, 'deletedAt', 'deletedAt'],
    ['developers', listDevelopers, 'userId', 'userId'],
    ['developers', listDevelopers, 'email', 'email'],
    ['tokens', listTokens, 'id', 'id'],
    ['tokens', listTokens, 'expiresAt', 'expiresAt'],
  ];
  for (const [name, list, sort, field] of orders) {
    test(`${name} are listed by ${sort} in both directions, page by page`, async () => {
      const values = await valuesOf(list, field, { sort });
      assert.ok(values.length > 1);
      assert.deepEqual(values, values.toSorted());
      assert.deepEqual(await valuesOf(list, field, { sort: `-${sort}` }), values.toReversed());
    });
  }

  test('developers are listed from the newest to the oldest, and filtered lists in any order too', async () => {
    const emails = await valuesOf(listDevelopers, 'email', { sort: '-createdAt' });
    assert.deepEqual(emails.slice(0, 2), ['ben@example.com', 'zoe@example.com']);
    assert.deepEqual(await valuesOf(listApps, 'name', { sort: '-name', status: 'DRAFT' }), ['Elm', 'Cedar', 'Birch']);
    const developerId = fixture.developer.userId;
    assert.equal((await valuesOf(listDeletedApps, 'id', { sort: '-deletedAt', developerId })).length, 2);
  });

  test('a page leads back to the one before it in a descending order', async () => {
    const query = { sort: '-name', limit: 2 };
    const first = await listApps(fixture.registry, query);
    const second = await listApps(fixture.registry, { ...query, cursor: first.nextCursor });
    assert.deepEqual(await listApps(fixture.registry, { ...query, cursor: second.prevCursor }), first);
  });

  test('a cursor belongs to its order', async () => {
    const { nextCursor } = await listDevelopers(fixture.registry, { sort: 'email', limit: 2 });
    for (const sort of ['-email', 'createdAt', undefined]) {
      const other = () => listDevelopers(fixture.registry, { sort, cursor: nextCursor });
      const failure = await assertRefused(fixture.registry, other, 'invalid_content');
      assert.deepEqual(validationErrorsOf(failure), ['cursor invalid_format'], String(sort));
    }
  });

  test('apps filtered by name or host are ordered by it', async () => {
    for (const query of [
      { name: 'a', sort: 'id' },
      { name: 'a', sort: '-id' },
      { host: 'a.example', sort: 'name' },
    ]) {
      const failure = await assertRefused(fixture.registry, () => listApps(fixture.registry, query), 'invalid_content');
      assert.deepEqual(validationErrorsOf(failure), ['sort not_allowed']);
    }
    assert.deepEqual(await valuesOf(listApps, 'name', { name: 'E', sort: '-name' }), ['Elm']);
  });

  test('each list reports its total with its filters, on any page', async () => {
    const { registry } = fixture;
    const totals: [List, object, number][] = [
      [listApps, {}, 4],
      [listApps, { status: 'DRAFT' }, 3],
      [listApps, { name: 'c', sort: 'name' }, 1],
      [listDeletedApps, {}, 2],
      [listDeletedApps, { developerId: fixture.otherDeveloper.userId }, 0],
      [listDevelopers, {}, 4],
      [listInstallations, {}, 1],
      [listInstallations, { userId: fixture.otherDeveloper.userId }, 0],
      [listTokens, { kind: 'platform' }, 3],
      [listWebhooks, {}, 0],
    ];
    for (const [list, query, total] of totals) {
      assert.equal((await list(registry, { ...query, limit: 1, withTotal: true })).total, total, JSON.stringify(query));
      assert.equal((await list(registry, query)).total, undefined);
    }
    const { nextCursor } = await listApps(registry, { limit: 1 });
    assert.equal((await listApps(registry, { limit: 1, cursor: nextCursor, withTotal: true })).total, 4);
    assert.equal((await listApps(registry, { host: 'a.example', withTotal: true })).total, undefined);
  });

  test('a total above 10,000 is an estimate, which for a filtered list is 10,000', async () => {
    const many = (limit: number) =>
      sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000) select i from n limit ${limit}`;
    await fixture.registry.storage.write((transaction) => transaction.run(sql`analyze`.compile(transaction.builder)));
    for (const isFiltered of [false, true]) {
      const total = await listTotal(fixture.registry, { table: 'apps', isFiltered, ids: many });
      assert.deepEqual(total, { total: totalMax, totalIsEstimate: true });
    }
  });
});
