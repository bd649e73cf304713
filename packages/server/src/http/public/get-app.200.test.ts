import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteInstallation, setInstallationEnabled } from '@appregistrar/testkit/calls/installations';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import fc from 'fast-check';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import type { OperatorApp } from '../../features/apps/app-schemas.ts';
import type { Installation } from '../../features/installations/installation.ts';
import { commandLine } from '../../kernel/registry.ts';

onSqlite((engine) => {
  let http: HttpFixture;
  let clock: number | undefined;
  before(async () => {
    http = await HttpFixture.open(engine, { now: () => clock ?? Date.now() });
  });
  after(() => http.close());

  test('the response is the complete platform view, without the fields of the developer view', async () => {
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
        userId: http.data.developer.userId,
        email: 'ada@example.com',
        firstName: 'Ada',
        lastName: 'Lovelace',
      },
      installations: [installation],
    });
  });

  test('the response omits fields without a value, and has an empty list if there are no installations', async () => {
    const app = await http.data.newApp({ developerId: http.data.otherDeveloper.userId });
    const { view, text } = await http.getApp(app.id);
    assert.deepEqual(view.developer, { userId: app.developerId, email: 'grace@example.com' });
    assert.deepEqual(view.installations, []);
    assert.doesNotMatch(text, /null|logoUrl/);
  });

  test('an app is visible in every review status', async () => {
    for (const status of ['DRAFT', 'AWAITING_REVIEW', 'APPROVED', 'REJECTED'] as const) {
      const app = await http.data.newApp({ status });
      assert.equal((await http.getApp(app.id)).view.reviewStatus, status);
    }
  });

  test('installations are sorted by creation time, and by id within a millisecond', async () => {
    const app = await http.data.newApp({ status: 'APPROVED' });
    clock = Date.now();
    const sameTime = [await http.data.install(app), await http.data.install(app), await http.data.install(app)];
    clock += 10;
    const last = await http.data.install(app);
    clock -= 20;
    const first = await http.data.install(app);
    clock = undefined;
    const { view } = await http.getApp(app.id);
    const expected = [first, ...sameTime.toSorted((a, b) => (a.id < b.id ? -1 : 1)), last];
    assert.deepEqual(view.installations, expected);
  });

  test('HEAD returns the same header as GET, including the length, without a body', async () => {
    const app = await http.data.newApp();
    const address = `http://127.0.0.1:${await http.port()}/platform/apps/v1/${app.id}`;
    const headers = bearer(http.tokens.platform);
    const get = await fetch(address, { headers });
    const head = await fetch(address, { method: 'HEAD', headers });
    const length = Buffer.byteLength(await get.text());
    assert.deepEqual([head.status, await head.text()], [200, '']);
    assert.equal(head.headers.get('content-length'), String(length));
    for (const name of ['etag', 'content-type', 'cache-control', 'vary']) {
      assert.equal(head.headers.get(name), get.headers.get(name), name);
    }
    assert.equal((await fetch(`${address}x`, { method: 'HEAD', headers })).status, 404);
  });

  test('a request body is ignored', async () => {
    const app = await http.data.newApp();
    const request = { method: 'GET', path: `/platform/apps/v1/${app.id}`, body: 'not JSON' };
    const headers = { ...bearer(http.tokens.platform), 'content-type': 'text/plain' };
    assert.equal((await http.send({ ...request, headers })).status, 200);
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
    const { registry } = http.data;
    const id = known[Math.floor(known.length / 2)]?.id ?? 'installation_unknown';
    switch (name) {
      case 'install':
        return known.push(await http.data.install(app));
      case 'update':
        return http.updateApp(app.id, { listingInfo: { shortDescription: `After ${known.length}` } });
      case 'delete':
        return deleteInstallation(registry, commandLine, id);
      default:
        return setInstallationEnabled(registry, commandLine, { id, enabled: name === 'enable' });
    }
  }
});
