import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { listApps } from '@appregistrar/testkit/calls/apps';
import { createDeveloper, listDevelopers } from '@appregistrar/testkit/calls/developers';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import type { OperatorApp } from './app-schemas.ts';

const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const listOf = (cursor = '') => JSON.parse(Buffer.from(cursor, 'base64url').toString())[1];

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let apps: OperatorApp[];
  before(async () => {
    fixture = await RegistryFixture.open(engine);
    const { id: userId } = fixture.otherDeveloper;
    apps = [
      await fixture.newApp({ name: 'Zebra' }),
      await fixture.newApp({ name: 'INVOICE Sync', status: 'APPROVED' }),
      await fixture.newApp({ name: 'Invoices', developerId: userId }),
      await fixture.newApp({ name: 'Straße', status: 'APPROVED', developerId: userId }),
      await fixture.newApp({ name: 'In', status: 'AWAITING_REVIEW', developerId: userId }),
      await fixture.newApp({ name: 'invoice\u{1f600}' }),
    ];
  });
  after(() => fixture.close());

  const names = async (input: object) => (await listApps(fixture.registry, input)).items.map(({ name }) => name);

  test('without a filter all apps are listed, ordered by id, with every field if the view is full', async () => {
    assert.deepEqual(await listApps(fixture.registry, { view: 'full' }), { items: apps });
    const summaries = apps.map(({ listingInfo: _, oauthInfo: __, revision: ___, ...summary }) => summary);
    assert.deepEqual(await listApps(fixture.registry, {}), { items: summaries });
    assert.deepEqual(await listApps(fixture.registry, { view: 'summary' }), { items: summaries });
  });

  test('each filter lists matching apps, and several those that match all', async () => {
    const developerId = fixture.otherDeveloper.id;
    assert.deepEqual(await names({ status: ['APPROVED'] }), ['INVOICE Sync', 'Straße']);
    assert.deepEqual(await names({ status: ['REJECTED'] }), []);
    assert.deepEqual(await names({ status: ['APPROVED', 'REJECTED'] }), ['INVOICE Sync', 'Straße']);
    assert.deepEqual(await names({ developerId }), ['Invoices', 'Straße', 'In']);
    assert.deepEqual(await names({ developerId, status: ['APPROVED'] }), ['Straße']);
    assert.deepEqual(await names({ developerId, name: 'inv' }), ['Invoices']);
    assert.deepEqual(await names({ developerId, name: 's', status: ['APPROVED'] }), ['Straße']);
  });

  test('a name filter matches the start of names, compared as names are, and orders by name', async () => {
    assert.deepEqual(await names({ name: 'iNv' }), ['INVOICE Sync', 'Invoices', 'invoice\u{1f600}']);
    assert.deepEqual(await names({ name: 'STRASS' }), ['Straße']);
    assert.deepEqual(await names({ name: 'in' }), ['In', 'INVOICE Sync', 'Invoices', 'invoice\u{1f600}']);
    for (const nothing of ['nvoice', 'in_', '%', 'invoice  ']) assert.deepEqual(await names({ name: nothing }), []);
  });

  test('apps are listed by their ids, and unknown ids are skipped', async () => {
    const list = (input: object) => listApps(fixture.registry, input);
    const [one, two, three] = apps.map(({ id }) => id).toSorted() as [string, string, string];
    const ids = [three, newId('app'), one, two];
    const first = await list({ ids, limit: 2, withTotal: true });
    const second = await list({ ids, limit: 2, withTotal: true, cursor: first.nextCursor });
    assert.deepEqual(
      [...first.items, ...second.items].map(({ id }) => id),
      [one, two, three],
    );
    assert.equal(first.total, 3);
    assert.deepEqual(await list({ ids, limit: 2, withTotal: true, cursor: second.prevCursor }), first);
    assert.deepEqual(await list({ ids: [newId('app')] }), { items: [] });
  });

  test('invalid ids, too many of them, and ids with a filter or an order are refused', async () => {
    const refused = async (query: object) =>
      validationErrorsOf(
        await assertRefused(fixture.registry, () => listApps(fixture.registry, query), 'invalid_content'),
      );
    const id = newId('app');
    assert.deepEqual(await refused({ ids: [] }), ['ids too_short']);
    assert.deepEqual(await refused({ ids: [id, newId('logo')] }), ['ids invalid_format']);
    assert.deepEqual(await refused({ ids: [id, id] }), ['ids not_allowed']);
    assert.deepEqual(await refused({ ids: Array.from({ length: 101 }, () => newId('app')) }), ['ids too_long']);
    const filters = { status: ['DRAFT'], developerId: newId('user'), name: 'a', host: 'a.example' };
    for (const [name, value] of Object.entries({ ...filters, changedSinceApproval: false, sort: 'name' })) {
      assert.deepEqual(await refused({ ids: [id], [name]: value }), ['ids not_allowed'], name);
    }
  });

  test('a list is paged in both directions', async () => {
    for (const filter of [{}, { name: 'i' }]) {
      const all = (await listApps(fixture.registry, filter)).items;
      const read = [];
      let page = await listApps(fixture.registry, { ...filter, limit: 2 });
      assert.equal(page.prevCursor, undefined);
      for (;;) {
        read.push(page.items);
        if (!page.nextCursor) break;
        page = await listApps(fixture.registry, { ...filter, limit: 2, cursor: page.nextCursor });
      }
      assert.deepEqual(read.flat(), all);
      const back = await listApps(fixture.registry, { ...filter, limit: 2, cursor: page.prevCursor });
      assert.deepEqual(back.items, read.at(-2));
    }
  });

  test('a page has 20 apps by default, and at most 100', async () => {
    for (let made = 0; made < 21; made += 1) {
      await createDeveloper(fixture.registry, commandLine, { email: `${made}@example.com` });
    }
    const first = await listDevelopers(fixture.registry, {});
    assert.equal(first.items.length, 20);
    const rest = await listDevelopers(fixture.registry, { cursor: first.nextCursor, limit: 100 });
    assert.equal(rest.items.length, 3);
    const ids = [...first.items, ...rest.items].map(({ id: userId }) => userId);
    assert.deepEqual(ids, ids.toSorted());
    for (const limit of [0, 101, 1.5, '20', null]) {
      const refused = () => listDevelopers(fixture.registry, { limit });
      assert.match(
        validationErrorsOf(await assertRefused(fixture.registry, refused, 'invalid_content')).join(),
        /^limit /,
      );
    }
  });

  test('a name with any character is found by its start', async () => {
    const mine = [];
    for (const rest of ['\u{10ffff}', '\u{10ffff}'.repeat(99)])
      mine.push((await fixture.newApp({ name: `q${rest}` })).name);
    assert.deepEqual(await names({ name: 'Q' }), mine);
  });

  test('a list by name continues after the longest key that a name can have', async () => {
    const widest = '\ufdfa'.repeat(99);
    const mine = [widest, `${widest}1`];
    for (const name of mine) await fixture.newApp({ name });
    const first = await listApps(fixture.registry, { name: '\ufdfa', limit: 1 });
    const second = await listApps(fixture.registry, { name: '\ufdfa', limit: 1, cursor: first.nextCursor });
    assert.deepEqual(
      [...first.items, ...second.items].map(({ name }) => name),
      mine,
    );
  });

  describe('a cursor is refused that', () => {
    const wrong: Record<string, (list: string) => string> = {
      'is no text of this registry': () => 'nonsense',
      'is no base64url': () => '%%%',
      'is no list': () => cursorOf({ side: 'after' }),
      'has no direction': (list) => cursorOf([list, 'app_01jq3v9y6ae0xv5m6b7k8c9d0e']),
      'leads aside': (list) => cursorOf(['beside', list, 'app_01jq3v9y6ae0xv5m6b7k8c9d0e']),
      'leads nowhere': (list) => cursorOf(['after', list]),
      'is of a list with another order': (list) =>
        cursorOf(['after', list, 'invoice sync', 'app_01jq3v9y6ae0xv5m6b7k8c9d0e']),
      'holds a number': (list) => cursorOf(['after', list, 5]),
      'holds what no database takes': (list) => cursorOf(['after', list, 'app_\0']),
      'holds a lone surrogate': (list) => cursorOf(['after', list, '\ud800']),
      'is written in another way': (list) => `${cursorOf(['after', list, 'app_01jq3v9y6ae0xv5m6b7k8c9d0e'])}=`,
    };
    for (const [what, cursorIn] of Object.entries(wrong)) {
      test(what, async () => {
        const cursor = cursorIn(listOf((await listApps(fixture.registry, { limit: 1 })).nextCursor));
        const failure = await assertRefused(
          fixture.registry,
          () => listApps(fixture.registry, { cursor }),
          'invalid_content',
        );
        assert.deepEqual(validationErrorsOf(failure), ['cursor invalid_format']);
      });
    }
  });

  test('all errors of a query are reported together', async () => {
    const question = { status: ['OPEN'], name: '', limit: 1000, order: 'name' };
    const failure = await assertRefused(
      fixture.registry,
      () => listApps(fixture.registry, question),
      'invalid_content',
    );
    assert.deepEqual(validationErrorsOf(failure).toSorted(), [
      'limit not_allowed',
      'name too_short',
      'order unknown_field',
      'status not_allowed',
    ]);
    const developer = await assertRefused(
      fixture.registry,
      () => listApps(fixture.registry, { developerId: 'ada' }),
      'invalid_content',
    );
    assert.deepEqual(validationErrorsOf(developer), ['developerId invalid_format']);
  });
});
