import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { restoreApp, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { blockLogo } from '@appregistrar/testkit/calls/logos';
import { listReviewQueue } from '@appregistrar/testkit/calls/review';
import { updateSettings } from '@appregistrar/testkit/calls/settings';
import { unsuspendDeveloper } from '@appregistrar/testkit/calls/suspension';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { exportText } from '@appregistrar/testkit/registry/export-text';
import { appOf, developerOf, installationOf, type Line } from '@appregistrar/testkit/registry/import-file';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { approvedContent } from '../../../../client/src/operator/index.ts';
import { ImportFixture } from '../../../test/registry/import-fixture.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';

const createdAt = '2024-01-01T00:00:00.000Z';
const updatedAt = '2024-05-01T00:00:00.000Z';
const since = '2024-04-01T00:00:00.000Z';
const approved = { revision: 1, listingInfo: { backgroundColor: '#ffffff' }, oauthInfo: {} };
const callback = { oauthInfo: { callbackUrl: 'https://a.example/callback' } };
const suspension = { at: since, reason: 'Sends spam.' };

/** The state that decides about access and review, as an export writes it. */
onSqlite((engine) => {
  const imports = new ImportFixture(engine);
  let png: string;
  before(async () => {
    const { id } = await imports.fixture.newLogo();
    const row = (await rowsOf(imports.registry.storage, 'logos')).find((logo) => logo.id === id);
    png = Buffer.from(row?.png ?? []).toString('base64');
  });

  const rowOf = async (id: string) =>
    (await rowsOf(imports.registry.storage, 'apps')).find((app) => app.id === id) ?? assert.fail();
  const installed = async (id: string) => {
    const row = (await rowsOf(imports.registry.storage, 'installations')).find((one) => one.id === id);
    return [row?.enabled, row?.disabled_by];
  };
  const statusOf = async (id: string) => (await imports.show(id)).reviewStatus;
  const update = (appId: string, update: object) =>
    updateAppAsOperator(imports.registry, commandLine, { appId, update });
  const logoOf = (developerId: string) => ({ type: 'logo', id: newId('logo'), developerId, createdAt, png });
  const live = (developerId: string, name: string) => ({
    ...appOf(developerId, name),
    ...{ createdAt, updatedAt, listingInfo: { backgroundColor: '#ffffff' }, oauthInfo: {} },
    ...{ reviewStatus: 'APPROVED', revision: 3 },
  });
  const changed = (developerId: string, name: string) => ({
    ...live(developerId, name),
    approved: { ...approved, name: `${name} approved` },
  });

  describe('the same export, and no change by a second import, has', () => {
    const cases: Record<string, (developerId: string) => Line[]> = {
      'a change that awaits a decision': (id) => [{ ...changed(id, 'Changed'), changeSince: since }],
      'a change that was rejected': (id) => [{ ...changed(id, 'Rejected change'), changeRejected: true }],
      'a transfer that awaits a decision': (id) => [{ ...live(id, 'Transfer'), transferSince: since }],
      'an address that was withdrawn': (id) => [
        {
          ...{ ...changed(id, 'Withdrawn'), approved: { ...approved, ...callback, name: 'Withdrawn' } },
          ...{ withdrawn: [{ field: 'oauthInfo.callbackUrl', revision: 2 }], changeSince: since },
        },
      ],
      'a suspended developer with apps and installations': () => {
        const developer = { ...developerOf(), createdAt, updatedAt, suspension };
        const { userId } = developer;
        const rejected = { reviewStatus: 'REJECTED', rejectionReason: suspension.reason };
        const app = { ...changed(userId, 'Suspended'), ...rejected, changeSince: since, suspendedStatus: 'APPROVED' };
        const draft = { ...live(userId, 'Suspended draft'), reviewStatus: 'DRAFT', suspendedStatus: 'DRAFT' };
        const disabled = (appId: string, ...disabledBy: string[]) => ({
          ...installationOf(appId),
          ...{ enabled: false, disabledBy },
        });
        return [
          ...[developer, app, draft, disabled(app.id, 'suspension'), disabled(app.id, 'workspace', 'suspension')],
          disabled(draft.id, 'revocation', 'suspension'),
        ];
      },
      'a blocked logo that an app shows': (id) => {
        const logo = { ...logoOf(id), blocked: suspension };
        return [logo, { ...live(id, 'With a blocked logo'), logoId: logo.id }];
      },
    };
    for (const [name, make] of Object.entries(cases)) {
      test(name, async () => {
        const developer = { ...developerOf(), createdAt, updatedAt };
        const lines = [developer, ...make(developer.userId)] as { id?: string; userId: string }[];
        await imports.import(lines);
        const exported = (await exportText(imports.registry)).trimEnd().split('\n');
        const records = new Map(exported.map((line) => JSON.parse(line)).map((one) => [one.id ?? one.userId, one]));
        for (const line of lines) assert.deepEqual(records.get(line.id ?? line.userId), line);
        await imports.importUnchanged(lines);
      });
    }
  });

  describe('an app that is APPROVED in the file', () => {
    const lineOf = (id: string, name: string) => ({
      ...appOf(imports.developerId, name),
      id,
      reviewStatus: 'APPROVED',
    });

    /** The app is approved with its current content. */
    async function assertApproved(id: string, name: string): Promise<void> {
      const view = await imports.show(id);
      assert.deepEqual([view.reviewStatus, view.name, view.changedSinceApproval], ['APPROVED', name, false]);
    }

    test('is approved as imported, if it is new', async () => {
      const app = { ...lineOf(newId('app'), 'New and approved'), revision: 7 };
      await imports.import([app]);
      await assertApproved(app.id, app.name);
    });

    for (const status of ['DRAFT', 'AWAITING_REVIEW', 'REJECTED', 'APPROVED'] as const) {
      test(`is approved as imported, if it is ${status} here`, async () => {
        const { id } = await imports.fixture.newApp({ status });
        await imports.import([lineOf(id, `Imported over ${status}`)]);
        await assertApproved(id, `Imported over ${status}`);
      });
    }

    test('has no change left that the file reverts, and a second import changes nothing', async () => {
      const app = await imports.fixture.newApp({ status: 'APPROVED' });
      await update(app.id, { name: 'Changed since its approval' });
      assert.equal((await imports.show(app.id)).changedSinceApproval, true);
      const line = lineOf(app.id, app.name);
      const [event] = await imports.eventsOf(line);
      assert.deepEqual([event?.[2]?.approvedRevision, event?.[3]?.approvedRevision], [1, 3]);
      await assertApproved(app.id, app.name);
      assert.equal((await imports.importUnchanged([line])).apps.unchanged, 1);
    });

    test('but for a suspension is approved as imported, if the file does not say how', async () => {
      const developer = { ...developerOf(), suspension };
      const line = lineOf(newId('app'), 'Approved before the suspension');
      const app = { ...line, developerId: developer.userId, reviewStatus: 'REJECTED', suspendedStatus: 'APPROVED' };
      await imports.import([developer, app]);
      await unsuspendDeveloper(imports.registry, commandLine, developer.userId);
      await assertApproved(app.id, app.name);
    });

    test('is approved with its content, also where that is a held change', async () => {
      const set = (update: object) => updateSettings(imports.registry, commandLine, { update, existing: 'hold' });
      await set({ changesToApproved: 'hold' });
      const { id } = await imports.fixture.newApp({ status: 'APPROVED' });
      await update(id, { name: 'Held here' });
      await imports.import([lineOf(id, 'Held here')]);
      await assertApproved(id, 'Held here');
      await set({ changesToApproved: 'live' });
    });

    test('claims its approved name too, as any other', async () => {
      const { developerId: id } = imports;
      await imports.import([changed(id, 'One')]);
      const taken = '/approved/name already_exists';
      await imports.assertErrors([appOf(id, 'One approved'), '/name already_exists']);
      const two = { ...changed(id, 'Two'), approved: { ...approved, name: 'One' } };
      await imports.assertErrors([two, taken]);
      await imports.assertErrors([changed(id, 'Three')], [appOf(id, 'Three approved'), '/name already_exists']);
      const here = await imports.fixture.newApp({ status: 'APPROVED', name: 'Four' });
      await imports.assertErrors([{ ...two, id: here.id, name: 'Four' }, taken]);
    });
  });

  test('a line without a review status leaves the approval as it was: its content is a change', async () => {
    const app = await imports.fixture.newApp({ status: 'APPROVED' });
    await imports.import([{ ...appOf(imports.developerId, 'Changed by a line'), id: app.id }]);
    const view = await imports.show(app.id);
    assert.deepEqual(
      [view.reviewStatus, approvedContent(view)?.name, view.changedSinceApproval],
      ['APPROVED', app.name, true],
    );
  });

  describe('the queue', () => {
    test('has a change since changeSince, a transfer since transferSince, and neither a rejected nor a suspended one', async () => {
      const { developerId } = imports;
      const developer = { ...developerOf(), suspension };
      const lines = [
        { ...changed(developerId, 'Waits'), changeSince: since },
        { ...live(developerId, 'Transferred'), transferSince: since },
        { ...changed(developerId, 'Rejected'), changeRejected: true },
        { ...changed(developer.userId, 'Waits suspended'), changeSince: since },
      ];
      await imports.import([developer, ...lines]);
      const rows = await Promise.all(lines.map(({ id }) => rowOf(id)));
      const at = Date.parse(since);
      assert.deepEqual(
        rows.map((row) => row.waiting_since),
        [at, at, 0, 0],
      );
    });

    test('has a change of a file without changeSince since its updatedAt, and a second import keeps the time', async () => {
      const line = changed(imports.developerId, 'Without its time');
      await imports.import([line]);
      assert.equal((await rowOf(line.id)).waiting_since, Date.parse(updatedAt));
      await imports.import([{ ...line, updatedAt: '2024-06-01T00:00:00.000Z' }]);
      assert.equal((await rowOf(line.id)).waiting_since, Date.parse(updatedAt));
    });

    test('has a change that only a line makes, by other approved content', async () => {
      const app = await imports.fixture.newApp({ status: 'APPROVED', name: 'Approved here' });
      await imports.import([{ ...changed(imports.developerId, 'Approved here'), id: app.id }]);
      assert.ok((await rowOf(app.id)).waiting_since > 0);
    });
  });

  describe('a submission in the file', () => {
    const pendingAs = 'DRAFT';
    const isQueued = async (id: string) => {
      const { items } = await listReviewQueue(imports.registry, { query: { limit: 100 }, showsNotes: true });
      return items.some(({ app }) => app.id === id);
    };
    const submitted = (name: string) => ({
      ...appOf(imports.developerId, name),
      ...{ updatedAt: '2024-03-01T00:00:00.000Z', reviewStatus: 'AWAITING_REVIEW' },
      submittedAt: '2024-02-01T00:00:00.000Z',
    });

    test('enters the queue without pendingAs, and the summary has no count of drafts', async () => {
      const app = submitted('Pending as it is');
      assert.equal('pendingAsDraft' in (await imports.import([app])), false);
      assert.equal(await isQueued(app.id), true);
    });

    test('becomes a draft outside the queue with pendingAs, is counted, and can be submitted', async () => {
      const app = submitted('Pending as a draft');
      const others = ['DRAFT', 'APPROVED', 'REJECTED'].map((reviewStatus) => ({
        ...appOf(imports.developerId, `Imported as ${reviewStatus}`),
        reviewStatus,
      }));
      const { apps, pendingAsDraft } = await imports.import([app, ...others], { pendingAs });
      assert.deepEqual([apps.created, pendingAsDraft], [4, 1]);
      const { reviewStatus, submittedAt, updatedAt } = await imports.show(app.id);
      assert.deepEqual([reviewStatus, submittedAt, updatedAt], ['DRAFT', undefined, app.updatedAt]);
      for (const other of others) assert.equal(await statusOf(other.id), other.reviewStatus);
      assert.equal(await isQueued(app.id), false);
      await imports.review(app.id, 'submit');
      assert.equal(await isQueued(app.id), true);
    });

    test('of a deleted app does not enter the queue when that is restored, and counts again at a second import', async () => {
      const app = { ...submitted('Deleted and restored'), deletedAt: new Date().toISOString() };
      const lines = [submitted('Twice as a draft'), app];
      assert.equal((await imports.import(lines, { pendingAs })).pendingAsDraft, 2);
      const second = await imports.importUnchanged(lines, { pendingAs });
      assert.deepEqual([second.pendingAsDraft, second.apps.unchanged], [2, 2]);
      await restoreApp(imports.registry, commandLine, app.id);
      assert.deepEqual([await statusOf(app.id), await isQueued(app.id)], ['DRAFT', false]);
    });

    test('leaves an app that awaits review here in the queue with its time, and is not counted', async () => {
      const lines = [submitted('Submitted here'), submitted('Submitted by an earlier import')] as const;
      await imports.import([lines[0]], { pendingAs });
      await imports.review(lines[0].id, 'submit');
      await imports.import([lines[1]]);
      const { apps, pendingAsDraft } = await imports.importUnchanged(lines, { pendingAs });
      assert.deepEqual([apps.unchanged, pendingAsDraft], [2, 0]);
    });

    test('makes a draft again of an app that was decided here, because a line updates its app', async () => {
      const app = submitted('Decided since');
      await imports.import([app], { pendingAs });
      await imports.review(app.id, 'submit', 'reject');
      const { apps, pendingAsDraft } = await imports.import([app], { pendingAs });
      assert.deepEqual([apps.updated, pendingAsDraft, await statusOf(app.id)], [1, 1, 'DRAFT']);
    });

    test('is none without a review status, which changes no status', async () => {
      const [fresh, waiting] = [
        appOf(imports.developerId, 'New without a status'),
        submitted('Waits without a status'),
      ];
      await imports.import([waiting]);
      const { reviewStatus: _, submittedAt: __, ...withoutStatus } = waiting;
      assert.equal((await imports.import([fresh, withoutStatus], { pendingAs })).pendingAsDraft, 0);
      assert.deepEqual([await statusOf(fresh.id), await statusOf(waiting.id)], ['DRAFT', 'AWAITING_REVIEW']);
    });
  });

  describe('a developer who is suspended here', () => {
    test('stays suspended, and so do apps and installations that an earlier file has as approved and enabled', async () => {
      const developer = developerOf();
      const app = live(developer.userId, 'From before');
      const installation = { ...installationOf(app.id), enabled: true };
      await imports.import([{ ...developer, suspension }, app, installation]);
      const { review_status, suspended_status, rejection_reason } = await rowOf(app.id);
      assert.deepEqual(
        [review_status, suspended_status, rejection_reason],
        ['REJECTED', 'APPROVED', suspension.reason],
      );
      assert.deepEqual(await installed(installation.id), [0, 'suspension']);
      await imports.importUnchanged([developer, app, installation]);
    });

    test('gets no new app that is not suspended, and no enabled installation', async () => {
      const developer = developerOf();
      await imports.import([{ ...developer, suspension }]);
      const [app, draft] = [live(developer.userId, 'New'), appOf(developer.userId, 'New draft')];
      const installation = installationOf(app.id);
      await imports.import([app, draft, installation]);
      assert.equal((await rowOf(draft.id)).suspended_status, 'DRAFT');
      assert.equal((await rowOf(app.id)).review_status, 'REJECTED');
      assert.deepEqual(await installed(installation.id), [0, 'suspension']);
    });
  });

  test('a line neither suspends a developer who exists, nor marks what belongs to one who is not suspended', async () => {
    const { id: userId, email } = imports.fixture.developer;
    const app = { ...live(userId, 'Not suspended'), reviewStatus: 'REJECTED', suspendedStatus: 'APPROVED' };
    const draft = appOf(userId, 'Draft');
    const installation = { ...installationOf(draft.id), enabled: false, disabledBy: ['suspension'] };
    await imports.assertErrors(
      [{ type: 'developer', userId, email, suspension }, '/suspension not_allowed'],
      [app, '/suspendedStatus not_allowed'],
      [draft],
      [installation, '/disabledBy not_allowed'],
    );
  });

  test('an impossible state is refused with each of its errors', async () => {
    const { developerId } = imports;
    const draft = { ...appOf(developerId, 'Draft'), changeSince: since, changeRejected: true, transferSince: since };
    const withdrawn = { field: 'oauthInfo.callbackUrl', revision: 4 };
    const app = { ...live(developerId, 'Live'), withdrawn: [withdrawn, withdrawn], suspendedStatus: 'APPROVED' };
    const installation = { ...installationOf(draft.id), disabledBy: ['workspace'] };
    const rejectedTwice = ['/changeRejected not_allowed', '/changeRejected not_allowed'];
    await imports.assertErrors(
      [draft, '/changeSince not_allowed', ...rejectedTwice, '/transferSince not_allowed'],
      [app, '/suspendedStatus not_allowed', '/withdrawn/0 not_allowed', '/withdrawn/1 not_allowed'],
      [installation, '/disabledBy not_allowed'],
      [{ ...installation, enabled: false, disabledBy: [] }, '/disabledBy too_short'],
      [{ ...installation, enabled: false, disabledBy: ['weather'] }, '/disabledBy/0 not_allowed'],
    );
  });

  test('a logo that is blocked here can be imported only for an app that has it, or if the file has its block', async () => {
    const { developerId, registry } = imports;
    const logo = logoOf(developerId);
    const [first, second] = ['First', 'Second'].map((name) => ({ ...appOf(developerId, name), logoId: logo.id }));
    assert.ok(first && second);
    await imports.import([logo, first]);
    await blockLogo(registry, commandLine, { id: logo.id, block: { reason: 'A foreign trademark.' } });
    await imports.assertErrors([logo], [first], [second, '/logoId unusable_logo']);
    await imports.import([logo, first]);
    await update(first.id, { logoId: null });
    await imports.assertErrors([logo], [first, '/logoId unusable_logo']);
    await imports.import([{ ...logo, blocked: suspension }, first, second]);
  });

  test('a line blocks a logo that exists, with an event, and a line without a block leaves it blocked', async () => {
    const { developerId } = imports;
    const logo = logoOf(developerId);
    await imports.import([logo]);
    const { reason } = suspension;
    assert.deepEqual(await imports.eventsOf({ ...logo, blocked: suspension }), [
      ['logo.blocked', logo.id, null, { developerId, reason }],
    ]);
    assert.equal((await imports.importUnchanged([logo])).logos.unchanged, 1);
  });
});
