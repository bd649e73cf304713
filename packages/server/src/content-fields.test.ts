import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  deleteApp,
  getAppAsOperator,
  restoreApp,
  transferApp,
  updateAppAsOperator,
} from '@appregistrar/testkit/calls/apps';
import { search } from '@appregistrar/testkit/calls/search';
import { updateSettings } from '@appregistrar/testkit/calls/settings';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { exportText, importText } from '@appregistrar/testkit/registry/export-text';
import { withoutTags } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import type Type from 'typebox';
import { approvedContent, effectiveContent } from '../../client/src/operator/index.ts';
import { getAppRevision, listAppRevisions, revertApp } from '../test/calls/revisions.ts';
import { HttpFixture } from '../test/http/http-fixture.ts';
import {
  type AppContentField,
  appContentFields,
  contentUnderPaths,
  contentValue,
  defaultOf,
  isOptional,
  type PartialContent,
} from './features/apps/app-content.ts';
import * as appFields from './features/apps/app-fields.ts';
import { getApp } from './features/apps/get-app.ts';
import type { AppRevision } from './features/apps/revisions/revisions.ts';
import { updateApp } from './features/apps/update-app.ts';
import { checkRegistry } from './features/integrity/check-registry.ts';
import { Failure } from './kernel/failure.ts';
import { newId } from './kernel/ids.ts';
import type { OperatorValidationError } from './kernel/problem-details.ts';
import { commandLine, type Registry } from './kernel/registry.ts';

type Content = Record<string, string | null>;

