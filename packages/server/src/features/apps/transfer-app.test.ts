import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getAppAsOperator, transferApp, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { updateDeveloper } from '@appregistrar/testkit/calls/developers';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import {
  assertRefused,
  contentOf,
  eventsDuring,
  everything,
  rowsOf,
  validationErrorsOf,
  withoutNonce,
} from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import type { OperatorApp } from './app-schemas.ts';
import { getApp } from './get-app.ts';
import { updateApp } from './update-app.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let from: string;
  let to: string;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
    from = fixture.developer.id;
    to = fixture.otherDeveloper.id;
  });
  after(() => fixture.close());

  const transfer = ({ id }: Pick<OperatorApp, 'id'>, developerId = to) =>
    transferApp(fixture.registry, commandLine, { appId: id, transfer: { developerId } });
  const newLogo = async () => (await fixture.newLogo()).id;
  const updateAs = (developerId: string, { id }: OperatorApp, update: unknown) =>
    updateApp(fixture.registry, commandLine, { appId: id, developerId, update });

  test('the app belongs to the new developer, who can update it, and is otherwise unchanged', async () => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    const installation = await fixture.install(app);
    const given = await transfer(app);
    const { etag } = given;
    const made = { revision: app.revision + 1, etag };
    assert.deepEqual(given, { ...app, ...made, developerId: to, installationCount: 1 });
    assert.notEqual(etag, app.etag);
    assert.deepEqual(await getAppAsOperator(fixture.registry, app.id), {
      ...given,
      warnings: [],
      reviewSteps: ['approve', 'revoke'],
    });
    const { developer, installations } = (await getApp(fixture.registry, app.id)).app;
    const { id: userId, email } = fixture.otherDeveloper;
    assert.deepEqual([developer, installations], [{ userId, email }, [contentOf(installation)]]);
    await assertRefused(fixture.registry, () => updateAs(from, app, { name: 'Mine' }), 'app_not_found');
    assert.equal((await updateAs(to, app, { name: 'Theirs' })).app.name, 'Theirs');
  });

  test('one event names the old and the new developer', async () => {
    const app = await fixture.newApp();
    const [event, ...others] = await eventsDuring(fixture.registry, () => transfer(app));
    assert.deepEqual(others, []);
    assert.deepEqual([event?.type, event?.app_id, event?.subject_id], ['app.transferred', app.id, app.id]);
    assert.deepEqual(withoutNonce(event?.before ?? null), { developerId: from, logoId: null, revision: 1 });
    assert.deepEqual(withoutNonce(event?.after ?? null), { developerId: to, logoId: null, revision: 2 });
  });

  test('the new developer gets a copy of the logo, and other apps keep the original', async () => {
    const logoId = await newLogo();
    const [app, other] = [await fixture.newApp({ logoId }), await fixture.newApp({ logoId })];
    const events = await eventsDuring(fixture.registry, () => transfer(app));
    const given = await getAppAsOperator(fixture.registry, app.id);
    assert.notEqual(given.logoId, logoId);
    assert.equal(given.revision, app.revision + 1);
    assert.ok(given.updatedAt >= app.updatedAt);
    assert.deepEqual(await getAppAsOperator(fixture.registry, other.id), {
      ...other,
      warnings: [],
      reviewSteps: ['submit'],
    });
    const logos = new Map((await rowsOf(fixture.registry.storage, 'logos')).map((row) => [row.id, row]));
    const copy = logos.get(given.logoId ?? '');
    assert.equal(copy?.developer_id, to);
    assert.deepEqual(copy?.png, logos.get(logoId)?.png);
    assert.equal(logos.get(logoId)?.developer_id, from);
    assert.deepEqual(
      events.map(({ type, subject_id, after: data }) => [type, subject_id, withoutNonce(data)]),
      [
        ['logo.created', given.logoId, { developerId: to, copyOf: logoId }],
        ['app.transferred', app.id, { developerId: to, logoId: given.logoId, revision: app.revision + 1 }],
      ],
    );
    const back = await assertRefused(fixture.registry, () => updateAs(to, app, { logoId }), 'invalid_content');
    assert.deepEqual(validationErrorsOf(back), ['/logoId unusable_logo']);
  });

  test('an app without changes since its approval stays so, with the copy of its logo', async () => {
    const app = await fixture.newApp({ status: 'APPROVED', logoId: await newLogo() });
    const given = await transfer(app);
    assert.equal(given.changedSinceApproval, false);
    assert.equal(given.approved, undefined);
  });

  test('an app changed since its approval stays so, with both logos copied', async () => {
    const app = await fixture.newApp({ status: 'APPROVED', logoId: await newLogo() });
    const update = { logoId: await newLogo() };
    await updateAppAsOperator(fixture.registry, commandLine, { appId: app.id, update });
    const given = await transfer(app);
    assert.deepEqual([given.changedSinceApproval, given.approved?.revision, given.revision], [true, 3, 4]);
    const owners = new Map((await rowsOf(fixture.registry.storage, 'logos')).map((row) => [row.id, row.developer_id]));
    assert.deepEqual(
      [given.logoId, given.approved?.logoId].map((id) => owners.get(id ?? '')),
      [to, to],
    );
    assert.notEqual(given.logoId, given.approved?.logoId);
  });

  test('a transfer to the current developer changes nothing', async () => {
    const app = await fixture.newApp({ logoId: await newLogo() });
    const stored = await everything(fixture.registry.storage);
    assert.deepEqual(await transfer(app, from), app);
    assert.deepEqual(await everything(fixture.registry.storage), stored);
  });

  test('a missing app or developer is refused with the code of its kind', async () => {
    const app = await fixture.newApp();
    await assertRefused(fixture.registry, () => transfer(app, newId('user')), 'developer_not_found');
    await assertRefused(fixture.registry, () => transfer({ id: newId('app') }), 'app_not_found');
    const failure = await assertRefused(fixture.registry, () => transfer(app, 'ada'), 'invalid_content');
    assert.deepEqual(validationErrorsOf(failure), ['/developerId invalid_format']);
  });

  test('under concurrent changes, each revision has one view', async () => {
    const app = await fixture.newApp();
    const shown = new Map<string, string>();
    const changes = Promise.allSettled(
      Array.from({ length: 10 }, (_, round) => [
        transfer(app, round % 2 === 0 ? to : from),
        updateDeveloper(fixture.registry, commandLine, { userId: to, update: { email: `to.${round}@example.com` } }),
        updateDeveloper(fixture.registry, commandLine, {
          userId: from,
          update: { email: `from.${round}@example.com` },
        }),
        updateAs(from, app, { listingInfo: { shortDescription: `round ${round}` } }),
      ]).flat(),
    );
    let isDone = false;
    const done = changes.then(() => {
      isDone = true;
    });
    while (!isDone) {
      const read = await getApp(fixture.registry, app.id);
      const text = JSON.stringify(read.app);
      assert.equal(shown.get(read.revision) ?? text, text, `revision ${read.revision}`);
      shown.set(read.revision, text);
      await new Promise(setImmediate);
    }
    await done;
    for (const outcome of await changes) {
      if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof Failure, String(outcome.reason));
    }
    const last = await getApp(fixture.registry, app.id);
    assert.equal(shown.get(last.revision) ?? JSON.stringify(last.app), JSON.stringify(last.app));
  });
});
