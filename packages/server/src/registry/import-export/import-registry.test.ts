import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import {
  appOf,
  created,
  developerOf,
  fileOf,
  installationOf,
  type Line,
  rowCounts,
} from 'app-registry-testkit/registry/import-file';
import { RegistryFixture } from 'app-registry-testkit/registry/registry-fixture';
import { getApp } from '../apps/get-app.ts';
import { showApp } from '../apps/show-app.ts';
import { updateApp } from '../apps/update-app.ts';
import { commandLine } from '../registry.ts';
import { reviewApp } from '../review/review-app.ts';
import { encodeTypeId, newId } from '../type-id.ts';
import { importRegistry } from './import-registry.ts';

const caller = { actor: 'token_01jq3va2c8f0ntb5m6b7k8c9d0', requestId: 'request 1' };

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  const importLines = (lines: Line[], lineEnd?: string) =>
    importRegistry(fixture.registry, caller, { open: fileOf(lines, lineEnd) });

  describe('an import', () => {
    const developerId = newId('user');
    const app = {
      type: 'app',
      id: newId('app'),
      developerId,
      name: 'Größe 🚀 Sync',
      createdAt: '2019-05-06T07:08:09.012Z',
      updatedAt: '2021-01-02T03:04:05.006Z',
      reviewStatus: 'APPROVED',
      listingInfo: { backgroundColor: '#0bF', shortDescription: 'Short.', longDescription: 'Long.\r\n\tLonger.' },
      oauthInfo: { loginUrl: 'https://example.com/login', callbackUrl: 'http://localhost:3000/' },
    };
    const installation = {
      type: 'installation',
      id: newId('installation'),
      appId: app.id,
      workspaceId: newId('workspace'),
      userId: newId('user'),
      createdAt: '2022-02-03T04:05:06.789Z',
      enabled: false,
    };
    const plain = { type: 'app', id: newId('app'), developerId, name: 'Plain', createdAt: '2020-01-01T00:00:00Z' };
    const rejected = {
      ...plain,
      id: newId('app'),
      name: 'Rejected',
      reviewStatus: 'REJECTED',
      rejectionReason: 'It does\nnot work.',
    };

    before(async () => {
      const developer = { type: 'developer', userId: developerId, email: 'eva@example.com', lastName: "O'Brien" };
      const later = { ...installation, workspaceId: newId('workspace'), createdAt: '2023-01-01T00:00:00.5Z' };
      const { id: _, enabled: __, ...withoutId } = later;
      const summary = await importLines([developer, app, plain, rejected, withoutId, installation]);
      assert.deepEqual(summary, created({ developers: 1, apps: 3, installations: 2 }));
    });

    test('reads back through Get App, to the millisecond', async () => {
      const { app: view } = await getApp(fixture.registry, app.id);
      const [first, second] = view.installations;
      const { type: _, ...expected } = installation;
      assert.deepEqual(view, {
        id: app.id,
        name: app.name,
        createdAt: app.createdAt,
        updatedAt: app.updatedAt,
        reviewStatus: 'APPROVED',
        developer: { userId: developerId, email: 'eva@example.com', lastName: "O'Brien" },
        installations: [first, second],
      });
      assert.deepEqual(first, expected);
      assert.match(second?.id ?? '', /^installation_[0-9a-z]{26}$/);
      assert.equal(second?.createdAt, '2023-01-01T00:00:00.500Z');
      assert.equal(second?.enabled, true, 'enabled unless told otherwise');
    });

    test('reads back through Update App', async () => {
      const { app: view } = await updateApp(fixture.registry, caller, { appId: app.id, developerId, update: {} });
      assert.deepEqual(view, {
        id: app.id,
        name: app.name,
        createdAt: app.createdAt,
        updatedAt: app.updatedAt,
        reviewStatus: 'APPROVED',
        installationCount: 2,
        listingInfo: app.listingInfo,
        oauthInfo: app.oauthInfo,
      });
    });

    test('takes the content of an APPROVED app for what was approved', async () => {
      const view = await showApp(fixture.registry, app.id);
      assert.equal(view.changedSinceApproval, false);
      assert.deepEqual(view.approved, {
        revision: 1,
        name: app.name,
        listingInfo: app.listingInfo,
        oauthInfo: app.oauthInfo,
      });
    });

    test('fills in what a line leaves out', async () => {
      const view = await showApp(fixture.registry, plain.id);
      assert.deepEqual(view, {
        id: plain.id,
        name: 'Plain',
        createdAt: '2020-01-01T00:00:00.000Z',
        updatedAt: '2020-01-01T00:00:00.000Z',
        reviewStatus: 'DRAFT',
        installationCount: 0,
        listingInfo: { backgroundColor: '#ffffff' },
        oauthInfo: {},
        developerId,
        revision: 1,
      });
    });

    test('keeps the reason of a rejection, and the app goes on through review', async () => {
      const view = await showApp(fixture.registry, rejected.id);
      assert.equal(view.reviewStatus, 'REJECTED');
      assert.equal(view.rejectionReason, 'It does\nnot work.');
      const submitted = await reviewApp(fixture.registry, caller, { appId: rejected.id, step: 'submit' });
      assert.equal(submitted.reviewStatus, 'AWAITING_REVIEW');
    });

    test('appends one event for each object, which names its caller and no person', async () => {
      const [appEvents, plainEvents] = [await fixture.eventsOf(app.id), await fixture.eventsOf(plain.id)];
      assert.deepEqual(appEvents.map(({ type }) => type).sort(), [
        'app.created',
        'installation.created',
        'installation.created',
      ]);
      assert.deepEqual(
        plainEvents.map(({ type }) => type),
        ['app.created'],
      );
      assert.ok(appEvents.every((event) => event.actor === caller.actor && event.request_id === caller.requestId));
      const developerEvents = (await allEvents()).filter((event) => event.subject_id === developerId);
      assert.deepEqual(
        developerEvents.map(({ type, after }) => [type, after]),
        [['developer.created', JSON.stringify({ userId: developerId })]],
      );
    });
  });

  test('an import adds to the installations that an app has already', async () => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    await fixture.install(app);
    const revision = (await getApp(fixture.registry, app.id)).revision;
    const lines = Array.from({ length: 3 }, () => installationOf(app.id));
    assert.deepEqual(await importLines(lines), created({ developers: 0, apps: 0, installations: 3 }));
    assert.equal((await showApp(fixture.registry, app.id)).installationCount, 4);
    const read = await getApp(fixture.registry, app.id);
    assert.equal(read.app.installations.length, 4);
    assert.notEqual(read.revision, revision, 'a reader is told of the change');
  });

  test('the count of every app is the number of its installations, however they are mixed', async () => {
    const apps = Array.from({ length: 12 }, (_, index) => appOf(fixture.developer.userId, `Mixed ${index}`));
    const installations = Array.from({ length: 2_500 }, (_, index) =>
      installationOf(apps[(index * index) % 11]?.id ?? ''),
    );
    await importLines([...apps, ...installations]);
    for (const { id } of apps) {
      const count = installations.filter(({ appId }) => appId === id).length;
      assert.equal((await showApp(fixture.registry, id)).installationCount, count);
      assert.equal((await getApp(fixture.registry, id)).app.installations.length, count);
    }
  });

  test('types may come in turns, as long as each line stands after what it refers to', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => {
      const developer = developerOf();
      const app = appOf(developer.userId, `Turn ${index}`);
      return [developer, app, installationOf(app.id), installationOf(app.id)];
    });
    assert.deepEqual(await importLines(lines.flat()), created({ developers: 30, apps: 30, installations: 60 }));
  });

  test('bare UUIDs are stored as TypeIDs', async () => {
    const [user, appId, installationId, workspace] = [
      crypto.randomUUID(),
      crypto.randomUUID(),
      crypto.randomUUID(),
      crypto.randomUUID().toUpperCase(),
    ];
    await importLines([
      { ...developerOf(), userId: user },
      { ...appOf(user, 'Bare UUIDs'), id: appId },
      { ...installationOf(appId), id: installationId, workspaceId: workspace, userId: user },
    ]);
    const { app } = await getApp(fixture.registry, encodeTypeId('app', appId));
    assert.equal(app.developer.userId, encodeTypeId('user', user));
    const [installation] = app.installations;
    assert.equal(installation?.id, encodeTypeId('installation', installationId));
    assert.equal(installation?.workspaceId, encodeTypeId('workspace', workspace));
    assert.equal(installation?.userId, encodeTypeId('user', user));
  });

  test('CRLF, blank lines, a byte order mark and a last line without end are accepted', async () => {
    const app = appOf(fixture.developer.userId, 'Line ends');
    const lines = [`\uFEFF${JSON.stringify(app)}`, '', ' \t ', installationOf(app.id), ''];
    assert.deepEqual(await importLines(lines, '\r\n'), created({ developers: 0, apps: 1, installations: 1 }));
    assert.deepEqual(
      await importLines([installationOf(app.id)], ''),
      created({ developers: 0, apps: 0, installations: 1 }),
    );
  });

  test('an empty file imports nothing', async () => {
    assert.deepEqual(await importLines([]), created({ developers: 0, apps: 0, installations: 0 }));
  });

  test('a dry run tells the counts and stores nothing', async () => {
    const developer = developerOf();
    const app = appOf(developer.userId, 'Dry run');
    const lines = [developer, app, ...Array.from({ length: 1_100 }, () => installationOf(app.id))];
    const stored = await rowCounts(fixture.registry);
    const input = { open: fileOf(lines), dryRun: true };
    const summary = await importRegistry(fixture.registry, commandLine, input);
    assert.deepEqual(summary, created({ developers: 1, apps: 1, installations: 1_100 }));
    assert.deepEqual(await rowCounts(fixture.registry), stored);
    assert.deepEqual(await importLines(lines), summary, 'and the import itself is possible after it');
  });

  test('a stream that breaks off stores nothing, and its own fault is thrown', async () => {
    const app = appOf(fixture.developer.userId, 'Broken off');
    const stored = await rowCounts(fixture.registry);
    const fault = Object.assign(new Error('read failed'), { code: 'EIO' });
    const open = async function* () {
      yield* fileOf([app, ...Array.from({ length: 2_500 }, () => installationOf(app.id))])();
      throw fault;
    };
    await assert.rejects(importRegistry(fixture.registry, caller, { open }), (error) => error === fault);
    assert.deepEqual(await rowCounts(fixture.registry), stored);
    await importLines([app]);
  });

  test('progress tells the bytes that have been read', async () => {
    const told: number[] = [];
    const lines = ['', `\n\n ${' '.repeat(1_000)}`];
    const open = async function* () {
      yield* fileOf(lines)();
      yield* fileOf(lines)();
    };
    await importRegistry(fixture.registry, caller, { open, onProgress: (bytes) => told.push(bytes) });
    assert.deepEqual(told, [1_005, 2_010]);
  });

  async function allEvents() {
    const { reader } = fixture.registry.storage;
    return reader.rows(reader.builder.selectFrom('events').selectAll().compile());
  }
});