onSqlite((engine) => {
  // `operation-interfaces.test.ts` gives every field to the operator API and the command line.
  describe('Update App', () => {
    let http: HttpFixture;
    let data: RegistryFixture;
    before(async () => {
      http = await HttpFixture.open(engine);
      data = http.data;
    });
    after(() => http.close());
    const update = async (id: string, body: PartialContent) =>
      errorsIn(JSON.parse((await http.updateApp(id, body)).text));

    for (const field of appContentFields) {
      test(`changes nothing of an app when ${field.path} is absent or has the value that is stored`, async () => {
        const { id } = await data.newApp(await contentWith(field, data));
        const before = await getAppAsOperator(data.registry, id);
        assert.deepEqual(await update(id, {}), []);
        assert.deepEqual(await update(id, only(field, stored(before)[field.path] ?? null)), []);
        assert.deepEqual(await getAppAsOperator(data.registry, id), before);
      });

      test(`stores a value of ${field.path}, which the event and the review report, and no other field`, async () => {
        const app = await data.newApp({ status: 'APPROVED' });
        const value = await newValue(field, data);
        assert.deepEqual(await update(app.id, only(field, value)), []);
        assert.deepEqual(await contentOf(data.registry, app.id), { ...stored(app), [field.path]: value });
        assert.deepEqual(await latestEvent(data, app.id), {
          before: only(field, stored(app)[field.path] ?? null),
          after: { ...only(field, value), revision: 2 },
          changedSinceApproval: [field.path],
        });
      });

      const outcome = isOptional(field) ? 'clears' : 'is refused for';
      test(`null ${outcome} ${field.path}, and leaves every other field alone`, async () => {
        const { id } = await data.newApp(await contentWith(field, data));
        const before = await contentOf(data.registry, id);
        const errors = isOptional(field) ? [] : [`${pointerOf(field)} null_not_allowed`];
        assert.deepEqual(await update(id, only(field, null)), errors);
        const after = isOptional(field) ? { ...before, [field.path]: null } : before;
        assert.deepEqual(await contentOf(data.registry, id), after);
      });
    }
  });

  describe('an import', () => {
    let data: RegistryFixture;
    before(async () => {
      data = await RegistryFixture.open(engine);
    });
    after(() => data.close());
    const importApp = (line: object) => importText(data.registry, `${JSON.stringify(line)}\n`);

    for (const field of appContentFields) {
      test(`gives ${field.path} its value, keeps the same value, resets it when absent, and refuses null`, async () => {
        const { id: developerId } = data.developer;
        const createdAt = '2024-01-01T00:00:00.000Z';
        const line = { type: 'app', id: newId('app'), developerId, createdAt, name: `Import of ${field.path}` };
        await importApp(line);
        const initial = await contentOf(data.registry, line.id);
        const value = await newValue(field, data);
        const full = { ...line, ...only(field, value) };

        assert.equal((await importApp(full)).apps.updated, 1);
        assert.deepEqual(await contentOf(data.registry, line.id), { ...initial, [field.path]: value });
        assert.equal((await importApp(full)).apps.unchanged, 1);

        const isRequired = defaultOf(field) === undefined;
        const without = Object.fromEntries(Object.entries(full).filter(([name]) => !(name in only(field, value))));
        const refused = await errorsOf(importApp({ ...line, ...only(field, null) }));
        assert.deepEqual(
          refused.map((error) => error.split(' ')[0]),
          [pointerOf(field)],
        );
        if (isRequired) return assert.deepEqual(await errorsOf(importApp(without)), [`${pointerOf(field)} required`]);
        assert.equal((await importApp(without)).apps.updated, 1);
        assert.deepEqual(await contentOf(data.registry, line.id), initial);
      });
    }
  });

  describe('an app with every field', () => {
    let data: RegistryFixture;
    before(async () => {
      data = await RegistryFixture.open(engine);
    });
    after(() => data.close());

    const newApp = async () => data.newApp({ ...(await fullContent(data)), status: 'APPROVED' });
    const show = (id: string) => getAppAsOperator(data.registry, id);

    test('survives an export and an import into another registry, both current and approved', async () => {
      const app = await newApp();
      const text = await exportText(data.registry);
      const other = await RegistryFixture.open(engine);
      try {
        await importText(other.registry, text);
        const imported = await getAppAsOperator(other.registry, app.id);
        assert.deepEqual(withoutTags(imported), withoutTags(await show(app.id)));
        assert.equal((await importText(other.registry, text)).apps.updated, 0, 'the same file changes nothing');
      } finally {
        await other.close();
      }
    });

    test('gets its approved content back from an import when the stored snapshot is damaged', async () => {
      const app = await newApp();
      const text = await exportText(data.registry);
      for (const damaged of ['{}', 'null', '{"name":"A","login_url":5}', 'no JSON']) {
        await data.registry.storage.write((transaction) =>
          execute(transaction, `update apps set approved_content = '${damaged}' where id = '${app.id}'`),
        );
        await assert.rejects(checkRegistry(data.registry), { name: 'InconsistentRegistry' });
        await importText(data.registry, text);
        await checkRegistry(data.registry);
        assert.deepEqual((await show(app.id)).approved, app.approved);
      }
    });

    test('is restored after a deletion as it was, both current and approved', async () => {
      const app = await newApp();
      await deleteApp(data.registry, commandLine, { appId: app.id });
      const restored = await restoreApp(data.registry, commandLine, app.id);
      assert.deepEqual([stored(restored), restored.approved], [stored(app), app.approved]);
    });

    for (const field of appContentFields) {
      test(`shows ${field.path} in every revision as it was then, and gets it back from a revert`, async () => {
        const app = await newApp();
        // The app has the example of the schema.
        const update = only(
          field,
          defaultOf(field) === undefined ? await newValue(field, data) : (defaultOf(field) ?? null),
        );
        const changed = await updateAppAsOperator(data.registry, commandLine, { appId: app.id, update });
        for (const expected of [app, changed]) {
          const { revision } = expected;
          const shown = await getAppRevision(data.registry, { appId: app.id, revision: `${revision}` });
          assert.deepEqual(stored(shown), stored(expected));
        }
        const { items } = await listAppRevisions(data.registry, app.id, {});
        assert.deepEqual(items[0]?.changed, [field.path]);
        for (const revert of [{ toRevision: app.revision }, { toRevision: changed.revision }, { toApproved: true }]) {
          const reverted = await revertApp(data.registry, commandLine, { appId: app.id, revert });
          assert.deepEqual(stored(reverted), stored(revert.toRevision === changed.revision ? changed : app));
        }
      });
    }

    test('is transferred to another developer unchanged, except for its logo, which is copied', async () => {
      const app = await newApp();
      const transfer = { developerId: data.otherDeveloper.id };
      const transferred = await transferApp(data.registry, commandLine, { appId: app.id, transfer });
      assert.deepEqual({ ...stored(transferred), logoId: app.logoId }, stored(app));
      assert.ok(transferred.logoId && transferred.logoId !== app.logoId);
      assert.equal(approvedContent(transferred)?.logoId, transferred.logoId);
    });

    for (const field of appContentFields.filter((one) => defaultOf(one) !== undefined)) {
      test(`has the default of ${field.path} where a stored snapshot is older than the field`, async () => {
        const newApp = async () => data.newApp({ ...(await fullContent(data, field)), status: 'APPROVED' });
        const [approved, deleted] = [await newApp(), await newApp()];
        await deleteApp(data.registry, commandLine, { appId: deleted.id });
        await removeFromSnapshot(data, field, { table: 'apps', column: 'approved_content', id: approved.id });
        await removeFromSnapshot(data, field, { table: 'deleted_apps', column: 'row', id: deleted.id });

        assert.deepEqual(stored(await restoreApp(data.registry, commandLine, deleted.id)), stored(deleted));
        await checkRegistry(data.registry);
        const imported = await importText(data.registry, await exportText(data.registry));
        assert.equal(imported.apps.updated, 0, 'its own export changes nothing');
        const update = { name: `Renamed since ${field.path}` };
        await updateAppAsOperator(data.registry, commandLine, { appId: approved.id, update });
        assert.deepEqual((await latestEvent(data, approved.id)).changedSinceApproval, ['name']);
        assert.deepEqual(approvedContent(await show(approved.id)), approvedContent(approved));
      });
    }
  });

  describe('its row decides for each field', () => {
    let data: RegistryFixture;
    before(async () => {
      data = await RegistryFixture.open(engine);
    });
    after(() => data.close());

    for (const field of appContentFields) {
      test(`whether Get App shows ${field.path}, which every other view shows`, async () => {
        const value = await newValue(field, data);
        const app = await data.newApp({ ...only(field, value), status: 'APPROVED' } as object);
        const { app: view } = await getApp(data.registry, app.id);
        assert.equal(shows(view, value), field.isInPlatformView);
        const { registry, developer } = data;
        const updated = await updateApp(registry, commandLine, {
          appId: app.id,
          developerId: developer.id,
          update: {},
        });
        for (const shown of [updated.app, app, approvedContent(app), effectiveContent(app)]) {
          assert.ok(shows(shown, value), JSON.stringify(shown));
        }
      });

      test(`whether clearing ${field.path} takes effect while changes are held`, async () => {
        if (!isOptional(field)) return assert.equal(field.clearsImmediately, false, 'nothing clears it');
        await updateSettings(data.registry, commandLine, { update: { changesToApproved: 'hold' }, existing: 'hold' });
        const app = await data.newApp({ ...(await contentWith(field, data)), status: 'APPROVED' });
        await updateAppAsOperator(data.registry, commandLine, { appId: app.id, update: only(field, null) });
        const effective = effectiveContent(await getAppAsOperator(data.registry, app.id));
        const expected = field.clearsImmediately ? null : stored(app)[field.path];
        assert.equal(stored(effective ?? undefined)[field.path], expected);
      });

      test(`whether a review compares ${field.path} with the apps of other developers`, async () => {
        const [developerId, otherId] = [data.developer.id, data.otherDeveloper.id];
        const [value, similar] = [await likeValue(field, data, developerId), await likeValue(field, data, otherId)];
        await data.newApp({ ...only(field, value), status: 'APPROVED' } as object);
        const app = await data.newApp({ ...only(field, similar), developerId: otherId } as object);
        const { warnings } = await getAppAsOperator(data.registry, app.id);
        const codes = { name: ['name_resembles'], host: ['host_shared'], none: [] }[field.comparedAs ?? 'none'];
        assert.deepEqual(
          warnings.map((warning) => [warning.field, warning.code]),
          codes.map((code) => [field.path, code]),
        );
      });

      test(`whether a search finds an app by ${field.path}`, async () => {
        const word = `sought${field.column.replaceAll('_', '')}`;
        const value = {
          url: `https://${word}.example/`,
          name: word,
          line: word,
          lines: word,
          logo: null,
          colour: null,
        }[field.kind];
        if (value === null) return assert.equal(field.searchedAs, null, 'no text is part of it');
        const { id } = await data.newApp(only(field, value) as object);
        const find = async () => (await search(data.registry, { query: { q: word }, isAdmin: false })).items;
        const hits = {
          name: [{ type: 'app', id, name: value, reviewStatus: 'DRAFT', developerId: data.developer.id }],
          host: [{ type: 'host', host: `${word}.example` }],
          none: [],
        };
        assert.deepEqual(await find(), hits[field.searchedAs ?? 'none']);
        // Only an update of a searched column updates the index.
        const other = `${field.kind === 'url' ? 'https://' : ''}other${word}.example`;
        await updateAppAsOperator(data.registry, commandLine, { appId: id, update: only(field, other) });
        assert.equal((await find()).length, field.searchedAs === null ? 0 : 1);
        assert.notDeepEqual(await find(), field.searchedAs === null ? null : hits[field.searchedAs]);
      });
    }
  });
});

