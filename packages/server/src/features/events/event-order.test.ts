import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { importText } from '@appregistrar/testkit/registry/export-text';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { listEvents } from '../../../test/calls/events.ts';
import { newId } from '../../kernel/ids.ts';
import type { Caller } from '../../kernel/registry.ts';
import type { OperatorApp } from '../apps/app-schemas.ts';
import { updateApp } from '../apps/update-app.ts';
import type { EventPage } from './event-query.ts';

const hourMs = 3_600_000;
const start = Date.parse('2026-03-01T09:30:00.000Z');
const caller: Caller = { actor: newId('token'), requestId: '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11' };

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now: number;
  let app: OperatorApp;
  let other: OperatorApp;
  beforeEach(async () => {
    now = start;
    fixture = await RegistryFixture.open(engine, { now: () => now });
    [app, other] = [await fixture.newApp(), await fixture.newApp()];
  });
  afterEach(() => fixture.close());

  const update = async ({ id: appId, developerId }: OperatorApp, name: string) =>
    updateApp(fixture.registry, caller, { appId, developerId, update: { name } });

  /** Changes at these times, in hours since the start; each sets the name by its number. */
  async function changeAt(...hours: number[]): Promise<void> {
    for (const [number, hour] of hours.entries()) {
      now = start + hour * hourMs;
      await update(app, `Name ${number}`);
    }
  }

  /** The numbers of the changes in the complete list, which is read page by page. */
  async function listed(query: object): Promise<number[]> {
    const pages: EventPage[] = [];
    let cursor: string | undefined;
    do {
      pages.push(await listEvents(fixture.registry, { ...query, limit: 2, cursor }));
      cursor = pages.at(-1)?.nextCursor;
    } while (cursor !== undefined);
    return numbersOf(pages.flatMap(({ items }) => items));
  }

  /** Every list that has the changes. */
  const lists = (): [name: string, query: object][] => [
    ['all', {}],
    ['of the app', { appId: app.id }],
    ['of a field', { appId: app.id, field: 'name' }],
    ['of the actor', { actor: caller.actor }],
    ['of the request', { requestId: caller.requestId }],
  ];

  for (const [clock, hours] of Object.entries({
    ahead: [1, 80 * 24, 2, 3, 3, 4],
    behind: [1, -80 * 24, 2],
  })) {
    test(`after a clock was ${clock} for one change, every list has the changes in their order, with their true times`, async () => {
      await changeAt(...hours);
      const numbers = hours.map((_, number) => number);
      for (const [name, query] of lists()) {
        assert.deepEqual(await listed(query), numbers, name);
        assert.deepEqual(await listed({ ...query, sort: '-id' }), numbers.toReversed(), name);
      }
      const { items } = await listEvents(fixture.registry, { actor: caller.actor });
      const times = items.map(({ timestamp }) => Date.parse(timestamp));
      assert.deepEqual(
        times,
        hours.map((hour) => start + hour * hourMs),
      );
    });
  }

  test('a list since a time, or since the event of a clock that was ahead, has the later ones in the order of the changes', async () => {
    await changeAt(1, 80 * 24, 2, 3, 3, 4);
    const { items } = await listEvents(fixture.registry, { actor: caller.actor });
    const sinces: [since: string | undefined, numbers: number[]][] = [
      [new Date(start + 3 * hourMs).toISOString(), [1, 3, 4, 5]],
      [items[1]?.id, [2, 3, 4, 5]],
    ];
    for (const [since, numbers] of sinces) {
      for (const [name, query] of lists()) {
        assert.deepEqual(await listed({ ...query, since }), numbers, name);
        assert.deepEqual(await listed({ ...query, since, sort: '-id' }), numbers.toReversed(), name);
      }
    }
  });

  test('a cursor taken while the clock was ahead leads to the later changes', async () => {
    await changeAt(1, 2, 80 * 24, 3);
    const query = { actor: caller.actor, limit: 3 };
    const { nextCursor } = await listEvents(fixture.registry, query);
    now = start + 4 * hourMs;
    await update(app, 'Name 4');
    const next = await listEvents(fixture.registry, { ...query, cursor: nextCursor });
    assert.deepEqual(numbersOf(next.items), [3, 4]);
  });

  test('the events of one change of many objects keep their order, even within the millisecond of others', async () => {
    now = start + 80 * 24 * hourMs;
    await update(other, 'Other');
    now = start;
    const developers = Array.from({ length: 600 }, (_, at) => ({
      type: 'developer',
      userId: newId('user'),
      email: `${at}@example.com`,
    }));
    await importText(fixture.registry, developers.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await update(app, 'Name 0');
    const { items } = await listEvents(fixture.registry, { sort: '-id', limit: 100 });
    assert.deepEqual(numbersOf(items.slice(0, 1)), [0]);
    assert.ok(items.slice(1).every(({ type }) => type === 'developer.created'));
  });

  test('concurrent changes of different apps after a clock was ahead have distinct ids', async () => {
    now = start + 80 * 24 * hourMs;
    await update(other, 'Other');
    now = start;
    const apps = await Promise.all(Array.from({ length: 20 }, () => fixture.newApp()));
    const rename = ({ id: appId }: OperatorApp) =>
      updateAppAsOperator(fixture.registry, caller, { appId, update: { name: `Renamed ${appId}` } });
    await Promise.all(apps.map(rename));
    const { items } = await listEvents(fixture.registry, { sort: '-id', limit: 100 });
    assert.equal(new Set(items.slice(0, 20).map(({ appId }) => appId)).size, 20);
  });
});

function numbersOf(items: EventPage['items']): number[] {
  return items.flatMap(({ data }) => {
    const name = 'after' in data && data.after && 'name' in data.after ? String(data.after.name) : '';
    const number = /^Name (\d+)$/.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
}
