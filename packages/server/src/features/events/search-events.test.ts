import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp, transferApp, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, rowsOf, validationErrorsOf, withoutNonce } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import Type from 'typebox';
import { listEvents } from '../../../test/calls/events.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import type { EventRow } from '../../storage/tables.ts';
import { appContentFields } from '../apps/app-content.ts';
import type { OperatorApp } from '../apps/app-schemas.ts';
import { type EventType, eventTypes } from './event.ts';
import { eventData } from './event-data.ts';
import { contentEventTypes } from './event-queries.ts';
import type { EventPage } from './event-query.ts';
import { searchLimits } from './search-events.ts';

const someone = { actor: 'token_01jq3w4m2je6vs9a1w7p3n0d5e', requestId: '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11' };
const evil = 'https://login.Evil.example/callback';
const good = 'https://good.example/callback';
const callbacks = { field: 'oauthInfo.callbackUrl', contains: 'evil.EXAMPLE' };

/** These change no content: the app comes and goes as a whole. */
const typesWithoutChange: EventType[] = ['app.deleted', 'app.restored'];

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let attacked: OperatorApp;
  let born: OperatorApp;
  let now: number;
  before(async () => {
    now = Date.parse('2026-03-01T09:30:00.000Z');
    fixture = await RegistryFixture.open(engine, { now: () => now });
    attacked = await fixture.newApp({ name: 'Attacked', oauthInfo: { callbackUrl: good } });
    await fixture.newApp({ name: 'evil.example', listingInfo: { shortDescription: 'Not "evil.example".' } });
    await update(attacked, { oauthInfo: { callbackUrl: evil } });
    await update(attacked, { name: 'Attacked again' });
    now += 1_000;
    born = await fixture.newApp({ name: 'Born so', oauthInfo: { callbackUrl: evil, loginUrl: good } });
    await fixture.install(attacked);
    await update(attacked, { oauthInfo: { callbackUrl: null } });
    await deleteApp(fixture.registry, commandLine, { appId: born.id });
  });
  after(() => fixture.close());

  const update = (app: OperatorApp, change: object) =>
    updateAppAsOperator(fixture.registry, someone, { appId: app.id, update: change });
  const search = (query: object) => listEvents(fixture.registry, query);
  const found = ({ items }: EventPage) =>
    items.map(({ type, appId }) => `${type} ${appId === attacked.id ? 'attacked' : appId === born.id ? 'born' : ''}`);
  const foundBy = async (query: object) => found(await search(query));

  test('changes that set or removed a value with a text are found in all apps, regardless of case', async () => {
    const page = await search(callbacks);
    assert.deepEqual(found(page), ['app.updated attacked', 'app.created born', 'app.updated attacked']);
    const [set, , removed] = page.items;
    assert.deepEqual(withoutNonce(set?.data), {
      before: { oauthInfo: { callbackUrl: good } },
      after: { oauthInfo: { callbackUrl: evil }, revision: 2 },
    });
    assert.deepEqual(withoutNonce(removed?.data), {
      before: { oauthInfo: { callbackUrl: evil } },
      after: { oauthInfo: { callbackUrl: null }, revision: 4 },
    });
    assert.equal(page.nextCursor, undefined);
    assert.deepEqual(await foundBy({ ...callbacks, contains: 'example/callback' }), [
      'app.created attacked',
      ...found(page),
    ]);
  });

  test('without a field, every content field is searched; quotation marks are found as they are written', async () => {
    assert.deepEqual(await foundBy({ contains: 'evil.example' }), ['app.created ', ...(await foundBy(callbacks))]);
    assert.deepEqual(await foundBy({ contains: 'Not "evil.example"' }), ['app.created ']);
    assert.deepEqual(await foundBy({ contains: 'callbackUrl' }), []);
    assert.deepEqual(await foundBy({ contains: 'oauthInfo' }), []);
  });

  test('letters are found regardless of case in any script', async () => {
    const app = await fixture.newApp({ name: 'Όμιλος ΤΕΛΟΣ' });
    await update(app, { name: 'Straße' });
    const namesBy = async (contains: string) => (await foundBy({ field: 'name', contains })).length;
    assert.deepEqual([await namesBy('τελος'), await namesBy('ΌΜΙΛΟΣ Τ'), await namesBy('STRASSE')], [2, 2, 1]);
  });

  test('without a text, all changes of the field are found in all apps, and creations, which set every field', async () => {
    assert.deepEqual(await foundBy({ field: 'oauthInfo.callbackUrl', limit: 5 }), [
      'app.created attacked',
      'app.created ',
      'app.updated attacked',
      'app.created born',
      'app.updated attacked',
    ]);
    const { items } = await search({ field: 'oauthInfo.loginUrl' });
    assert.ok(items.length > 0 && items.every(({ type }) => type === 'app.created'));
  });

  test('events are found by their types, and an unknown type is refused', async () => {
    const query = { appId: attacked.id, type: ['app.updated', 'installation.created'] };
    assert.deepEqual(await foundBy(query), [
      'app.updated attacked',
      'app.updated attacked',
      'installation.created attacked',
      'app.updated attacked',
    ]);
    const { items, searched } = await search({ type: ['app.deleted'] });
    assert.deepEqual(
      items.map(({ type, appId }) => [type, appId]),
      [['app.deleted', born.id]],
    );
    assert.ok(items[0]?.type === 'app.deleted' && items[0].data.before.name === 'Born so');
    assert.ok(searched && searched.events > 1);
    const refused = () => search({ type: ['app.created', 'app.made'] });
    const [error] = validationErrorsOf(await assertRefused(fixture.registry, refused, 'invalid_content'));
    assert.match(String(error), /^type/);
  });

  test('changes of what a platform may act on are found, in the data of their own events', async () => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    await update(app, { name: 'In effect' });
    const { items } = await search({ appId: app.id, effectiveOnly: true });
    assert.deepEqual(
      items.map(({ type, data }) => [type, (data as { effective?: { name?: string } }).effective?.name]),
      [
        ['app.approved', app.name],
        ['app.updated', 'In effect'],
      ],
    );
    assert.deepEqual((await search({ appId: attacked.id, effectiveOnly: true })).items, []);
  });

  test('the content changes of an app are found without reading its other events', async () => {
    const { items, searched } = await search({ appId: attacked.id, type: [...contentEventTypes] });
    assert.equal(searched?.events, items.length);
    assert.ok(items.length >= 4);
  });

  test('events are found by any object that they change or name', async () => {
    const installed = await fixture.install(await fixture.newApp());
    const about = async (id: string) => (await search({ about: id })).items.map(({ type }) => type);
    assert.deepEqual(await about(installed.workspaceId), ['installation.created']);
    assert.deepEqual(await about(installed.id), ['installation.created']);
    assert.deepEqual((await about(fixture.otherDeveloper.id)).slice(0, 1), ['developer.created']);
    assert.ok((await about(fixture.developer.id)).includes('app.created'));
    assert.deepEqual(await about('workspace_00000000000000000000000000'), []);
  });

  test('a transfer that removes the logo is found by the logo', async () => {
    const { id } = await fixture.newLogo();
    const app = await fixture.newApp({ logoId: id });
    const transfer = { developerId: fixture.otherDeveloper.id };
    await transferApp(fixture.registry, commandLine, { appId: app.id, transfer });
    const { items } = await search({ field: 'logoId', contains: id });
    assert.deepEqual(
      items.map(({ type }) => type),
      ['app.created', 'app.transferred'],
    );
  });

  test('a search combines with each filter and order of the list', async () => {
    const all = (await search(callbacks)).items;
    const [set, , removed] = all;
    const ofOne = [set, removed];
    assert.deepEqual((await search({ ...callbacks, appId: attacked.id })).items, ofOne);
    assert.deepEqual((await search({ ...callbacks, actor: someone.actor })).items, ofOne);
    assert.deepEqual((await search({ ...callbacks, requestId: someone.requestId })).items, ofOne);
    assert.deepEqual((await search({ ...callbacks, sort: '-id' })).items, all.toReversed());
    assert.deepEqual((await search({ ...callbacks, appId: attacked.id, sort: '-id' })).items, ofOne.toReversed());
    for (const since of [set?.id, new Date(now).toISOString()]) {
      assert.deepEqual((await search({ ...callbacks, since })).items, all.slice(1));
    }
    const { apps } = await search({ ...callbacks, appId: attacked.id, workspaces: true });
    assert.deepEqual(
      apps?.map(({ appId, installationCount }) => [appId, installationCount]),
      [[attacked.id, 1]],
    );
  });

  test('pages add up to the complete result in both orders, and report how far they got', async () => {
    for (const filter of [{}, { appId: attacked.id }, { actor: someone.actor }, { sort: '-id' }]) {
      const all = await search({ ...callbacks, ...filter });
      const first = await search({ ...callbacks, ...filter, limit: 1 });
      assert.deepEqual(first.searched?.until, { id: all.items[0]?.id, timestamp: all.items[0]?.timestamp });
      const rest = await search({ ...callbacks, ...filter, cursor: first.nextCursor });
      assert.deepEqual([...first.items, ...rest.items], all.items);
      assert.equal((first.searched?.events ?? 0) + (rest.searched?.events ?? 0), all.searched?.events);
      assert.deepEqual([rest.searched?.until, rest.prevCursor], [all.searched?.until, undefined]);
    }
  });

  test('a full page with the last event has no cursor, and the installations of an app are not read', async () => {
    const page = await search({ ...callbacks, appId: attacked.id, limit: 2 });
    assert.deepEqual([page.items.length, page.nextCursor, page.searched?.events], [2, undefined, 4]);
  });

  test('an older change that follows one of a clock that was ahead is read, and not found since a later time', async () => {
    const right = now;
    const app = await fixture.newApp();
    for (const minutes of [60, 0, 30]) {
      now = right + minutes * 60_000;
      await update(app, { name: `Minute ${minutes}` });
    }
    now = right;
    const query = { appId: app.id, field: 'name', since: new Date(right + 30 * 60_000).toISOString() };
    const { items, searched } = await search(query);
    assert.deepEqual(
      items.map(({ data }) => 'after' in data && 'name' in data.after && data.after.name),
      ['Minute 60', 'Minute 30'],
    );
    assert.equal(searched?.events, 3);
  });

  test('a value that an event only repeats is not a change', async () => {
    const content = { name: 'Repeated', oauthInfo: { callbackUrl: 'https://repeated.example/' } };
    const [before, after] = [content, { ...content, name: 'Changed' }].map((one) => JSON.stringify(one));
    const event = { id: newId('event'), type: 'app.updated', occurred_at: now, app_id: attacked.id } as const;
    const rest = { subject_id: attacked.id, actor: 'command-line:demo', request_id: null, traceparent: null };
    const others = { details: null, effective: null, reason: null };
    const row = { ...event, ...rest, before: before ?? null, after: after ?? null, ...others };
    await fixture.registry.storage.write((transaction) => transaction.insertNew('events', [row]));
    assert.deepEqual(await foundBy({ contains: 'repeated' }), ['app.updated attacked']);
    assert.deepEqual(await foundBy({ contains: 'repeated.example' }), []);
  });

  test('an unknown field is refused with the names of all fields, and a text that none can have is refused', async () => {
    const query = { field: 'email', contains: 'a\nb' };
    const refused = await assertRefused(fixture.registry, () => search(query), 'invalid_content');
    assert.deepEqual(validationErrorsOf(refused).toSorted(), ['contains invalid_format', 'field not_allowed']);
    const detail = refused.errors?.find(({ parameter }) => parameter === 'field')?.detail ?? '';
    for (const { path } of appContentFields) assert.ok(detail.includes(path), detail);
  });

  test('a page reads a bounded number of events and bytes; it can be empty and still have a next cursor', async () => {
    const own = await RegistryFixture.open(engine);
    try {
      const app = await own.newApp({ oauthInfo: { callbackUrl: evil } });
      const eventRow = (row: Partial<EventRow>): EventRow => ({
        id: newId('event'),
        type: 'installation.created',
        occurred_at: now,
        app_id: app.id,
        subject_id: app.id,
        actor: 'command-line:demo',
        request_id: null,
        traceparent: null,
        before: null,
        after: '{"enabled":true}',
        details: null,
        effective: null,
        reason: null,
        ...row,
      });
      const many = Array.from({ length: searchLimits.events }, () => eventRow({}));
      const long = JSON.stringify({ listingInfo: { longDescription: 'a'.repeat(40_000) } });
      const large = Array.from({ length: 200 }, () => eventRow({ type: 'app.updated', before: '{}', after: long }));
      await own.registry.storage.write((transaction) => transaction.insertNew('events', [...many, ...large]));
      await updateAppAsOperator(own.registry, commandLine, {
        appId: app.id,
        update: { oauthInfo: { callbackUrl: null } },
      });
      for (const sort of ['id', '-id']) {
        const pages: EventPage[] = [];
        for (let cursor: string | undefined; pages.length === 0 || cursor !== undefined; ) {
          const page = await listEvents(own.registry, { ...callbacks, sort, ...(cursor && { cursor }) });
          pages.push(page);
          cursor = page.nextCursor;
        }
        const types = pages.flatMap(({ items }) => items.map(({ type }) => type));
        assert.deepEqual(sort === '-id' ? types.toReversed() : types, ['app.created', 'app.updated']);
        const counts = pages.map(({ searched }) => searched?.events ?? 0);
        assert.equal(
          counts.reduce((sum, count) => sum + count),
          (await rowsOf(own.registry.storage, 'events')).length,
        );
        assert.ok(Math.max(...counts) <= searchLimits.events, `${counts}`);
        assert.ok(pages.some(({ items, nextCursor }) => items.length === 0 && nextCursor !== undefined));
        const bytesPerPage = Math.ceil(searchLimits.bytes / long.length);
        assert.ok(counts.length >= 3 && Math.min(...counts) <= bytesPerPage, `${counts}`);
      }
      // Of one app, only content changes are read.
      const ofApp = await listEvents(own.registry, { ...callbacks, appId: app.id, sort: '-id' });
      assert.ok((ofApp.searched?.events ?? 0) <= large.length + 2);
    } finally {
      await own.close();
    }
  });
});

test('every type of event whose data has content fields is searched, except those that change none', () => {
  const names = new Set(appContentFields.map(({ path }) => path.split('.')[0]));
  const withContent = eventTypes.filter((type) => {
    const { before, after }: Partial<Record<string, Type.TSchema>> = eventData[type].properties;
    return [before, after].some(
      (schema) => Type.IsObject(schema) && Object.keys(schema.properties).some((name) => names.has(name)),
    );
  });
  const ofApps = withContent.filter((type) => type.startsWith('app.'));
  assert.deepEqual(ofApps.toSorted(), [...contentEventTypes, ...typesWithoutChange].toSorted());
});
