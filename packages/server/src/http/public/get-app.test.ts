import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { updateDeveloper } from '@appregistrar/testkit/calls/developers';
import { deleteInstallation, setInstallationEnabled } from '@appregistrar/testkit/calls/installations';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import { addInstallations } from '@appregistrar/testkit/registry/many-installations';
import { contentOf } from '@appregistrar/testkit/registry/recorded';
import fc from 'fast-check';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import type { OperatorApp } from '../../features/apps/app-schemas.ts';
import type { Installation } from '../../features/installations/installation.ts';
import { commandLine } from '../../kernel/registry.ts';

// The conformance kit holds what any client can observe; see conformance.test.ts. Here is the rest.

const gzip = { 'accept-encoding': 'gzip' };

onSqlite((engine) => {
  let http: HttpFixture;
  let clock: number | undefined;
  before(async () => {
    http = await HttpFixture.open(engine, { now: () => clock ?? Date.now() });
  });
  after(() => http.close());

  const setEnabled = (id: string, enabled: boolean) =>
    setInstallationEnabled(http.data.registry, commandLine, { id, enabled });

  describe('the response', () => {
    test('is the complete platform view, without the fields of the developer view', async () => {
      const app = await http.data.newApp({
        status: 'APPROVED',
        listingInfo: { shortDescription: 'Short.' },
        oauthInfo: { loginUrl: 'https://a.example/' },
      });
      const installation = await http.data.install(app);
      const { view } = await http.getApp(app.id);
      assert.deepEqual(view, {
        id: app.id,
        name: app.name,
        createdAt: app.createdAt,
        updatedAt: app.updatedAt,
        reviewStatus: 'APPROVED',
        developer: {
          userId: http.data.developer.id,
          email: 'ada@example.com',
          firstName: 'Ada',
          lastName: 'Lovelace',
        },
        installations: [contentOf(installation)],
      });
    });

    test('has no field without a value, and shows an app in every review status', async () => {
      for (const status of ['DRAFT', 'AWAITING_REVIEW', 'APPROVED', 'REJECTED'] as const) {
        const app = await http.data.newApp({ developerId: http.data.otherDeveloper.id, status });
        const { view, text } = await http.getApp(app.id);
        assert.deepEqual(view.developer, { userId: app.developerId, email: 'grace@example.com' });
        assert.deepEqual([view.reviewStatus, view.installations], [status, []]);
        assert.doesNotMatch(text, /null|logoUrl/);
      }
    });

    test('sorts installations by creation time, and by id within a millisecond', async () => {
      const app = await http.data.newApp({ status: 'APPROVED' });
      clock = Date.now();
      const sameTime = [await http.data.install(app), await http.data.install(app), await http.data.install(app)];
      clock += 10;
      const last = await http.data.install(app);
      clock -= 20;
      const first = await http.data.install(app);
      clock = undefined;
      const expected = [first, ...sameTime.toSorted((a, b) => (a.id < b.id ? -1 : 1)), last];
      assert.deepEqual((await http.getApp(app.id)).view.installations, expected.map(contentOf));
    });

    test('is the same to a request with a body', async () => {
      const app = await http.data.newApp();
      const headers = { ...bearer(http.tokens.platform), 'content-type': 'text/plain' };
      const path = `/platform/apps/v1/${app.id}`;
      assert.equal((await http.send({ method: 'GET', path, body: 'not JSON', headers })).status, 200);
    });
  });

  test('installationCount equals the length of the list after any concurrent operations', async () => {
    const operation = fc.constantFrom('install', 'disable', 'enable', 'delete', 'update');
    const steps = fc.array(fc.array(operation, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        const app = await http.data.newApp();
        const known: Installation[] = [];
        for (const step of steps) {
          // Some steps delete one installation twice: one of the two is refused.
          await Promise.allSettled(step.map((name) => operate(name, app, known)));
          const developer = await http.updateApp(app.id, {});
          const platform = await http.getApp(app.id);
          assert.equal(developer.view.installationCount, platform.view.installations.length);
        }
      }),
      { numRuns: 15 },
    );
  });

  async function operate(name: string, app: OperatorApp, known: Installation[]): Promise<unknown> {
    const id = known[Math.floor(known.length / 2)]?.id ?? 'installation_unknown';
    switch (name) {
      case 'install':
        return known.push(await http.data.install(app));
      case 'update':
        return http.updateApp(app.id, { listingInfo: { shortDescription: `After ${known.length}` } });
      case 'delete':
        return deleteInstallation(http.data.registry, commandLine, id);
      default:
        return setEnabled(id, name === 'enable');
    }
  }

  describe('the ETag', () => {
    let app: OperatorApp;
    let installation: Installation;
    before(async () => {
      app = await http.data.newApp({ status: 'APPROVED' });
      installation = await http.data.install(app);
    });

    const others: Record<string, () => Promise<unknown>> = {
      'nothing happens': async () => {},
      'the app is updated to its current values': () => http.updateApp(app.id, { name: app.name }),
      'an update is refused': () => http.updateApp(app.id, { name: null }),
      'another app changes': async () => http.data.install(await http.data.newApp()),
      'an installation that is already enabled is enabled': () => setEnabled(installation.id, true),
      'a review step is refused': () => http.data.review(app.id, 'approve').catch(() => {}),
    };
    for (const [what, happen] of Object.entries(others)) {
      test(`stays the same when ${what}`, async () => {
        const { etag } = await http.getApp(app.id);
        await happen();
        assert.equal((await http.getApp(app.id)).etag, etag);
      });
    }

    const changes: Record<string, () => Promise<unknown>> = {
      'the developer updates the app': () => http.updateApp(app.id, { listingInfo: { backgroundColor: '#000' } }),
      'the app is installed': () => http.data.install(app),
      'an installation is disabled': () => setEnabled(installation.id, false),
      'an installation is enabled': () => setEnabled(installation.id, true),
      'an installation is deleted': () => deleteInstallation(http.data.registry, commandLine, installation.id),
      'the developer changes': () =>
        updateDeveloper(http.data.registry, commandLine, { userId: app.developerId, update: { lastName: 'King' } }),
      'the app is revoked': () => http.data.review(app.id, 'revoke'),
      'the app is submitted': () => http.data.review(app.id, 'submit'),
      'the app is withdrawn': () => http.data.review(app.id, 'withdraw'),
    };
    for (const [what, change] of Object.entries(changes)) {
      test(`changes when ${what}`, async () => {
        const { etag } = await http.getApp(app.id);
        await change();
        const response = await http.getApp(app.id, { 'if-none-match': etag });
        assert.equal(response.status, 200);
        assert.notEqual(response.etag, etag);
      });
    }

    test('is not that of another app', async () => {
      const { etag } = await http.getApp((await http.data.newApp()).id);
      assert.equal((await http.getApp(app.id, { 'if-none-match': etag })).status, 200);
    });
  });

  // Sent gzipped where that is accepted, and streamed above a thousand.
  for (const count of [0, 20, 1_001]) {
    test(`an If-Match is compared with the ETag in the coding of the response, with ${count} installations`, async () => {
      const { id, developerId: userId } = await http.data.newApp();
      if (count > 0) await addInstallations(http.data.registry.storage, { appId: id, count, userId });
      const get = (headers: Record<string, string>) => http.getApp(id, headers);
      for (const coding of [{ 'accept-encoding': 'identity' }, gzip]) {
        const { etag } = await get(coding);
        for (const ifMatch of [etag, `"one", W/"two",${etag} , "three"`]) {
          const response = await get({ ...coding, 'if-match': ifMatch });
          assert.deepEqual([response.status, response.etag], [200, etag]);
        }
        for (const method of ['GET', 'HEAD']) {
          const headers = { ...bearer(http.tokens.platform), ...coding, 'if-match': '"other"', 'if-none-match': etag };
          const response = await http.send({ method, path: `/platform/apps/v1/${id}`, headers });
          assert.deepEqual([response.status, response.etag], [412, etag], 'it precedes an If-None-Match');
        }
        assert.equal((await get({ ...coding, 'if-match': etag, 'if-none-match': etag })).status, 304);
      }
      const [plain, coded] = [(await get({})).etag, (await get(gzip)).etag];
      if (count > 0) assert.equal((await get({ ...gzip, 'if-match': plain })).refusal, '412 precondition_failed');
      await http.updateApp(id, { name: `Changed with ${count}` });
      for (const etag of [plain, coded]) assert.equal((await get({ ...gzip, 'if-match': etag })).status, 412);
    });
  }

  describe('with gzip', () => {
    let app: OperatorApp;
    beforeEach(async () => {
      app = await http.data.newApp({ status: 'APPROVED' });
      for (let count = 0; count < 5; count += 1) await http.data.install(app);
    });

    test('a response is sent only to a client that accepts it, under a tag of its own', async () => {
      const [plain, coded] = [await http.getApp(app.id), await http.getApp(app.id, gzip)];
      assert.deepEqual([plain.headers['content-encoding'], coded.headers['content-encoding']], [undefined, 'gzip']);
      assert.equal(coded.text, plain.text);
      assert.ok(Number(coded.headers['content-length']) < plain.text.length / 2);
      for (const { headers } of [plain, coded]) assert.match(headers.vary ?? '', /\bAccept-Encoding\b/i);
      assert.deepEqual(
        [(await http.getApp(app.id)).etag, (await http.getApp(app.id, gzip)).etag],
        [plain.etag, coded.etag],
      );
      assert.notEqual(coded.etag, plain.etag);
      assert.equal('content-encoding' in (await http.getApp(app.id, { 'accept-encoding': 'br' })).headers, false);
    });

    test('a response that it would not shrink by a packet is sent only to a client that accepts nothing else', async () => {
      const small = await http.data.newApp();
      const plain = await http.getApp(small.id, gzip);
      assert.equal('content-encoding' in plain.headers, false);
      assert.equal(plain.etag, (await http.getApp(small.id)).etag);
      const coded = await http.getApp(small.id, { 'accept-encoding': 'gzip, identity;q=0' });
      assert.deepEqual([coded.headers['content-encoding'], coded.view.id], ['gzip', small.id]);
    });

    test('an If-None-Match matches the tags of the codings that the client accepts, the preferred one first', async () => {
      const [plain, coded] = [(await http.getApp(app.id)).etag, (await http.getApp(app.id, gzip)).etag];
      const cases: [ifNoneMatch: string, accepted: string | undefined, expected: string | null][] = [
        [plain, undefined, plain],
        [coded, 'gzip', coded],
        [plain, 'gzip', plain],
        [coded, undefined, null],
        [coded, 'gzip;q=0', null],
        [plain, 'gzip, identity;q=0', null],
        [`${plain}, ${coded}`, 'gzip', coded],
        [`${plain}, ${coded}`, 'gzip;q=0.5, identity', plain],
      ];
      for (const [ifNoneMatch, accepted, expected] of cases) {
        const headers = {
          'if-none-match': ifNoneMatch,
          ...(accepted !== undefined && { 'accept-encoding': accepted }),
        };
        const response = await http.getApp(app.id, headers);
        assert.equal(response.status, expected === null ? 200 : 304, JSON.stringify(headers));
        if (expected !== null) assert.deepEqual([response.etag, response.text], [expected, '']);
      }
      await http.data.install(app);
      for (const etag of [plain, coded]) {
        assert.equal((await http.getApp(app.id, { ...gzip, 'if-none-match': etag })).status, 200);
      }
    });

    test('the bytes on the wire match Content-Length, and HEAD returns the header of the same GET', async () => {
      const { etag, text } = await http.getApp(app.id, gzip);
      for (const headers of [{}, gzip, { ...gzip, 'if-none-match': etag }]) {
        const [head, get] = [await rawResponse('HEAD', headers), await rawResponse('GET', headers)];
        assert.equal(head.body.length, 0);
        assert.deepEqual(head.headers, get.headers);
      }
      const { headers, body } = await rawResponse('GET', gzip);
      assert.equal(Number(headers['content-length']), body.length);
      assert.equal(gunzipSync(body).toString(), text);
    });

    async function rawResponse(method: string, headers: Record<string, string>) {
      const path = `/platform/apps/v1/${app.id}`;
      const { promise, resolve, reject } = Promise.withResolvers<{ headers: Record<string, unknown>; body: Buffer }>();
      const options = { port: await http.port(), agent: false as const, method, path };
      request({ ...options, headers: { ...bearer(http.tokens.platform), ...headers } }, async (response) => {
        const { 'x-request-id': _id, date: _date, ...others } = response.headers;
        resolve({ headers: others, body: Buffer.concat(await response.toArray()) });
      })
        .on('error', reject)
        .end();
      return promise;
    }
  });
});
