import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { reviewApp } from '@appregistrar/testkit/calls/review';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import {
  appOf,
  created,
  developerOf,
  fileOf,
  installationOf,
  type Line,
  rowCounts,
} from '@appregistrar/testkit/registry/import-file';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { encodeTypeId, newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { getApp } from '../apps/get-app.ts';
import { updateApp } from '../apps/update-app.ts';
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

    test('is returned by Get App, to the millisecond', async () => {
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
      assert.equal(second?.enabled, true, 'enabled by default');
    });

    test('is returned by Update App', async () => {
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

    test('uses the content of an APPROVED app as its approved content', async () => {
      const view = await getAppAsOperator(fixture.registry, app.id);
      assert.equal(view.changedSinceApproval, false);
      assert.deepEqual(view.approved, {
        revision: 1,
        etag: view.etag,
        name: app.name,
        listingInfo: app.listingInfo,
        oauthInfo: app.oauthInfo,
      });
    });

    test('applies the defaults of absent fields', async () => {
      const view = await getAppAsOperator(fixture.registry, plain.id);
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
        etag: view.etag,
        current: {
          revision: 1,
          etag: view.etag,
          name: 'Plain',
          listingInfo: { backgroundColor: '#ffffff' },
          oauthInfo: {},
        },
        effective: null,
        warnings: [],
        reviewSteps: ['submit'],
      });
    });

    test('stores the reason for a rejection, and review can continue', async () => {
      const view = await getAppAsOperator(fixture.registry, rejected.id);
      assert.equal(view.reviewStatus, 'REJECTED');
      assert.equal(view.rejectionReason, 'It does\nnot work.');
      const submitted = await reviewApp(fixture.registry, caller, { appId: rejected.id, step: 'submit' });
      assert.equal(submitted.reviewStatus, 'AWAITING_REVIEW');
    });

    test('appends one event for each object, with its caller and without personal data', async () => {
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

  test('an import adds to the existing installations of an app', async () => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    await fixture.install(app);
    const revision = (await getApp(fixture.registry, app.id)).revision;
    const lines = Array.from({ length: 3 }, () => installationOf(app.id));
    assert.deepEqual(await importLines(lines), created({ developers: 0, apps: 0, installations: 3 }));
    assert.equal((await getAppAsOperator(fixture.registry, app.id)).installationCount, 4);
    const read = await getApp(fixture.registry, app.id);
    assert.equal(read.app.installations.length, 4);
    assert.notEqual(read.revision, revision, 'the revision shows the change');
  });

  test('the count of every app is the number of its installations, in any order of lines', async () => {
    const apps = Array.from({ length: 12 }, (_, index) => appOf(fixture.developer.userId, `Mixed ${index}`));
    const installations = Array.from({ length: 2_500 }, (_, index) =>
      installationOf(apps[(index * index) % 11]?.id ?? ''),
    );
    await importLines([...apps, ...installations]);
    for (const { id } of apps) {
      const count = installations.filter(({ appId }) => appId === id).length;
      assert.equal((await getAppAsOperator(fixture.registry, id)).installationCount, count);
      assert.equal((await getApp(fixture.registry, id)).app.installations.length, count);
    }
  });

  test('types may alternate, as long as each line follows the objects that it refers to', async () => {
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

  test('CRLF, blank lines, a byte order mark and a last line without a line feed are accepted', async () => {
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

  test('a dry run reports the counts and stores nothing', async () => {
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

  test('a failing stream stores nothing, and its own error is thrown', async () => {
    const app = appOf(fixture.developer.userId, 'Broken off');
    const stored = await rowCounts(fixture.registry);
    const failure = Object.assign(new Error('read failed'), { code: 'EIO' });
    const open = async function* () {
      yield* fileOf([app, ...Array.from({ length: 2_500 }, () => installationOf(app.id))])();
      throw failure;
    };
    await assert.rejects(importRegistry(fixture.registry, caller, { open }), (error) => error === failure);
    assert.deepEqual(await rowCounts(fixture.registry), stored);
    await importLines([app]);
  });

  test('progress reports the number of bytes read', async () => {
    const reported: number[] = [];
    const lines = ['', `\n\n ${' '.repeat(1_000)}`];
    const open = async function* () {
      yield* fileOf(lines)();
      yield* fileOf(lines)();
    };
    await importRegistry(fixture.registry, caller, { open, onProgress: (bytes) => reported.push(bytes) });
    assert.deepEqual(reported, [1_005, 2_010]);
  });

  async function allEvents() {
    const { reader } = fixture.registry.storage;
    return reader.rows(reader.builder.selectFrom('events').selectAll().compile());
  }
});
