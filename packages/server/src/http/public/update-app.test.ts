import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { suspendDeveloper, unsuspendDeveloper } from '@appregistrar/testkit/calls/suspension';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { withoutNonce } from '@appregistrar/testkit/registry/recorded';
import fc from 'fast-check';
import { anyText } from '../../../test/any-text.ts';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { findApp, replaceApp } from '../../features/apps/app-queries.ts';
import { AppUpdate } from '../../features/apps/app-schemas.ts';
import { openRegistry } from '../../features/settings/settings.ts';
import { check } from '../../kernel/check.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine, type Registry } from '../../kernel/registry.ts';
import { openStorage } from '../../storage/open-storage.ts';

// The conformance kit holds what any client can observe; see conformance.test.ts. Here is the rest.

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

  test('the response is the complete developer view', async () => {
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

  test('an update advances updatedAt, appends one event with the actor and the changed values, and leaves an app APPROVED', async () => {
    const app = await http.data.newApp({ ...complete, status: 'APPROVED' });
    clock = Date.parse(app.updatedAt) + 5_000;
    const { view, headers } = await http.updateApp(app.id, {
      name: app.name,
      listingInfo: { shortDescription: null, backgroundColor: '#000' },
    });
    clock = undefined;
    assert.equal(Date.parse(view.updatedAt) - Date.parse(app.updatedAt), 5_000);
    assert.deepEqual([view.reviewStatus, (await http.getApp(app.id)).view.updatedAt], ['APPROVED', view.updatedAt]);
    const [updated, ...rest] = (await http.data.eventsOf(app.id)).filter(({ type }) => type === 'app.updated');
    assert.deepEqual(rest, []);
    assert.equal(updated?.request_id, headers['x-request-id']);
    assert.match(updated?.actor ?? '', /^token_/);
    assert.deepEqual(JSON.parse(updated?.before ?? ''), {
      listingInfo: { shortDescription: 'Short.', backgroundColor: '#0b5fff' },
    });
    assert.deepEqual(withoutNonce(JSON.parse(updated?.after ?? '')), {
      listingInfo: { shortDescription: null, backgroundColor: '#000' },
      revision: 2,
    });
  });

  test('an update never moves updatedAt backwards, even if the clock goes back', async () => {
    const app = await http.data.newApp();
    clock = Date.parse(app.updatedAt) - 60_000;
    const { view } = await http.updateApp(app.id, { listingInfo: { backgroundColor: '#000' } });
    clock = undefined;
    assert.equal(view.updatedAt, app.updatedAt);
  });

  test('an update that changes nothing writes nothing', async () => {
    const app = await http.data.newApp(complete);
    const before = await http.stateOf(app.id);
    clock = Date.now() + 60_000;
    for (const update of [{}, { listingInfo: {} }, { logoId: null, name: app.name, ...complete }]) {
      assert.equal((await http.updateApp(app.id, update)).status, 200);
    }
    clock = undefined;
    assert.deepEqual(await http.stateOf(app.id), before);
  });

  test('every accepted text is returned unchanged in both views', async () => {
    const app = await http.data.newApp();
    const anyValue = anyText({ minLength: 1, maxLength: 40 });
    const update = fc
      .record({ name: anyValue, shortDescription: anyValue, longDescription: anyValue })
      .map(({ name, ...listingInfo }) => ({ name, listingInfo }))
      .filter((update) => check(AppUpdate, update) === null);
    await fc.assert(
      fc.asyncProperty(update, async ({ name, listingInfo }) => {
        const { view } = await http.updateApp(app.id, { name, listingInfo });
        assert.deepEqual([view.name, view.listingInfo], [name, { ...listingInfo, backgroundColor: '#ffffff' }]);
        assert.equal((await http.getApp(app.id)).view.name, name);
      }),
      { numRuns: 50 },
    );
  });

  test('a logo of another developer is unusable', async () => {
    const app = await http.data.newApp();
    const logo = await http.data.newLogo(http.data.otherDeveloper.id);
    assert.deepEqual((await http.updateApp(app.id, { logoId: logo.id })).validationErrors, ['/logoId unusable_logo']);
  });

  test('the 404 is the same for every id, and for an app of another developer, even if more is wrong', async () => {
    const app = await http.data.newApp();
    const before = await http.stateOf(app.id);
    const other = bearer(http.tokens.otherDeveloper);
    const responses = [
      await http.getApp('x'.repeat(8000)),
      await http.getApp(`${app.id}%0A`, { 'if-none-match': '*' }),
      await http.updateApp("'%20or%201=1", { name: 'Renamed' }),
      await http.updateApp(app.id, { name: 'Mine now' }, other),
      await http.updateApp(app.id, { logoId: newId('logo') }, other),
      await http.updateApp(app.id, {}, { ...other, 'if-match': '"0"' }),
    ];
    const bodies = responses.map(({ text, headers }) => text.replaceAll(headers['x-request-id'] ?? '', 'REQUEST'));
    assert.deepEqual(
      [...new Set(bodies)].map((body) => JSON.parse(body)),
      [
        {
          type: 'https://apps.example.com/docs#app_not_found',
          title: 'Not Found Error',
          status: 404,
          detail: 'No app with this id was found. Check the id.',
          instance: 'urn:uuid:REQUEST',
          code: 'app_not_found',
          requestId: 'REQUEST',
        },
      ],
    );
    assert.deepEqual(await http.stateOf(app.id), before);
  });

  test('an app that awaits review accepts an update that changes nothing, and any once a step has ended the wait', async () => {
    for (const step of ['approve', 'reject', 'withdraw'] as const) {
      const app = await http.data.newApp({ status: 'AWAITING_REVIEW' });
      const same = { name: app.name, logoId: null, listingInfo: app.listingInfo, oauthInfo: { loginUrl: null } };
      assert.equal((await http.updateApp(app.id, same)).view.reviewStatus, 'AWAITING_REVIEW');
      await http.data.review(app.id, step);
      assert.equal((await http.updateApp(app.id, { name: `After ${step}` })).status, 200);
    }
  });

  describe('the ETag', () => {
    test('covers what the developer edits: installations and reviews do not change it', async () => {
      const app = await http.data.newApp();
      const { etag } = await http.updateApp(app.id, {});
      await http.data.install(app);
      await http.data.review(app.id, 'submit');
      await http.data.review(app.id, 'approve');
      assert.equal((await http.updateApp(app.id, { name: 'Reviewed since' }, { 'if-match': etag })).status, 200);
    });

    test('matches no other content that reaches the same revision after changes were lost', async () => {
      const { storage } = http.data.registry;
      const app = await http.data.newApp();
      const row = (await findApp(storage.reader, { id: app.id })) ?? assert.fail();
      const lost = await http.updateApp(app.id, { name: `${app.name} lost` });
      await storage.write((transaction) => replaceApp(transaction, row));
      const stored = await http.updateApp(app.id, { name: `${app.name} stored` });
      assert.equal(Number.parseInt(lost.etag.slice(1), 10), Number.parseInt(stored.etag.slice(1), 10));
      const refused = await http.updateApp(app.id, { name: 'Never' }, { 'if-match': lost.etag });
      assert.deepEqual([refused.refusal, refused.etag], ['412 precondition_failed', stored.etag]);
      assert.equal((await http.updateApp(app.id, {}, { 'if-none-match': lost.etag })).status, 200);
    });

    test('is compared as a whole, and both preconditions hold together, also for an update that changes nothing', async () => {
      const app = await http.data.newApp();
      const { etag } = await http.updateApp(app.id, {});
      const before = await http.stateOf(app.id);
      for (const [headers, status] of [
        [{ 'if-match': etag.replace(/\..*/, '"') }, 412],
        [{ 'if-match': etag.replace('"', '"0') }, 412],
        [{ 'if-match': '""' }, 412],
        [{ 'if-match': etag, 'if-none-match': '"other"' }, 200],
        [{ 'if-match': etag, 'if-none-match': etag }, 412],
        [{ 'if-match': '"other"', 'if-none-match': '"other"' }, 412],
      ] as const) {
        for (const update of [{}, { name: app.name }]) {
          const response = await http.updateApp(app.id, update, headers);
          assert.deepEqual([response.status, response.etag], [status, etag], JSON.stringify(headers));
        }
      }
      assert.deepEqual(await http.stateOf(app.id), before);
    });
  });

  describe('a body', () => {
    test('is refused where two programs could read its names differently', async () => {
      const app = await http.data.newApp();
      const before = await http.stateOf(app.id);
      for (const body of ['{"":1,"":2}', '{"a\\"":1,"a\\u0022":2}', '{"unknown":[[{"__proto__":1}]]}', '\u00a0{}']) {
        assert.equal((await http.updateApp(app.id, body)).refusal, '400 invalid_json', body);
      }
      assert.deepEqual(await http.stateOf(app.id), before);
    });

    test('may have one name in several objects, and strings that only look like fields', async () => {
      const { id } = await http.data.newApp();
      const body = '{"listingInfo":{"shortDescription":"\\"a\\":1,\\"a\\":2, __proto__: {"},"oauthInfo":{}}';
      assert.equal((await http.updateApp(id, body)).status, 200);
      const inList = await http.updateApp(id, '{"unknown":[{"a":1},{"a":2}]}');
      assert.deepEqual(inList.validationErrors, ['/unknown unknown_field']);
    });

    test('is missing with a media type and without', async () => {
      const { id } = await http.data.newApp();
      const { authorization } = bearer(http.tokens.developer);
      for (const headers of [{ authorization }, { authorization, 'content-type': 'application/json' }]) {
        const response = await http.send({ method: 'PATCH', path: `/developer/apps/v1/${id}`, headers });
        assert.equal(response.refusal, '400 invalid_json');
      }
    });

    test('with a Content-Encoding is refused with the coding to use', async () => {
      const { id } = await http.data.newApp();
      const { refusal, headers } = await http.updateApp(id, {}, { 'content-encoding': 'GZIP' });
      assert.deepEqual([refusal, headers['accept-encoding']], ['415 unsupported_media_type', 'identity']);
      assert.equal((await http.updateApp(id, {}, { 'content-type': '' })).refusal, '415 unsupported_media_type');
    });

    test('that is too large is refused before it is sent, or once its chunks exceed the limit', async () => {
      const { id } = await http.data.newApp();
      const head = (framing: string) =>
        [
          `PATCH /developer/apps/v1/${id} HTTP/1.1`,
          'Host: localhost',
          `Authorization: Bearer ${http.tokens.developer}`,
          'Content-Type: application/json',
          framing,
          '\r\n',
        ].join('\r\n');
      const chunks = `4000\r\n${' '.repeat(0x4000)}\r\n`.repeat(4);
      for (const request of [
        head('Content-Length: 65537'),
        `${head('Transfer-Encoding: chunked')}${chunks}1\r\n \r\n`,
      ]) {
        const [response] = await http.exchange(request);
        assert.equal(response?.refusal, '413 body_too_large');
      }
      // A client that keeps sending receives the response too.
      const socket = connect(await http.port(), '127.0.0.1').setEncoding('latin1');
      socket.write(head('Content-Length: 100000000'));
      const received = text(socket);
      for (let sent = 0; sent < 100 && socket.writable; sent += 1) {
        if (!socket.write('x'.repeat(1_000_000))) await Promise.race([once(socket, 'drain'), received]);
      }
      assert.match(await received, /^HTTP\/1\.1 413 Content Too Large\r\n/);
    });
  });
});

