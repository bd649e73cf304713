import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deleteApp, getAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { createWebhook } from '@appregistrar/testkit/calls/webhooks';
import { forEachEngine, on, postgres } from '@appregistrar/testkit/engines/engines';
import { exportText } from '@appregistrar/testkit/registry/export-text';
import {
  appOf,
  created,
  developerOf,
  fileOf,
  installationOf,
  refusalOf,
  rowCounts,
  unchanged,
} from '@appregistrar/testkit/registry/import-file';
import { eventsDuring, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { ImportFixture } from '../../../test/registry/import-fixture.ts';
import { encodeTypeId, newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { getApp } from '../apps/get-app.ts';
import { updateApp } from '../apps/update-app.ts';
import { importRegistry } from './import-registry.ts';

const dayMs = 86_400_000;

forEachEngine((engine) => {
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  const imports = new ImportFixture(engine, { now: () => now });

  test('an imported app is returned by Get App and Update App to the millisecond, and reviewed on', async () => {
    const developer = { ...developerOf(), email: 'eva@example.com', lastName: "O'Brien" };
    const { userId: developerId } = developer;
    const content = {
      listingInfo: { backgroundColor: '#0bF', shortDescription: 'Short.', longDescription: 'Long.\r\n\tLonger.' },
      oauthInfo: { loginUrl: 'https://example.com/login', callbackUrl: 'http://localhost:3000/' },
    };
    const shown = {
      ...{ id: newId('app'), name: 'Größe 🚀 Sync', reviewStatus: 'REJECTED' },
      ...{ createdAt: '2019-05-06T07:08:09.012Z', updatedAt: '2021-01-02T03:04:05.006Z' },
    };
    const app = { type: 'app', developerId, ...shown, ...content, rejectionReason: 'It does\nnot work.' };
    const early = { ...installationOf(app.id), createdAt: '2022-02-03T04:05:06.789Z', enabled: false };
    const { id: _, ...late } = { ...installationOf(app.id), createdAt: '2023-01-01T00:00:00.5Z' };
    await imports.import([developer, app, late, early]);

    const { type: __, ...expected } = early;
    const { app: view } = await getApp(imports.registry, app.id);
    const [first, second] = view.installations;
    assert.deepEqual(first, expected);
    assert.match(second?.id ?? '', /^installation_[0-9a-z]{26}$/);
    assert.deepEqual([second?.createdAt, second?.enabled], ['2023-01-01T00:00:00.500Z', true]);
    const { type: ___, ...person } = developer;
    assert.deepEqual(view, { ...shown, developer: person, installations: [first, second] });
    const updated = await updateApp(imports.registry, commandLine, { appId: app.id, developerId, update: {} });
    assert.deepEqual(updated.app, { ...shown, installationCount: 2, ...content });
    assert.equal((await imports.show(app.id)).rejectionReason, 'It does\nnot work.');
    await imports.review(app.id, 'submit');
  });

  test('a line without optional fields gets the defaults of a new app', async () => {
    const { type: _, ...app } = appOf(imports.developerId, 'Plain');
    await imports.import([{ type: 'app', ...app }]);
    const view = await imports.show(app.id);
    const content = { name: 'Plain', listingInfo: { backgroundColor: '#ffffff' }, oauthInfo: {} };
    const revision = { revision: 1, etag: view.etag };
    assert.deepEqual(view, {
      ...{ ...app, ...content, ...revision, updatedAt: app.createdAt, reviewStatus: 'DRAFT', installationCount: 0 },
      ...{ effective: null, warnings: [], reviewSteps: ['submit'] },
    });
  });

  test('each object has one event, with the caller and without personal data', async () => {
    const caller = { actor: 'token_01jq3va2c8f0ntb5m6b7k8c9d0', requestId: 'request 1' };
    const developer = developerOf();
    const app = appOf(developer.userId, 'With events');
    const open = fileOf([developer, app, installationOf(app.id)]);
    const events = await eventsDuring(imports.registry, () => importRegistry(imports.registry, caller, { open }));
    const types = events.map(({ type }) => type);
    assert.deepEqual(types, ['developer.created', 'app.created', 'installation.created']);
    assert.ok(events.every((event) => event.actor === caller.actor && event.request_id === caller.requestId));
    assert.deepEqual(events[0]?.after, { userId: developer.userId });
  });

  test('the count of every app is the number of its installations, stored and imported, in any order of lines', async () => {
    const { fixture, registry } = imports;
    const stored = await fixture.newApp({ status: 'APPROVED' });
    await fixture.install(stored);
    const { revision } = await getApp(registry, stored.id);
    const apps = Array.from({ length: 12 }, (_, index) => appOf(imports.developerId, `Mixed ${index}`));
    const ids = [stored, ...apps].map(({ id }) => id);
    const installations = Array.from({ length: 2_500 }, (_, index) => installationOf(ids[(index * index) % 11] ?? ''));
    await imports.import([...apps, ...installations]);
    for (const id of ids) {
      const count = installations.filter(({ appId }) => appId === id).length + (id === stored.id ? 1 : 0);
      assert.equal((await imports.show(id)).installationCount, count);
      assert.equal((await getApp(registry, id)).app.installations.length, count);
    }
    assert.notEqual((await getApp(registry, stored.id)).revision, revision, 'the revision shows the change');
  });

  test('types may alternate, as long as each line follows the objects that it refers to', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => {
      const developer = developerOf();
      const app = appOf(developer.userId, `Turn ${index}`);
      return [developer, app, installationOf(app.id), installationOf(app.id)];
    });
    assert.deepEqual(await imports.import(lines.flat()), created({ developers: 30, apps: 30, installations: 60 }));
  });

  test('bare UUIDs are stored as TypeIDs', async () => {
    const [user, appId, workspace, id] = Array.from({ length: 4 }, () => crypto.randomUUID()) as [
      ...[string, string, string, string],
    ];
    const installation = { ...installationOf(appId), id, workspaceId: workspace.toUpperCase(), userId: user };
    await imports.import([
      { ...developerOf(), userId: user },
      { ...appOf(user, 'Bare UUIDs'), id: appId },
      installation,
    ]);
    const { app } = await getApp(imports.registry, encodeTypeId('app', appId));
    assert.equal(app.developer.userId, encodeTypeId('user', user));
    const [installed] = app.installations;
    assert.deepEqual(
      [installed?.id, installed?.workspaceId, installed?.userId],
      [encodeTypeId('installation', id), encodeTypeId('workspace', workspace), encodeTypeId('user', user)],
    );
  });

  test('a dry run reports the counts and stores nothing, also one in steps', async () => {
    const developer = developerOf();
    const app = appOf(developer.userId, 'Dry run');
    const lines = [developer, app, ...Array.from({ length: 1_100 }, () => installationOf(app.id))];
    const counts = created({ developers: 1, apps: 1, installations: 1_100 });
    for (const recordsPerStep of [undefined, 1]) {
      const options = recordsPerStep === undefined ? { dryRun: true } : { dryRun: true, recordsPerStep };
      assert.deepEqual(await imports.importUnchanged(lines, options), counts);
    }
    assert.deepEqual(await imports.import(lines), counts, 'and the import itself is possible after it');
  });

  test('a failing stream stores nothing, and its own error is thrown', async () => {
    const app = appOf(imports.developerId, 'Broken off');
    const stored = await rowCounts(imports.registry);
    const failure = Object.assign(new Error('read failed'), { code: 'EIO' });
    const open = async function* () {
      yield* fileOf([app, ...Array.from({ length: 2_500 }, () => installationOf(app.id))])();
      throw failure;
    };
    await assert.rejects(importRegistry(imports.registry, commandLine, { open }), (error) => error === failure);
    assert.deepEqual(await rowCounts(imports.registry), stored);
  });

  describe('an import in steps', () => {
    test('has the same result as a single one, and repeating it changes nothing', async () => {
      const other = await RegistryFixture.open(engine);
      const developer = { ...developerOf(), createdAt: '2024-01-01T00:00:00.000Z' };
      const apps = Array.from({ length: 5 }, (_, at) => appOf(developer.userId, `Step ${at}`));
      const lines = [developer, ...apps, ...apps.flatMap(({ id }) => [installationOf(id), installationOf(id)])];
      const counts = { developers: 1, apps: 5, installations: 10 };
      assert.deepEqual(await imports.import(lines, { recordsPerStep: 4 }), created(counts));
      assert.deepEqual(await imports.import(lines, { recordsPerStep: 3 }), unchanged(counts));
      await importRegistry(other.registry, commandLine, { open: fileOf(lines) });
      const ids = lines.map((line) => String('id' in line ? line.id : line.userId));
      const importedIn = async ({ registry }: { registry: RegistryFixture['registry'] }) =>
        (await exportText(registry)).split('\n').filter((line) => ids.some((id) => line.includes(id)));
      assert.deepEqual(await importedIn(imports), await importedIn(other));
      await other.close();
    });

    test('keeps the steps before an invalid record, and the refusal reports how many records they have', async () => {
      const stored = await rowCounts(imports.registry);
      const developer = developerOf();
      // A batch of records has one type, and a step has whole batches.
      const lines = [developer, appOf(developer.userId, 'Before'), { ...developerOf(), email: '' }, developerOf()];
      const { detail, errors } = await refusalOf(imports.import(lines, { recordsPerStep: 2 }));
      assert.equal(
        detail,
        'One value cannot be accepted. The 2 records before these were imported. Correct the file and import it again.',
      );
      assert.deepEqual(
        errors.map(({ line }) => line),
        [3],
      );
      const { developers, apps } = await rowCounts(imports.registry);
      assert.deepEqual([developers, apps], [(stored.developers ?? 0) + 1, (stored.apps ?? 0) + 1]);
    });
  });

  describe('webhooks', () => {
    /** Imports new and updated objects of each type, an approval, and purges an app whose deletion has become final. */
    async function undelivered(options: { deliverEvents?: boolean }): Promise<[events: number, undelivered: number]> {
      const { registry, fixture } = imports;
      await createWebhook(registry, commandLine, { url: 'https://hooks.example.com/registry' });
      await deleteApp(registry, commandLine, { appId: (await fixture.newApp()).id });
      now += 31 * dayMs;
      await fixture.newLogo();
      const png = Buffer.from((await rowsOf(registry.storage, 'logos'))[0]?.png ?? []).toString('base64');
      const developer = developerOf();
      const createdAt = '2024-01-01T00:00:00.000Z';
      const logo = { type: 'logo', id: newId('logo'), developerId: developer.userId, createdAt, png };
      const revoked = { ...appOf(developer.userId, newId('name')), reviewStatus: 'REJECTED' };
      const deleted = { ...appOf(developer.userId, newId('name')), deletedAt: new Date(now).toISOString() };
      const [waiting, other] = [installationOf(revoked.id), installationOf(revoked.id)];
      await fixture.newApp();
      const events = await eventsDuring(registry, async () => {
        const disabled = { enabled: false, disabledBy: ['revocation'] };
        await imports.import([developer, logo, revoked, deleted, { ...waiting, ...disabled }, other], options);
        const renamed = { ...deleted, name: newId('name') };
        const approved = { ...revoked, reviewStatus: 'APPROVED' };
        const changed = { ...developer, email: 'new@example.com' };
        await imports.import([changed, approved, renamed, { ...other, enabled: false }], options);
      });
      assert.ok(events.some(({ type }) => type === 'app.purged'));
      const delivered = new Set((await rowsOf(registry.storage, 'deliveries')).map(({ event_id: id }) => id));
      return [events.length, events.filter(({ id }) => !delivered.has(id)).length];
    }

    test('receive no event of an import, unless it delivers its events', async () => {
      for (const options of [{}, { deliverEvents: false }, { deliverEvents: true }]) {
        const [events, without] = await undelivered(options);
        assert.equal(without, options.deliverEvents ? 0 : events);
      }
    });

    test('receive changes after an import again', async () => {
      const app = appOf(imports.developerId, 'Imported quietly');
      await imports.import([app]);
      const [event] = await eventsDuring(imports.registry, () => imports.review(app.id, 'submit'));
      const deliveries = await rowsOf(imports.registry.storage, 'deliveries');
      assert.ok(deliveries.some((delivery) => delivery.event_id === event?.id));
    });
  });
});