/** What an app stores of its content, by paths; null where a field has no value. */
function stored(shown: Pick<AppRevision, 'name' | 'logoId' | 'listingInfo' | 'oauthInfo'> | undefined): Content {
  assert.ok(shown);
  const { name, logoId, listingInfo, oauthInfo } = shown;
  const content = { name, logoId, listingInfo, oauthInfo };
  return Object.fromEntries(appContentFields.map((field) => [field.path, contentValue(content, field) ?? null]));
}

/** Whether a view has a text, also within another one: views have the URL of a logo. */
function shows(view: unknown, text: string): boolean {
  return JSON.stringify(view).includes(JSON.stringify(text).slice(1, -1));
}

async function contentOf(registry: Registry, appId: string): Promise<Content> {
  return stored(await getAppAsOperator(registry, appId));
}

function only(field: AppContentField, value: string | null): PartialContent {
  return contentUnderPaths<null>(({ path }) => (path === field.path ? value : undefined));
}

const examples = new Map<string, Type.TSchema & { examples?: readonly unknown[] }>(Object.entries(appFields));
let names = 0;

/** A valid value that no new app has by itself: the example of the schema, a logo of the developer, a new name. */
async function newValue({ schema }: AppContentField, data: RegistryFixture): Promise<string> {
  const [example] = examples.get(schema)?.examples ?? [];
  if (schema === 'Name') return `${example} ${++names}`;
  if (schema !== 'LogoId') return String(example);
  return (await data.newLogo()).id;
}

