import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { rowsOf, withoutNonce } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import type { AppUpdate, OperatorApp } from '../../packages/server/src/features/apps/app-schemas.ts';
import { updateApp as updateByRegistry } from '../../packages/server/src/features/apps/update-app.ts';
import { commandLine } from '../../packages/server/src/kernel/registry.ts';
import { connect } from './connect.ts';
import { updateApp } from './update-app.ts';

const oauthInfo = { loginUrl: 'https://example.com/login', callbackUrl: 'https://example.com/callback' };
const updates: AppUpdate[] = [
  { listingInfo: { shortDescription: 'As of release 1.' } },
  { listingInfo: { shortDescription: 'As of release 2.', backgroundColor: '#000' }, oauthInfo: { loginUrl: null } },
  { oauthInfo: { loginUrl: oauthInfo.loginUrl } },
  {},
];

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let db: ReturnType<typeof connect>;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
    db = connect(fixture.databaseUrl);
  });
  after(async () => {
    await db.destroy();
    await fixture.close();
  });

  for (const status of ['DRAFT', 'APPROVED'] as const) {
    test(`updates of an app that is ${status} store what the registry stores`, async () => {
      const [ours, byHand] = [await fixture.newApp({ status, oauthInfo }), await fixture.newApp({ status, oauthInfo })];
      const { developerId } = ours;
      for (const update of updates) {
        await updateByRegistry(fixture.registry, commandLine, { appId: ours.id, developerId, update });
        await updateByHand(byHand, update);
      }
      assert.deepEqual(await stored(byHand), await stored(ours));
    });
  }

  function updateByHand({ id, developerId }: OperatorApp, update: AppUpdate) {
    const context = { id, developerId, locks: engine.name === 'postgres', ifMatch: undefined };
    return updateApp(db, update, { ...context, actor: commandLine.actor, requestId: '' });
  }

  /** The row and the events of an app, without the id, the name, the nonces and the times, which no two apps share. */
  async function stored({ id: appId, name }: OperatorApp): Promise<object> {
    const { storage } = fixture.registry;
    const row = (await rowsOf(storage, 'apps')).find(({ id }) => id === appId);
    const events = (await fixture.eventsOf(appId)).map(({ type, before, after, details }) => {
      return [type, ...[before, after, details].map((text) => text && withoutNonce(JSON.parse(text)))];
    });
    const marks = (await rowsOf(storage, 'pending_projections')).filter(({ subject_id: id }) => id === appId);
    const text = JSON.stringify({ row, marks, events }, (field, value) =>
      field.endsWith('_nonce') ? Boolean(value) : value,
    );
    return JSON.parse(
      text
        .replaceAll(appId, 'ID')
        .replaceAll(new RegExp(name, 'gi'), 'NAME')
        .replace(/\b\d{13}\b/g, '1'),
    );
  }
});