test('a transaction of an import that the database aborts is retried with the same records', on(postgres), async () => {
  const fixture = await RegistryFixture.open(postgres);
  const { registry, developer } = fixture;
  const run = (statement: string) => registry.storage.write((transaction) => execute(transaction, statement));
  await run('create sequence attempts');
  // A sequence is not rolled back: the first transaction fails as one that loses a deadlock does.
  const failure = `raise 'aborted' using errcode = 'deadlock_detected'`;
  const body = `begin if nextval('attempts') = 1 then ${failure}; end if; return new; end`;
  await run(`create function abort() returns trigger language plpgsql as $$ ${body} $$`);
  await run('create trigger abort before insert on installations for each row execute function abort()');
  for (const step of [{}, { recordsPerStep: 10 }]) {
    await run('alter sequence attempts restart');
    const { apps = 0, installations = 0, events = 0, ...stored } = await rowCounts(registry);
    const app = appOf(developer.id, `Stored twice ${JSON.stringify(step)}`);
    let rejected: string[] = [];
    const begin = async () => {
      rejected = [];
    };
    const write = async (lines: string) => {
      rejected.push(lines);
    };
    const { refused, ...summary } = await importRegistry(registry, commandLine, {
      ...{ open: fileOf([{}, app, installationOf(app.id)]), ...step, rejects: { begin, write } },
    });
    assert.deepEqual(summary, created({ apps: 1, installations: 1 }));
    assert.deepEqual([refused?.records, rejected.length], [1, 1]);
    assert.equal((await getAppAsOperator(registry, app.id)).installationCount, 1);
    const added = { apps: apps + 1, installations: installations + 1, events: events + 2 };
    assert.deepEqual(await rowCounts(registry), { ...stored, ...added });
  }
  await fixture.close();
});
