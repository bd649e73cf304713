import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { everything, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { HttpInterface } from '../test/operation-fixtures/fixture-interfaces.ts';
import type { OperationCase } from '../test/operation-fixtures/operation-fixture.ts';
import { operationCases } from '../test/operation-fixtures/operation-fixtures.ts';
import { operatorOperations } from './features/operations.ts';
import { takesIdempotencyKey } from './kernel/operation.ts';

/** A retry of these is refused: what they have shown is not stored. */
const shownOnce: Record<string, string> = {
  createToken: 'token_created',
  rotateToken: 'token_created',
  createWebhook: 'webhook_created',
};

onSqlite((engine) => {
  let api: HttpInterface;
  before(async () => {
    api = await HttpInterface.open(engine);
  });
  after(() => api.close());

  const stored = () => everything(api.registry.storage);
  const keys = async () => (await rowsOf(api.registry.storage, 'idempotency_keys')).length;
  const run = async (one: OperationCase) => {
    const result = await api.request(one);
    assert.equal('refusal' in result ? result.refusal.code : undefined, one.refused, JSON.stringify(result));
    return result;
  };

  for (const [operationId, cases] of operationCases) {
    const takesKey = takesIdempotencyKey(operatorOperations[operationId]);
    const promise = takesKey ? 'gives a repeat under its key the first response, and changes nothing' : 'ignores a key';
    test(`${operationId} ${promise}`, async () => {
      api.names.forget();
      const checked = new Set<string>();
      for (const one of cases) {
        const kind = `${operationId}-${outcomeKind(one)}`;
        if (one.isGiven || checked.has(kind)) {
          await run(one);
          continue;
        }
        checked.add(kind);
        const keyed = { ...one, request: { ...one.request, idempotencyKey: kind } };
        if (takesKey && outcomeKind(one) === 'done') await assertReplayed(keyed);
        else await assertNoKey(keyed, takesKey);
      }
    });
  }

  async function assertReplayed(keyed: OperationCase): Promise<void> {
    const first = await run(keyed);
    const before = await stored();
    const repeated = await api.repeat();
    const refusal = shownOnce[keyed.operationId];
    if (refusal) {
      assert.ok('refusal' in repeated && 'response' in first && repeated.refusal.code === refusal);
      assert.ok(repeated.refusal.detail.includes((first.response as { id: string }).id), repeated.refusal.detail);
    }
    if (!refusal) assert.deepEqual(repeated, { ...first, isReplayed: true });

    const { idempotencyKey = '' } = keyed.request;
    const body = { email: 'another@example.com' };
    const mismatch = await api.request({ operationId: 'createDeveloper', request: { idempotencyKey, body } });
    assert.ok('refusal' in mismatch && mismatch.refusal.code === 'idempotency_key_reused');
    assert.deepEqual(await stored(), before);
  }

  /** A request that is refused or only tried stores no key, and neither does any of an operation that takes none. */
  async function assertNoKey(keyed: OperationCase, takesKey: boolean): Promise<void> {
    const keysBefore = await keys();
    await run(keyed);
    assert.equal(await keys(), keysBefore);
    if (!takesKey) return;
    const repeated = await api.repeat();
    assert.deepEqual(['refusal' in repeated, 'isReplayed' in repeated], [keyed.refused !== undefined, false]);
  }

  test('no secret, address of a webhook or personal data is stored under any of these keys', async () => {
    const text = JSON.stringify(await rowsOf(api.registry.storage, 'idempotency_keys'));
    for (const secret of ['whsec_', 'appreg_', 'hooks.example', '@example.com', 'Lovelace']) {
      assert.ok(!text.includes(secret), secret);
    }
  });
});

function outcomeKind({ refused, request }: OperationCase): 'refused' | 'tried' | 'done' {
  if (refused) return 'refused';
  return request.query?.dryRun ? 'tried' : 'done';
}
