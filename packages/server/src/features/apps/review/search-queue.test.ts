import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { transferApp, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { claimApp, getReviewQueueCounts, listReviewQueue } from '@appregistrar/testkit/calls/review';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { appRow } from '../../../../test/storage/sample-rows.ts';
import { commandLine } from '../../../kernel/registry.ts';
import type { QueueItemPage } from './review-queue.ts';
import { searchedAppsMax } from './search-queue.ts';

const start = Date.parse('2026-03-01T09:30:00.000Z');
const minuteMs = 60_000;
const timeOf = (minute: number) => new Date(start + minute * minuteMs).toISOString();

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = start;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(() => fixture.close());

  const list = (query: object = {}) => listReviewQueue(fixture.registry, { query, showsNotes: true });
  const namesIn = ({ items }: QueueItemPage) => items.map(({ app }) => app.name);
  /** All pages, of which each has at most as many items as its limit. */
  const allNames = async (query: object) => {
    const names: string[] = [];
    let pages = 0;
    for (let cursor: string | undefined; ; ) {
      const page = await list({ ...query, ...(cursor && { cursor }) });
      names.push(...namesIn(page));
      pages += 1;
      cursor = page.nextCursor;
      if (!cursor) return { names, pages };
    }
  };

  test('the queue is listed by age and by warnings, combined with every other filter, with a total', async () => {
    // A name of two scripts is a warning.
    const names = ['Plain', 'Mіxed', 'Also plain', 'Also mіxed', 'Late and mіxed'];
    const ids: string[] = [];
    for (const [minute, name] of names.entries()) {
      const developerId = minute === 3 ? fixture.otherDeveloper.id : fixture.developer.id;
      now = start;
      const { id } = await fixture.newApp({ name, developerId });
      now = start + minute * minuteMs;
      await fixture.review(id, 'submit');
      ids.push(id);
    }
    const [plain, mixed, alsoPlain, alsoMixed, late] = names;
    const cases: [query: object, names: (string | undefined)[]][] = [
      [{}, names],
      [{ until: timeOf(2) }, [plain, mixed]],
      [{ until: timeOf(2), sort: '-waitingSince' }, [mixed, plain]],
      [{ until: timeOf(0) }, []],
      [{ since: timeOf(1), until: timeOf(3) }, [mixed, alsoPlain]],
      [{ hasWarnings: true, since: timeOf(3) }, [alsoMixed, late]],
      [{ hasWarnings: true }, [mixed, alsoMixed, late]],
      [{ hasWarnings: false }, [plain, alsoPlain]],
      [{ hasWarnings: true, sort: '-waitingSince' }, [late, alsoMixed, mixed]],
      [{ hasWarnings: true, until: timeOf(4) }, [mixed, alsoMixed]],
      [{ hasWarnings: true, developerId: fixture.developer.id }, [mixed, late]],
      [{ hasWarnings: true, developerId: fixture.developer.id, until: timeOf(4) }, [mixed]],
      [{ kind: 'submission', until: timeOf(3), sort: '-waitingSince' }, [alsoPlain, mixed, plain]],
      [{ kind: 'change', hasWarnings: false }, []],
    ];
    for (const [query, expected] of cases) {
      const label = JSON.stringify(query);
      const page = await list({ ...query, withTotal: true });
      assert.deepEqual(namesIn(page), expected, label);
      assert.equal(page.total, expected.length, label);
      assert.deepEqual((await allNames({ ...query, limit: 1 })).names, expected, label);
    }
    assert.ok(!('total' in (await list())));
    for (const id of ids) await fixture.review(id, 'withdraw');
  });

  test('the queue is counted and listed by what is new, changed, transferred, assigned, late and risky', async () => {
    const reviewer = { ...commandLine, actor: 'command-line:grace' };
    const [fresh, revoked, changed, transferred, other] = [
      await fixture.newApp({ name: 'Frеsh' }),
      await fixture.newApp({ name: 'Revoked', status: 'APPROVED' }),
      await fixture.newApp({ name: 'Changed', status: 'APPROVED' }),
      await fixture.newApp({ name: 'Transferred', status: 'APPROVED' }),
      await fixture.newApp({ name: 'Draft' }),
    ];
    now = start;
    await fixture.review(fresh.id, 'submit');
    now = start + 48 * 60 * minuteMs;
    await fixture.review(revoked.id, 'revoke');
    await fixture.review(revoked.id, 'submit');
    await updateAppAsOperator(fixture.registry, commandLine, { appId: changed.id, update: { name: 'Changed too' } });
    const transfer = { developerId: fixture.otherDeveloper.id };
    await transferApp(fixture.registry, commandLine, { appId: transferred.id, transfer });
    const claim = (appId: string, kind: string, caller = reviewer) =>
      claimApp(fixture.registry, caller, { appId, claim: { kind } });
    for (const { id } of [revoked, changed, other]) await claim(id, 'assignment');
    await claim(transferred.id, 'presence');
    await claim(fresh.id, 'assignment', commandLine);
    const counts = async () => {
      const found = Object.entries(await getReviewQueueCounts(fixture.registry, reviewer));
      return Object.fromEntries(found.map(([name, { total }]) => [name, total]));
    };
    const all = { all: 4, new: 1, changes: 1, transfers: 1, mine: 2, late: 0, risk: 1 };
    assert.deepEqual(await counts(), all);
    now += 1;
    assert.deepEqual(await counts(), { ...all, late: 1 });

    for (const [query, ...names] of [
      [{ isNew: true }, 'Frеsh'],
      [{ isNew: false }, 'Revoked', 'Changed too', 'Transferred'],
      [{ claimedBy: 'me' }, 'Revoked', 'Changed too'],
      [{ claimedBy: 'me', kind: 'change' }, 'Changed too'],
      [{ claimedBy: 'me', sort: '-waitingSince', limit: 1 }, 'Changed too'],
      [{ claimedBy: 'me', hasWarnings: true }],
    ] as const) {
      const page = await listReviewQueue(fixture.registry, {
        query: { ...query, withTotal: true },
        showsNotes: true,
        caller: reviewer,
      });
      assert.deepEqual(namesIn(page).toSorted(), names.toSorted(), JSON.stringify(query));
      if (!('limit' in query)) assert.equal(page.total, names.length, JSON.stringify(query));
    }
    now += 15 * minuteMs;
    assert.equal((await counts()).mine, 0, 'an assignment that has expired does not count');
    for (const { id } of [fresh, revoked]) await fixture.review(id, 'withdraw');
    for (const { id } of [changed, transferred]) await fixture.review(id, 'approve');
  });

  test('pages of an age lead backwards too, in both orders', async () => {
    const ids: string[] = [];
    for (const minute of [0, 1, 2, 3]) {
      const { id } = await fixture.newApp({ name: `Paged ${minute}` });
      now = start + minute * minuteMs;
      await fixture.review(id, 'submit');
      ids.push(id);
    }
    for (const sort of ['waitingSince', '-waitingSince']) {
      const query = { until: timeOf(3), sort, limit: 1 };
      const first = await list(query);
      const second = await list({ ...query, cursor: first.nextCursor });
      const third = await list({ ...query, cursor: second.nextCursor });
      assert.equal(third.nextCursor, undefined);
      assert.deepEqual(
        [first, second, third].flatMap(namesIn),
        sort === '-waitingSince' ? ['Paged 2', 'Paged 1', 'Paged 0'] : ['Paged 0', 'Paged 1', 'Paged 2'],
      );
      assert.deepEqual(namesIn(await list({ ...query, cursor: third.prevCursor })), namesIn(second));
      await assertRefused(
        fixture.registry,
        () => list({ ...query, until: timeOf(2), cursor: first.nextCursor }),
        'invalid_content',
      );
    }
    for (const id of ids) await fixture.review(id, 'withdraw');
  });

  test('an invalid time and an invalid flag are refused', async () => {
    const refusal = await assertRefused(
      fixture.registry,
      () => list({ until: 'yesterday', hasWarnings: 'yes', withTotal: 1 }),
      'invalid_content',
    );
    assert.deepEqual(validationErrorsOf(refusal).toSorted(), [
      'hasWarnings wrong_type',
      'until invalid_format',
      'withTotal wrong_type',
    ]);
  });

  test('in a long queue, a page of warnings reads only a part, and the total is an estimate', async () => {
    const count = 12_000;
    const each = (at: number) =>
      appRow({
        id: `app_${String(at).padStart(26, '0')}`,
        developer_id: at % 4 === 0 ? fixture.otherDeveloper.id : fixture.developer.id,
        // The first warning is beyond the part that one page reads.
        name: at === searchedAppsMax + 10 ? 'Mіxed' : `Waiting ${at}`,
        name_key: `waiting ${at}`,
        review_status: 'AWAITING_REVIEW',
        submitted_at: start + at,
        waiting_since: start + at,
      });
    const rows = Array.from({ length: count }, (_, at) => each(at));
    for (let at = 0; at < count; at += 2_000) {
      await fixture.registry.storage.write((transaction) => transaction.insertNew('apps', rows.slice(at, at + 2_000)));
    }
    const query = { hasWarnings: true, until: new Date(start + 1_000).toISOString() };
    const first = await list(query);
    assert.deepEqual(namesIn(first), []);
    assert.ok(first.nextCursor);
    assert.deepEqual(namesIn(await list({ ...query, cursor: first.nextCursor })), ['Mіxed']);
    assert.deepEqual((await allNames(query)).names, ['Mіxed']);

    const totals = async (given: object) => {
      const { total, estimatedTotal } = await list({ ...given, withTotal: true, limit: 1 });
      return { total, estimatedTotal };
    };
    const assertNear = ({ estimatedTotal = 0 }: { estimatedTotal: number | undefined }, right: number) =>
      assert.ok(Math.abs(estimatedTotal - right) < right / 100, `${estimatedTotal}`);
    assertNear(await totals({}), count);
    assertNear(await totals({ sort: '-waitingSince' }), count);
    assertNear(await totals({ developerId: fixture.otherDeveloper.id }), count / 4);
    assertNear(await totals({ hasWarnings: false }), count);
    assert.deepEqual(await totals({ kind: 'change' }), { total: undefined, estimatedTotal: 0 });
    const before = { until: new Date(start + 10_000).toISOString() };
    const { machine } = fixture.registry;
    // Much later than the last count, which may be reused if it was slow.
    const later = { ...machine, uptimeMs: () => machine.uptimeMs() + 7 * 24 * 60 * minuteMs };
    const counts = await getReviewQueueCounts({ ...fixture.registry, machine: later });
    assertNear({ estimatedTotal: counts.new.estimatedTotal }, count);
    assert.deepEqual(counts.mine, { total: 0 });
    assert.deepEqual(counts.risk, { estimatedTotal: 0 }, 'the only warning is beyond the part that is compared');
    assert.deepEqual(await totals(before), { total: 10_000, estimatedTotal: undefined });
    assert.deepEqual(await totals({ ...before, developerId: fixture.otherDeveloper.id }), {
      total: 2_500,
      estimatedTotal: undefined,
    });
  });
});