onSqlite((engine) => {
  const reason = 'The apps send customer data elsewhere.';
  let http: HttpFixture;
  let appId: string;
  /** Another process. */
  let elsewhere: Registry;
  before(async () => {
    http = await HttpFixture.open(engine, { updatesPerMinute: 100 });
    appId = (await http.data.newApp({ status: 'APPROVED' })).id;
    const storage = await openStorage(http.data.databaseUrl, { create: false });
    const { now, machine, storage: _, epoch: __, secrets: ___, ...settings } = http.data.registry;
    elsewhere = await openRegistry(storage, settings, { now, machine });
  });
  after(async () => {
    await elsewhere.storage.close();
    await http.close();
  });

  const userId = () => http.data.developer.id;
  const suspend = () => suspendDeveloper(elsewhere, commandLine, { userId: userId(), suspension: { reason } });
  const unsuspend = () => unsuspendDeveloper(elsewhere, commandLine, userId());

  test('the next request of a suspended developer gets 403, whichever process suspended them, until it ends', async () => {
    for (let round = 1; round <= 3; round += 1) {
      assert.equal((await http.updateApp(appId, { name: `Round ${round}` })).status, 200);
      await suspend();
      const before = await http.data.eventsOf(appId);
      for (const update of [{ name: 'Hostile' }, {}, '{"not": JSON']) {
        assertSuspended(await http.updateApp(appId, update));
      }
      assertSuspended(await http.updateApp('app_unknown', {}));
      assert.deepEqual(await http.data.eventsOf(appId), before);
      const others = await http.updateApp(appId, {}, bearer(http.tokens.otherDeveloper));
      assert.equal(others.refusal, '404 app_not_found');
      await unsuspend();
      assert.equal((await http.getApp(appId)).view.reviewStatus, 'APPROVED');
    }
  });

  test('a suspended developer who is over the limit gets 429 first', async () => {
    const { token } = await http.data.newToken('developer', { updatesPerMinute: 1 });
    await suspend();
    const update = () => http.updateApp(appId, { name: 'Hostile' }, bearer(token));
    assertSuspended(await update());
    assert.equal((await update()).refusal, '429 too_many_requests');
    await unsuspend();
  });

  function assertSuspended({ refusal, headers, problem }: HttpResponse): void {
    assert.equal(refusal, '403 developer_suspended');
    assert.equal(headers['www-authenticate'], 'Bearer realm="app-registry", error="insufficient_scope"');
    assert.equal(problem.title, 'Forbidden');
    assert.match(problem.detail, /^The developer of this token is suspended, so the registry refuses the request\. /);
  }
});
