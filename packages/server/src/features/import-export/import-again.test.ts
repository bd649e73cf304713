import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import {
  appOf,
  developerOf,
  fileOf,
  installationOf,
  type Line,
  unchanged,
} from '@appregistrar/testkit/registry/import-file';
import { eventsDuring, everything, withoutNonce } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { getApp } from '../apps/get-app.ts';
import { updateApp } from '../apps/update-app.ts';
import { importRegistry } from './import-registry.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  const importLines = (lines: Line[]) => importRegistry(fixture.registry, commandLine, { open: fileOf(lines) });

  /** Imports changed lines of existing objects, and returns the type and data of each event. */
  async function changesBy(...lines: Line[]): Promise<unknown[]> {
    const events = await eventsDuring(fixture.registry, () => importLines(lines));
    return events.map(({ type, subject_id, before: old, after: now, details, effective }) => [
      type,
      subject_id,
      old,
      withoutNonce(now),
      ...(details || effective !== undefined ? [{ ...details, ...(effective !== undefined && { effective }) }] : []),
    ]);
  }

  describe('importing a file twice', () => {
    const developer = developerOf();
    const approved = { ...appOf(developer.userId, 'Approved'), reviewStatus: 'APPROVED' };
    const draft = appOf(developer.userId, 'Draft');
    const { id: _, ...withoutId } = installationOf(approved.id);
    const lines = [
      developer,
      approved,
      draft,
      { ...installationOf(draft.id), enabled: false },
      withoutId,
      ...Array.from({ length: 1_500 }, () => installationOf(draft.id)),
    ];

    test('changes nothing', async () => {
      await importLines(lines);
      const stored = await everything(fixture.registry.storage);
      assert.deepEqual(await importLines(lines), unchanged({ developers: 1, apps: 2, installations: 1_502 }));
      assert.deepEqual(await everything(fixture.registry.storage), stored);
    });

    test('preserves the review, the enabled state and the times that its lines leave out', async () => {
      await fixture.review(draft.id, 'submit');
      const stored = await everything(fixture.registry.storage);
      await importLines(lines);
      assert.deepEqual(await everything(fixture.registry.storage), stored);
    });
  });

  test('an object may occur twice in a file, and the last line counts', async () => {
    const developer = developerOf();
    const app = appOf(developer.userId, 'Twice');
    const summary = await importLines([
      developer,
      { ...developer, email: 'second@example.com' },
      app,
      app,
      { ...app, name: 'Twice again' },
    ]);
    assert.deepEqual(
      [summary.developers, summary.apps],
      [
        { created: 1, updated: 1, unchanged: 0 },
        { created: 1, updated: 1, unchanged: 1 },
      ],
    );
    const { app: view } = await getApp(fixture.registry, app.id);
    assert.deepEqual([view.name, view.developer.email], ['Twice again', 'second@example.com']);
  });

  test('a changed developer is visible in every app, and the event contains no personal data', async () => {
    const developer = developerOf();
    const app = appOf(developer.userId, 'Of a changed developer');
    await importLines([developer, app]);
    const { revision } = await getApp(fixture.registry, app.id);
    const changed = { ...developer, email: 'new@example.com', lastName: 'New', updatedAt: '2100-01-01T00:00:00.000Z' };
    assert.deepEqual(await changesBy(changed), [
      ['developer.updated', developer.userId, null, null, { changed: ['email', 'lastName', 'updatedAt'] }],
    ]);
    const read = await getApp(fixture.registry, app.id);
    assert.deepEqual(read.app.developer, { userId: developer.userId, email: 'new@example.com', lastName: 'New' });
    assert.notEqual(read.revision, revision);
  });

  test('a changed app has its new content, a new revision and its events', async () => {
    const { userId } = fixture.developer;
    const app = { ...appOf(userId, 'Before'), listingInfo: { shortDescription: 'Short.' }, reviewStatus: 'APPROVED' };
    await importLines([app]);
    const { listingInfo: _, ...bare } = app;
    const updatedAt = '2024-06-01T00:00:00.000Z';
    assert.deepEqual(await changesBy({ ...bare, name: 'After', reviewStatus: 'DRAFT', updatedAt }), [
      [
        'app.updated',
        app.id,
        {
          name: 'Before',
          listingInfo: { shortDescription: 'Short.' },
          reviewStatus: 'APPROVED',
          updatedAt: app.createdAt,
          revision: 1,
        },
        { name: 'After', listingInfo: { shortDescription: null }, reviewStatus: 'DRAFT', updatedAt, revision: 2 },
        { changedSinceApproval: ['name', 'listingInfo.shortDescription'], effective: null },
      ],
    ]);
    const view = await getAppAsOperator(fixture.registry, app.id);
    assert.deepEqual(
      [view.name, view.reviewStatus, view.updatedAt, view.revision, view.listingInfo],
      ['After', 'DRAFT', updatedAt, 2, { backgroundColor: '#ffffff' }],
    );
    assert.equal(view.approved?.name, 'Before', 'what was approved is not forgotten');
  });

  test('revisions and updatedAt never decrease, so no old ETag becomes valid again', async () => {
    const { userId } = fixture.developer;
    const app = { ...appOf(userId, 'First'), updatedAt: '2024-06-01T00:00:00.000Z', revision: 3 };
    await importLines([app]);
    await updateApp(fixture.registry, commandLine, {
      appId: app.id,
      developerId: userId,
      update: { listingInfo: { shortDescription: 'Second.' } },
    });
    const { updatedAt } = await getAppAsOperator(fixture.registry, app.id);
    await importLines([app]);
    const view = await getAppAsOperator(fixture.registry, app.id);
    assert.deepEqual([view.listingInfo, view.revision, view.updatedAt], [{ backgroundColor: '#ffffff' }, 5, updatedAt]);
  });

  test('a later line may take a name that an earlier one releases', async () => {
    const [one, other] = [appOf(fixture.developer.userId, 'Taken'), appOf(fixture.developer.userId, 'Taken')];
    await importLines([one]);
    const { apps } = await importLines([{ ...one, name: 'Given up' }, other]);
    assert.deepEqual(apps, { created: 1, updated: 1, unchanged: 0 });
    assert.equal((await getAppAsOperator(fixture.registry, other.id)).name, 'Taken');
  });

  test('a changed installation gets an event and keeps its id, and the count stays correct', async () => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    const [one, other] = [installationOf(app.id), installationOf(app.id)];
    await importLines([one, other]);
    const { revision } = await getApp(fixture.registry, app.id);
    const { id: _, ...withoutId } = other;
    const userId = newId('user');
    const changes = await changesBy({ ...one, enabled: false }, { ...withoutId, userId });
    assert.deepEqual(changes, [
      ['installation.disabled', one.id, { enabled: true }, { enabled: false, disabledBy: ['workspace'] }],
      ['installation.updated', other.id, { userId: other.userId }, { userId }],
    ]);
    const read = await getApp(fixture.registry, app.id);
    assert.notEqual(read.revision, revision);
    assert.deepEqual(
      read.app.installations.map(({ id, enabled, userId: user }) => [id, enabled, user]).sort(),
      [
        [one.id, false, one.userId],
        [other.id, true, userId],
      ].sort(),
    );
    assert.equal((await getAppAsOperator(fixture.registry, app.id)).installationCount, 2);
  });
});
