import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listTokens } from '@appregistrar/testkit/calls/access';
import { listApps } from '@appregistrar/testkit/calls/apps';
import { listDevelopers } from '@appregistrar/testkit/calls/developers';
import { listInstallations } from '@appregistrar/testkit/calls/installations';
import { listReviewQueue } from '@appregistrar/testkit/calls/review';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { listEvents } from '../../test/calls/events.ts';
import type { Failure } from './failure.ts';

type Page = Promise<{ items: unknown[]; nextCursor?: string; prevCursor?: string }>;

onSqlite((engine) => {
  let fixture: RegistryFixture;
  let appId: string;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
    for (const name of ['Abc one', 'Abc two', 'Abc three']) await fixture.newApp({ name, status: 'AWAITING_REVIEW' });
    const app = await fixture.newApp({ status: 'APPROVED' });
    for (let made = 0; made < 3; made += 1) await fixture.install(app);
    for (let made = 0; made < 3; made += 1) await fixture.newToken('platform');
    for (let made = 0; made < 3; made += 1) await fixture.newToken('developer');
    appId = app.id;
  });
  after(() => fixture.close());

  /** Lists with at least two items, each with its filters, some of which have the same order as others. */
  function lists(): { name: string; list: (page: object) => Page }[] {
    const { registry, developer } = fixture;
    return [
      { name: 'apps', list: (page) => listApps(registry, page) },
      { name: 'apps in review', list: (page) => listApps(registry, { ...page, status: 'AWAITING_REVIEW' }) },
      { name: 'apps of a developer', list: (page) => listApps(registry, { ...page, developerId: developer.userId }) },
      { name: 'apps by name', list: (page) => listApps(registry, { ...page, name: 'abc' }) },
      { name: 'apps by a shorter name', list: (page) => listApps(registry, { ...page, name: 'ab' }) },
      { name: 'developers', list: (page) => listDevelopers(registry, page) },
      { name: 'events', list: (page) => listEvents(registry, page) },
      { name: 'events, newest first', list: (page) => listEvents(registry, { ...page, newestFirst: true }) },
      { name: 'events of an app', list: (page) => listEvents(registry, { ...page, appId }) },
      { name: 'installations', list: (page) => listInstallations(registry, { ...page, appId }) },
      { name: 'review queue', list: (page) => listReviewQueue(registry, { query: page, showsNotes: true }) },
      { name: 'tokens', list: (page) => listTokens(registry, page) },
      { name: 'platform tokens', list: (page) => listTokens(registry, { ...page, kind: 'platform' }) },
    ];
  }

  test('a cursor continues its own list, with any page size, and is refused in every other', async () => {
    for (const { name, list } of lists()) {
      const first = await list({ limit: 1 });
      const cursor = first.nextCursor ?? assert.fail(`one page of ${name}`);
      const next = await list({ cursor, limit: 1 });
      assert.deepEqual((await list({ cursor })).items[0], next.items[0]);
      assert.deepEqual((await list({ cursor: next.prevCursor, limit: 1 })).items, first.items);
      for (const other of lists()) {
        if (other.name === name) continue;
        for (const foreign of [cursor, next.prevCursor]) {
          await assert.rejects(other.list({ cursor: foreign }), (failure: Failure) => {
            assert.deepEqual(validationErrorsOf(failure), ['cursor invalid_format'], `of ${name}, in ${other.name}`);
            return true;
          });
        }
      }
    }
  });

  test('the order in which filters are given makes no difference, nor does whether the response includes workspaces', async () => {
    const { userId: developerId } = fixture.developer;
    const { nextCursor: cursor } = await listApps(fixture.registry, {
      limit: 1,
      status: 'AWAITING_REVIEW',
      developerId,
    });
    assert.ok(cursor);
    assert.equal(
      (await listApps(fixture.registry, { developerId, cursor, status: 'AWAITING_REVIEW' })).items.length,
      2,
    );
    const events = await listEvents(fixture.registry, { limit: 1 });
    await listEvents(fixture.registry, { cursor: events.nextCursor, workspaces: true });
  });
});