/** A value that resembles another one of the same field. */
async function likeValue({ kind, path }: AppContentField, data: RegistryFixture, developerId: string): Promise<string> {
  const isFirst = developerId === data.developer.id;
  if (kind === 'logo') return (await data.newLogo(developerId)).id;
  if (kind === 'name') return isFirst ? 'Resembled' : 'Resemb1ed';
  if (kind === 'url') return `https://${path.split('.').at(-1)?.toLowerCase()}.example/${isFirst ? 'one' : 'other'}`;
  return kind === 'colour' ? '#abcdef' : 'Resembled';
}

async function contentWith(field: AppContentField, data: RegistryFixture): Promise<PartialContent<never>> {
  const value = await newValue(field, data);
  return contentUnderPaths<never>(({ path }) => (path === field.path ? value : undefined));
}

async function fullContent(data: RegistryFixture, without?: AppContentField): Promise<PartialContent<never>> {
  const values = new Map<string, string>();
  for (const field of appContentFields) if (field !== without) values.set(field.path, await newValue(field, data));
  return contentUnderPaths<never>(({ path }) => values.get(path));
}

/** Makes a stored snapshot one from before the field was added. */
async function removeFromSnapshot(
  { registry }: RegistryFixture,
  field: AppContentField,
  { table, column, id }: { table: string; column: string; id: string },
): Promise<void> {
  await registry.storage.write(async (transaction) => {
    const [row] = await execute<{ text: string }>(
      transaction,
      `select "${column}" as text from ${table} where id = '${id}'`,
    );
    const { [field.column]: removed, ...rest } = JSON.parse(row?.text ?? '');
    assert.notEqual(removed, undefined);
    await execute(
      transaction,
      `update ${table} set "${column}" = '${JSON.stringify(rest).replaceAll("'", "''")}' where id = '${id}'`,
    );
  });
}

async function latestEvent(data: RegistryFixture, appId: string) {
  const events = await data.eventsOf(appId);
  const { before, after, details } = events.at(-1) ?? {};
  const { revisionNonce: _, ...changed } = JSON.parse(after ?? '{}');
  return { before: JSON.parse(before ?? '{}'), after: changed, ...JSON.parse(details ?? '{}') };
}

function pointerOf({ path }: AppContentField): string {
  return `/${path.replace('.', '/')}`;
}

function errorsIn(response: { errors?: Pick<OperatorValidationError, 'pointer' | 'code'>[] }): string[] {
  return (response.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`);
}

async function errorsOf(importing: Promise<unknown>): Promise<string[]> {
  const error = await importing.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Failure, 'the import is refused');
  return errorsIn({ errors: error.errors ?? [] });
}
