import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getToken, listTokens } from '@appregistrar/testkit/calls/access';
import { deleteApp, listApps, listDeletedApps } from '@appregistrar/testkit/calls/apps';
import { createDeveloper, getDeveloper, listDevelopers } from '@appregistrar/testkit/calls/developers';
import { getInstallation, listInstallations } from '@appregistrar/testkit/calls/installations';
import { listReviewQueue } from '@appregistrar/testkit/calls/review';
import { listWebhooks } from '@appregistrar/testkit/calls/webhooks';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { sql } from 'kysely';
import { listEvents } from '../../test/calls/events.ts';
import type { Failure } from './failure.ts';
import { decodeTypeId } from './ids.ts';
import { listTotal, totalMax } from './page.ts';
import { commandLine, type Registry } from './registry.ts';

type Page = Promise<{ items: object[]; nextCursor?: string; prevCursor?: string; total?: number }>;
type List = (registry: Registry, input: unknown) => Page;

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let registry: Registry;
  let appId: string;
  let developerId: string;
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => (now += 1_000) });
    registry = fixture.registry;
    developerId = fixture.developer.id;
    for (const name of ['Cedar', 'Alder', 'Birch', 'alder two', 'Elm']) await fixture.newApp({ name });
    for (const email of ['zoe@example.com', 'ben@example.com']) await createDeveloper(registry, commandLine, { email });
    for (const expiresIn of [500, 100, 300]) await fixture.newToken('platform', { expiresIn });
    const { items } = await listApps(registry, { sort: 'name', limit: 2 });
    for (const { id } of items.toReversed()) await deleteApp(registry, commandLine, { appId: id });
    for (const name of ['Abc one', 'Abc two', 'Abc three']) await fixture.newApp({ name, status: 'AWAITING_REVIEW' });
    const app = await fixture.newApp({ name: 'Fir', status: 'APPROVED' });
    for (let made = 0; made < 3; made += 1) await fixture.install(app);
    appId = app.id;
  });
  after(() => fixture.close());

  /** The values of a field, in pages of two. */
  async function valuesOf(list: List, field: string, query: object): Promise<unknown[]> {
    const values: unknown[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await list(registry, { ...query, limit: 2, cursor });
      values.push(...page.items.map((item) => Reflect.get(item, field)));
      cursor = page.nextCursor;
      if (cursor === undefined) return values;
    }
  }

  test('a cursor continues its own list, with any page size, and is refused in every other list, filter and order', async () => {
    /** Lists with at least two items, some of which have the same order as others. */
    const lists: Record<string, (page: object) => Page> = {
      apps: (page) => listApps(registry, page),
      'apps in review': (page) => listApps(registry, { ...page, status: ['AWAITING_REVIEW'] }),
      'apps of a developer': (page) => listApps(registry, { ...page, developerId }),
      'apps by name': (page) => listApps(registry, { ...page, name: 'abc' }),
      'apps by a shorter name': (page) => listApps(registry, { ...page, name: 'ab' }),
      developers: (page) => listDevelopers(registry, page),
      'developers by email': (page) => listDevelopers(registry, { ...page, sort: 'email' }),
      'developers by email, in reverse': (page) => listDevelopers(registry, { ...page, sort: '-email' }),
      events: (page) => listEvents(registry, page),
      'events, newest first': (page) => listEvents(registry, { ...page, sort: '-id' }),
      'events of an app': (page) => listEvents(registry, { ...page, appId }),
      installations: (page) => listInstallations(registry, { ...page, appId }),
      'review queue': (page) => listReviewQueue(registry, { query: page, showsNotes: true }),
      tokens: (page) => listTokens(registry, page),
      'platform tokens': (page) => listTokens(registry, { ...page, kind: 'platform' }),
    };
    for (const [name, list] of Object.entries(lists)) {
      const first = await list({ limit: 1 });
      const cursor = first.nextCursor ?? assert.fail(`one page of ${name}`);
      const next = await list({ cursor, limit: 1 });
      assert.deepEqual((await list({ cursor })).items[0], next.items[0]);
      assert.deepEqual((await list({ cursor: next.prevCursor, limit: 1 })).items, first.items);
      for (const [other, listOther] of Object.entries(lists)) {
        if (other === name) continue;
        for (const foreign of [cursor, next.prevCursor]) {
          await assert.rejects(listOther({ cursor: foreign }), (failure: Failure) => {
            assert.deepEqual(validationErrorsOf(failure), ['cursor invalid_format'], `of ${name}, in ${other}`);
            return true;
          });
        }
      }
    }
  });

  test('the order in which filters are given makes no difference, nor does whether the response includes workspaces', async () => {
    const status = ['AWAITING_REVIEW', 'REJECTED'];
    const { nextCursor: cursor } = await listApps(registry, { limit: 1, status, developerId });
    assert.equal(
      (await listApps(registry, { developerId, cursor: cursor ?? assert.fail(), status: status.toReversed() })).items
        .length,
      2,
    );
    const events = await listEvents(registry, { limit: 1 });
    await listEvents(registry, { cursor: events.nextCursor, workspaces: true });
  });

  const orders: [string, List, string][] = [
    ['apps', listApps, 'id'],
    ['apps', listApps, 'name'],
    ['apps', listApps, 'createdAt'],
    ['apps', listApps, 'updatedAt'],
    ['deleted apps', listDeletedApps, 'id'],
    ['deleted apps', listDeletedApps, 'deletedAt'],
    ['developers', listDevelopers, 'id'],
    ['developers', listDevelopers, 'email'],
    ['tokens', listTokens, 'id'],
    ['tokens', listTokens, 'expiresAt'],
  ];
  for (const [name, list, sort] of orders) {
    test(`${name} are listed by ${sort} in both directions, page by page`, async () => {
      const values = await valuesOf(list, sort, { sort });
      assert.ok(values.length > 1);
      assert.deepEqual(values, values.toSorted());
      assert.deepEqual(await valuesOf(list, sort, { sort: `-${sort}` }), values.toReversed());
    });
  }

  test('developers are listed from the newest to the oldest, and filtered lists in any order too', async () => {
    const emails = await valuesOf(listDevelopers, 'email', { sort: '-createdAt' });
    assert.deepEqual(emails.slice(0, 2), ['ben@example.com', 'zoe@example.com']);
    assert.deepEqual(await valuesOf(listApps, 'name', { sort: '-name', status: ['DRAFT'] }), ['Elm', 'Cedar', 'Birch']);
    assert.equal((await valuesOf(listDeletedApps, 'id', { sort: '-deletedAt', developerId })).length, 2);
  });

  test('a list is bounded by the times that it is sorted by, of which the first is included and the last is not', async () => {
    for (const sort of ['createdAt', '-updatedAt']) {
      const time = sort.replace('-', '');
      const all = (await valuesOf(listApps, time, { sort })) as string[];
      const [since, until] = [all.toSorted()[1], all.toSorted().at(-1)];
      const between = await valuesOf(listApps, time, { sort, since, until });
      assert.deepEqual(
        between,
        all.filter((at) => at >= `${since}` && at < `${until}`),
      );
      assert.equal((await listApps(registry, { sort, since, until, withTotal: true })).total, between.length);
    }
    const refused = await assertRefused(
      registry,
      () => listApps(registry, { since: '2026-03-01T09:30:00.000Z' }),
      'invalid_content',
    );
    assert.deepEqual(validationErrorsOf(refused), ['since not_allowed']);
  });

  test('a page leads back to the one before it in a descending order', async () => {
    const query = { sort: '-name', limit: 2 };
    const first = await listApps(registry, query);
    const second = await listApps(registry, { ...query, cursor: first.nextCursor });
    assert.deepEqual(await listApps(registry, { ...query, cursor: second.prevCursor }), first);
  });

  test('apps filtered by name or host are ordered by it', async () => {
    const [name, host] = ['a', 'a.example'];
    for (const query of [
      { name, sort: 'id' },
      { name, sort: '-id' },
      { name, sort: 'updatedAt' },
      { host, sort: 'name' },
    ]) {
      const failure = await assertRefused(registry, () => listApps(registry, query), 'invalid_content');
      assert.deepEqual(validationErrorsOf(failure), ['sort not_allowed']);
    }
    assert.deepEqual(await valuesOf(listApps, 'name', { name: 'E', sort: '-name' }), ['Elm']);
  });

  test('each list reports its total with its filters, on any page', async () => {
    const totals: [List, object, number | undefined][] = [
      [listApps, {}, 7],
      [listApps, { status: ['DRAFT'] }, 3],
      [listApps, { name: 'c', sort: 'name' }, 1],
      [listApps, { host: 'a.example' }, undefined],
      [listDeletedApps, {}, 2],
      [listDeletedApps, { developerId: fixture.otherDeveloper.id }, 0],
      [listDevelopers, {}, 4],
      [listInstallations, {}, 3],
      [listInstallations, { userId: fixture.otherDeveloper.id }, 0],
      [listTokens, { kind: 'platform' }, 3],
      [listWebhooks, {}, 0],
    ];
    for (const [list, query, total] of totals) {
      assert.equal((await list(registry, { ...query, limit: 1, withTotal: true })).total, total, JSON.stringify(query));
      assert.equal((await list(registry, query)).total, undefined);
    }
    const { nextCursor } = await listApps(registry, { limit: 1 });
    assert.equal((await listApps(registry, { limit: 1, cursor: nextCursor, withTotal: true })).total, 7);
  });

  test('a total above 10,000 is an estimate, which for a filtered list is 10,000', async () => {
    const many = (limit: number) =>
      sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000) select i from n limit ${limit}`;
    await registry.storage.write((transaction) => transaction.run(sql`analyze`.compile(transaction.builder)));
    for (const isFiltered of [false, true]) {
      const total = await listTotal(registry, { table: 'apps', isFiltered, ids: many });
      assert.deepEqual(total, { estimatedTotal: totalMax });
    }
  });

  test('an object is shown as in its list, and found by a UUID as by its TypeID', async () => {
    const { items: developers } = await listDevelopers(registry, { sort: 'createdAt' });
    assert.deepEqual(developers[0], await getDeveloper(registry, developerId));
    assert.deepEqual(developers[0], await getDeveloper(registry, decodeTypeId(developerId)?.uuid ?? ''));
    for (const installation of (await listInstallations(registry, { appId })).items) {
      assert.deepEqual(await getInstallation(registry, installation.id), installation);
    }
    for (const token of (await listTokens(registry, {})).items) {
      assert.deepEqual(await getToken(registry, token.id), token);
    }
  });

  test('a page that became empty leads on: forwards to the last page before it, backwards to the first one', async () => {
    const idsOf = ({ items }: { items: object[] }) => items.map((item) => String(Reflect.get(item, 'id')));
    for (const query of [{}, { status: ['DRAFT'] }, { name: 'z' }, { developerId }]) {
      for (const name of ['Za', 'Zb', 'Zc', 'Zd']) await fixture.newApp({ name });
      const sort = 'name' in query ? 'name' : 'id';
      const list = (page: object) => listApps(registry, { ...query, sort, ...page });
      const all = idsOf(await list({ limit: 100 }));
      const { nextCursor } = await list({ limit: all.length - 2 });
      const reversed = { sort: `-${sort}`, limit: 2 };
      const { prevCursor } = await list({ ...reversed, cursor: (await list(reversed)).nextCursor });
      for (const appId of all.slice(-2)) await deleteApp(registry, commandLine, { appId });

      const empty = await list({ limit: 2, cursor: nextCursor });
      assert.deepEqual([empty.items, empty.nextCursor], [[], undefined], JSON.stringify(query));
      const back = await list({ limit: 2, cursor: empty.prevCursor });
      assert.deepEqual([idsOf(back), back.nextCursor], [all.slice(-4, -2), undefined]);
      assert.deepEqual(await list({ ...reversed, cursor: prevCursor }), await list(reversed));
      for (const appId of all.slice(-4, -2)) await deleteApp(registry, commandLine, { appId });
    }
  });
});
