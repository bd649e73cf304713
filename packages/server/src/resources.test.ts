import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { everything } from '@appregistrar/testkit/registry/recorded';
import { HttpInterface } from '../test/operation-fixtures/fixture-interfaces.ts';
import type { OperationCase } from '../test/operation-fixtures/operation-fixture.ts';
import { operationCases } from '../test/operation-fixtures/operation-fixtures.ts';
import { type OperatorOperationId, operatorOperations } from './features/operations.ts';
import type { AnyOperation } from './kernel/operation.ts';

const operations: AnyOperation[] = Object.values(operatorOperations);

/** Operations on a resource that leave it as it is. They refuse `If-Match`. */
const changingOthers: Partial<Record<OperatorOperationId, string>> = {
  claimApp: 'a claim is not content of the app',
  releaseApp: 'a claim is not content of the app',
  createAppNote: 'it creates another resource',
  revokeDeveloperTokens: 'it changes tokens',
  testWebhook: 'it creates a delivery',
  rotateToken: 'it creates a token, and a token is rotated once',
  redeliverWebhook: 'it changes deliveries',
  deleteWorkspaceInstallations: 'the registry has no workspaces of its own',
};

test('every operation that changes a resource honours If-Match', () => {
  const changing = operations.filter(
    ({ method, path }) => method === 'PATCH' || (method !== 'GET' && path.includes(':')),
  );
  const without = changing.filter(({ ifMatch }) => !ifMatch).map(({ id }) => id);
  assert.deepEqual(without.toSorted(), Object.keys(changingOthers).toSorted());
});

/** Resources without an id or a time of creation, and why. */
const without: Partial<Record<OperatorOperationId, string[]>> = {
  // A registry has one set of settings.
  getSettings: ['id', 'createdAt'],
  // Its number identifies a revision of an app.
  getAppRevision: ['id'],
};

test('every resource has an id, a time of creation and a tag, and the time of its last change if it can change', () => {
  const wrong = operations.filter(isOfOne).flatMap(({ id, path, response }) => {
    const canChange = operations.some(
      ({ ifMatch, method, path: other }) => ifMatch && method !== 'DELETE' && resourceOf(other) === path,
    );
    const needed = ['id', 'createdAt', 'etag', ...(canChange ? ['updatedAt'] : [])];
    const missing = needed.filter((name) => !(name in response.properties));
    const expected = without[id as OperatorOperationId] ?? [];
    return String(missing) === String(expected) ? [] : [{ id, missing }];
  });
  assert.deepEqual(wrong, []);
});

test('every response with a resource that can change has its tag', () => {
  const wrong = operations.filter(({ ifMatch, response }) => ifMatch && !('etag' in response.properties));
  assert.deepEqual(
    wrong.map(({ id }) => id),
    [],
  );
});

forEachEngine((engine) => {
  let api: HttpInterface;
  before(async () => {
    api = await HttpInterface.open(engine);
  });
  after(() => api.close());

  const stored = () => everything(api.registry.storage);
  const run = async (one: OperationCase) => {
    const result = await api.request(one);
    assert.equal('refusal' in result ? result.refusal.code : undefined, one.refused, JSON.stringify([one, result]));
  };

  for (const [operationId, cases] of operationCases) {
    const operation: AnyOperation = operatorOperations[operationId];
    const checked = cases.find(({ isGiven, refused, request }) => !isGiven && !refused && !request.query?.dryRun);

    test(`${operationId} works as its fixture says`, async (t) => {
      api.names.forget();
      for (const one of cases) {
        if (one !== checked) {
          await run(one);
          continue;
        }
        if (operation.method !== 'GET' && !operation.ifMatch)
          await t.test('refuses preconditions that it would ignore', () => assertNoConditions(one));
        if (operation.ifMatch) await t.test('refuses an old tag, and accepts the current one', () => assertTag(one));
        else if (operation.creates)
          await t.test('returns the new object as a GET of its Location does', () => assertLocation(one));
        else await run(one);
      }
    });
  }

  async function assertTag(one: OperationCase): Promise<void> {
    const before = await stored();
    const refused = await api.exchange(one, { 'if-match': '"0123456789012345678901"' });
    assert.equal(refused.statusCode, 412, refused.body);
    assert.equal(refused.json().code, 'precondition_failed');
    assert.deepEqual(await stored(), before);

    const current = String(refused.headers.etag);
    const done = await api.exchange(one, { 'if-match': current });
    assert.ok(done.statusCode < 300, done.body);
    const { etag, id } = done.json();
    api.names.replaceIds(done.json());
    assert.equal(done.headers.etag, etag);
    if (operatorOperations[one.operationId].method === 'DELETE') return;
    const { url } = done.raw.req;
    const read = await api.get(resourceOf(String(url).split('?')[0] ?? ''));
    assert.deepEqual([read.json().id, read.headers.etag], [id, etag]);
    if (etag === current) return;
    assert.equal((await api.exchange(one, { 'if-match': current })).statusCode, 412);
  }

  async function assertNoConditions(one: OperationCase): Promise<void> {
    const before = await stored();
    for (const [name, value] of [
      ['If-Match', '"0123456789012345678901"'],
      ['If-Match', '*'],
      ['If-None-Match', '*'],
    ] as const) {
      const refused = await api.exchange(one, { [name]: value });
      assert.deepEqual([refused.statusCode, refused.json().code], [400, 'malformed_request'], refused.body);
      assert.match(refused.json().detail, new RegExp(`honour ${name}\\. Omit the header\\.$`));
    }
    assert.deepEqual(await stored(), before);
  }

  async function assertLocation(one: OperationCase): Promise<void> {
    const created = await api.exchange(one, {});
    assert.equal(created.statusCode, 201, created.body);
    api.names.replaceIds(created.json());
    const { token: _, secret: __, ...shown } = created.json();
    const read = await api.get(String(created.headers.location));
    assert.deepEqual([shown, created.headers.etag], [read.json(), read.headers.etag]);
  }
});

/** Whether it reads one resource, and not a report about one. */
function isOfOne({ method, path }: AnyOperation): boolean {
  return method === 'GET' && (/\/:\w+$/.test(path) || path.endsWith('/settings'));
}

/** The path of the resource that a step of it changes: that of an app for `/operator/v1/apps/:id/approve`. */
function resourceOf(path: string): string {
  const segments = path.split('/');
  const isStep = segments.length > 4 && segments.length % 2 === 0;
  return (isStep ? segments.slice(0, -1) : segments).join('/');
}
