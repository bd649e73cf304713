import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getAppAsOperator, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import {
  assertRefused,
  eventsDuring,
  everything,
  validationErrorsOf,
  withoutNonce,
} from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import type { OperatorApp } from './app-schemas.ts';
import { updateApp } from './update-app.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  const update = ({ id }: Pick<OperatorApp, 'id'>, change: unknown, ifRevision?: number) =>
    updateAppAsOperator(fixture.registry, commandLine, {
      appId: id,
      update: change,
      ifRevision: ifRevision === undefined ? undefined : [ifRevision],
    });

  test('an operator changes any field of any developer’s app, with one event', async () => {
    const app = await fixture.newApp({ developerId: fixture.otherDeveloper.id });
    const change = {
      name: 'Renamed',
      listingInfo: { shortDescription: 'Short.', longDescription: 'Long.', backgroundColor: '#123' },
      oauthInfo: { loginUrl: 'https://a.example/login', callbackUrl: 'https://a.example/back' },
    };
    let updated: OperatorApp | undefined;
    const [event, ...others] = await eventsDuring(fixture.registry, async () => {
      updated = await update(app, change);
    });
    assert.deepEqual([event?.type, event?.actor, others], ['app.updated', 'command-line:demo', []]);
    assert.deepEqual(withoutNonce(event?.after), { ...change, revision: 2 });
    const { updatedAt, etag } = updated ?? app;
    assert.notEqual(etag, app.etag);
    assert.deepEqual(updated, { ...app, ...change, revision: 2, updatedAt, etag });
    assert.deepEqual(await getAppAsOperator(fixture.registry, app.id), {
      ...updated,
      warnings: [],
      reviewSteps: ['submit'],
    });
    assert.equal(
      (await update(app, { listingInfo: { longDescription: null } })).listingInfo.longDescription,
      undefined,
    );
  });

  test('an update without fields, or with the current values, changes nothing', async () => {
    const app = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    const stored = await everything(fixture.registry.storage);
    for (const change of [{}, { listingInfo: {} }, { name: app.name }])
      assert.deepEqual(await update(app, change), app);
    assert.deepEqual(await everything(fixture.registry.storage), stored);
  });

  test('the rules of Update App apply', async () => {
    const [draft, other] = [await fixture.newApp(), await fixture.newApp()];
    const submitted = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    const refused = (work: () => Promise<unknown>, code: Parameters<typeof assertRefused>[2]) =>
      assertRefused(fixture.registry, work, code);
    await refused(() => update(draft, { name: other.name.toUpperCase() }), 'name_taken');
    await refused(() => update(submitted, { name: 'Another' }), 'app_under_review');
    await refused(() => update(draft, { name: 'Another' }, 2), 'precondition_failed');
    await refused(() => update({ id: newId('app') }, { name: 'Another' }), 'app_not_found');
    const errors = validationErrorsOf(
      await refused(() => update(draft, { name: null, reviewStatus: 'APPROVED' }), 'invalid_content'),
    );
    assert.deepEqual(errors.toSorted(), ['/name null_not_allowed', '/reviewStatus read_only_field']);
    const logo = await refused(() => update(draft, { logoId: newId('logo') }), 'invalid_content');
    assert.deepEqual(validationErrorsOf(logo), ['/logoId unusable_logo']);
  });

  test('concurrent changes by the operator and the developer both take effect', async () => {
    const app = await fixture.newApp();
    await Promise.all([
      update(app, { listingInfo: { shortDescription: 'By the operator.' } }),
      updateApp(fixture.registry, commandLine, {
        appId: app.id,
        developerId: app.developerId,
        update: { listingInfo: { longDescription: 'By the developer.' } },
      }),
    ]);
    const { listingInfo, revision } = await getAppAsOperator(fixture.registry, app.id);
    assert.deepEqual(
      [listingInfo.shortDescription, listingInfo.longDescription],
      ['By the operator.', 'By the developer.'],
    );
    assert.equal(revision, 3);
  });
});
