import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createLogo } from '@appregistrar/testkit/calls/logos';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { withoutNonce } from '@appregistrar/testkit/registry/recorded';
import fc from 'fast-check';
import sharp from 'sharp';
import { anyText } from '../../../test/any-text.ts';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { type AppUpdate, AppUpdate as AppUpdateSchema } from '../../features/apps/app-schemas.ts';
import { check } from '../../kernel/check.ts';
import { commandLine } from '../../kernel/registry.ts';

const complete = {
  listingInfo: { backgroundColor: '#0b5fff', shortDescription: 'Short.', longDescription: 'Long.\nLonger.' },
  oauthInfo: { loginUrl: 'https://a.example/login', callbackUrl: 'https://a.example/callback' },
};

onSqlite((engine) => {
  let http: HttpFixture;
  let clock: number | undefined;
  before(async () => {
    http = await HttpFixture.open(engine, { now: () => clock ?? Date.now() });
  });
  after(() => http.close());

  describe('the response', () => {
    test('is the complete developer view', async () => {
      const app = await http.data.newApp({ name: 'Invoice Sync', ...complete });
      await http.data.install(app);
      const { view } = await http.updateApp(app.id, { listingInfo: { backgroundColor: '#fff' } });
      assert.deepEqual(view, {
        id: app.id,
        name: 'Invoice Sync',
        createdAt: app.createdAt,
        updatedAt: view.updatedAt,
        reviewStatus: 'DRAFT',
        installationCount: 1,
        listingInfo: { ...complete.listingInfo, backgroundColor: '#fff' },
        oauthInfo: complete.oauthInfo,
      });
    });

    test('omits fields without a value, and never contains null', async () => {
      const app = await http.data.newApp();
      const { view, text } = await http.updateApp(app.id, {});
      assert.deepEqual(view.listingInfo, { backgroundColor: '#ffffff' });
      assert.deepEqual(view.oauthInfo, {});
      assert.doesNotMatch(text, /null|logoUrl/);
    });

    test('forbids caching and has an ETag', async () => {
      const app = await http.data.newApp();
      const { headers } = await http.updateApp(app.id, {});
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['content-type'], 'application/json');
      assert.match(headers.etag ?? '', /^"[^"]+"$/);
    });
  });

  describe('an update', () => {
    test('changes only the given fields', async () => {
      const app = await http.data.newApp(complete);
      const { view } = await http.updateApp(app.id, {
        listingInfo: { shortDescription: 'Another.' },
        oauthInfo: { callbackUrl: null },
      });
      assert.equal(view.name, app.name);
      assert.deepEqual(view.listingInfo, { ...complete.listingInfo, shortDescription: 'Another.' });
      assert.deepEqual(view.oauthInfo, { loginUrl: complete.oauthInfo.loginUrl });
    });

    test('clears every optional field with null', async () => {
      const app = await http.data.newApp(complete);
      const { view } = await http.updateApp(app.id, {
        logoId: null,
        listingInfo: { shortDescription: null, longDescription: null },
        oauthInfo: { loginUrl: null, callbackUrl: null },
      });
      assert.deepEqual(view.listingInfo, { backgroundColor: '#0b5fff' });
      assert.deepEqual(view.oauthInfo, {});
    });

    test('is visible to the platform as soon as it succeeds, and leaves an app APPROVED', async () => {
      const app = await http.data.newApp({ status: 'APPROVED' });
      const { view } = await http.updateApp(app.id, { name: 'Renamed while approved' });
      const platform = await http.getApp(app.id);
      assert.equal(view.reviewStatus, 'APPROVED');
      assert.equal(platform.view.name, 'Renamed while approved');
      assert.equal(platform.view.updatedAt, view.updatedAt);
    });

    test('changes updatedAt and the ETag, and appends one event with the actor and the changed values', async () => {
      const app = await http.data.newApp(complete);
      const before = await http.updateApp(app.id, {});
      clock = Date.parse(before.view.updatedAt) + 5_000;
      const after = await http.updateApp(app.id, {
        name: app.name,
        listingInfo: { shortDescription: null, backgroundColor: '#000' },
      });
      clock = undefined;

      assert.equal(Date.parse(after.view.updatedAt) - Date.parse(before.view.updatedAt), 5_000);
      assert.notEqual(after.etag, before.etag);
      const [created, updated, ...rest] = await http.data.eventsOf(app.id);
      assert.deepEqual([created?.type, updated?.type, rest], ['app.created', 'app.updated', []]);
      assert.equal(updated?.request_id, after.headers['x-request-id']);
      assert.match(updated?.actor ?? '', /^token_/);
      assert.deepEqual(JSON.parse(updated?.before ?? ''), {
        listingInfo: { shortDescription: 'Short.', backgroundColor: '#0b5fff' },
      });
      assert.deepEqual(withoutNonce(JSON.parse(updated?.after ?? '')), {
        listingInfo: { shortDescription: null, backgroundColor: '#000' },
        revision: 2,
      });
    });

    test('never moves updatedAt backwards, even if the clock goes back', async () => {
      const app = await http.data.newApp();
      clock = Date.parse(app.updatedAt) - 60_000;
      const { view } = await http.updateApp(app.id, { listingInfo: { backgroundColor: '#000' } });
      clock = undefined;
      assert.equal(view.updatedAt, app.updatedAt);
    });

    test('has the same effect as application/merge-patch+json', async () => {
      const app = await http.data.newApp(complete);
      const { view } = await http.updateApp(
        app.id,
        { oauthInfo: { loginUrl: null } },
        { 'content-type': 'application/merge-patch+json' },
      );
      assert.deepEqual(view.oauthInfo, { callbackUrl: complete.oauthInfo.callbackUrl });
    });

    test('accepts a percent-encoded id', async () => {
      const app = await http.data.newApp();
      assert.equal((await http.updateApp(`%61${app.id.slice(1)}`, {})).view.id, app.id);
    });
  });

  describe('an update that changes nothing', () => {
    const empty: AppUpdate[] = [{}, { listingInfo: {} }, { oauthInfo: {} }, { listingInfo: {}, oauthInfo: {} }];
    const sameValues: AppUpdate[] = [
      { listingInfo: complete.listingInfo },
      { oauthInfo: complete.oauthInfo },
      { logoId: null, ...complete },
    ];
    for (const update of [...empty, ...sameValues]) {
      test(`returns 200 and writes nothing: ${JSON.stringify(update)}`, async () => {
        const app = await http.data.newApp(complete);
        const before = await http.stateOf(app.id);
        clock = Date.now() + 60_000;
        const { view } = await http.updateApp(app.id, update);
        clock = undefined;
        assert.equal(view.updatedAt, app.updatedAt);
        assert.deepEqual(await http.stateOf(app.id), before);
      });
    }
  });

  test('a logo has a URL that serves it, until null removes it', async () => {
    const image = await sharp({ create: { width: 2, height: 2, channels: 3, background: '#0b5fff' } })
      .png()
      .toBuffer();
    const { developer, registry } = http.data;
    const logo = await createLogo(registry, commandLine, { developerId: developer.userId, image });
    const app = await http.data.newApp();

    const { view } = await http.updateApp(app.id, { logoId: logo.id });
    assert.equal(view.logoUrl, `https://apps.example.com/logos/${logo.id}`);
    assert.equal((await http.getApp(app.id)).view.logoUrl, view.logoUrl);
    const picture = await http.send({ method: 'GET', path: `/logos/${logo.id}` });
    assert.equal(picture.status, 200);
    assert.equal(picture.headers['content-type'], 'image/png');
    assert.equal(picture.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(picture.headers['x-content-type-options'], 'nosniff');

    const without = await http.updateApp(app.id, { logoId: null });
    assert.equal('logoUrl' in without.view, false);
  });

  test('every accepted text is returned unchanged in both views', async () => {
    const app = await http.data.newApp();
    const text = anyText({ minLength: 1, maxLength: 40 });
    const update = fc
      .record({ name: text, shortDescription: text, longDescription: text })
      .map(({ name, ...listingInfo }) => ({ name, listingInfo }))
      .filter((update) => check(AppUpdateSchema, update) === null);
    await fc.assert(
      fc.asyncProperty(update, async (update) => {
        const { view } = await http.updateApp(app.id, update);
        assert.equal(view.name, update.name);
        assert.equal(view.listingInfo.shortDescription, update.listingInfo.shortDescription);
        assert.equal(view.listingInfo.longDescription, update.listingInfo.longDescription);
        assert.equal((await http.getApp(app.id)).view.name, update.name);
      }),
      {
        numRuns: 50,
        examples: [[{ name: 'e\u0301', listingInfo: { shortDescription: ' é ', longDescription: '\r\n\t' } }]],
      },
    );
  });
});
