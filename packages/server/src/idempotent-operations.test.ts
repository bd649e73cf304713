import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OperatorApiInterface } from '@appregistrar/testkit/cli-api-parity/operator-api-interface';
import type { ParityCase } from '@appregistrar/testkit/cli-api-parity/parity-case';
import { outcomeOf, type ParityInterface, type Result } from '@appregistrar/testkit/cli-api-parity/parity-interface';
import { ParityRegistry } from '@appregistrar/testkit/cli-api-parity/parity-registry';
import { scenario } from '@appregistrar/testkit/cli-api-parity/scenario';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { everything, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { type OperatorOperation, takesIdempotencyKey } from './contract/operations/operation.ts';
import { operatorOperations } from './contract/operations/operator-operations.ts';

const operations: Record<string, OperatorOperation> = operatorOperations;

/** A retry of these is refused: what they have shown is not stored. */
const shownOnce: Record<string, string> = { issueToken: 'token_issued', createWebhook: 'webhook_created' };

forEachEngine((engine) => {
  let operatorApi: OperatorApiInterface;
  before(async () => {
    operatorApi = new OperatorApiInterface(await ParityRegistry.open(engine));
  });
  after(async () => {
    await operatorApi.close();
    await operatorApi.target.close();
  });

  const stored = () => everything(operatorApi.target.registry.storage);
  const keys = async () => (await rowsOf(operatorApi.target.registry.storage, 'idempotency_keys')).length;

  for (const [index, one] of scenario.entries()) {
    const { operationId, refused, request } = one;
    const name = `${index + 1}. ${operationId}`;
    const takesKey = takesIdempotencyKey(operations[operationId] ?? assert.fail());
    const keyed = { ...one, request: { ...request, idempotencyKey: `case-${index}` } };

    if (!takesKey) {
      test(`${name} ignores a key`, async () => {
        const keysBefore = await keys();
        const { refused: code } = await outcomeOf(operatorApi, keyed);
        assert.deepEqual([code, await keys()], [refused, keysBefore]);
      });
    } else if (refused || request.query?.dryRun === 'true') {
      test(`${name}, ${refused ? `refused with ${refused}` : 'only tried'}, stores no key`, async () => {
        const keysBefore = await keys();
        const { refused: code } = await outcomeOf(operatorApi, keyed);
        assert.deepEqual([code, await keys()], [refused, keysBefore]);
        const repeated = await operatorApi.repeat();
        assert.deepEqual(['refusal' in repeated, 'isReplayed' in repeated], [refused !== undefined, false]);
      });
    } else {
      test(`${name}, repeated under its key, gets the first response and changes nothing`, async () => {
        let first: Result | undefined;
        await outcomeOf(
          recording(operatorApi, (result) => (first = result)),
          keyed,
        );
        const before = await stored();
        const repeated = await operatorApi.repeat();
        const refusal = shownOnce[operationId];
        if (refusal) assert.ok('refusal' in repeated && repeated.refusal.code === refusal);
        else assert.deepEqual(repeated, { ...first, isReplayed: true });

        const other = { ...keyed, operationId: 'createDeveloper', request: otherRequest(keyed.request) };
        const mismatch = await operatorApi.call(other);
        assert.ok('refusal' in mismatch && mismatch.refusal.code === 'idempotency_key_reused');
        assert.deepEqual(await stored(), before);
      });
    }
  }

  test('no secret, address of a webhook or personal data is stored under any of these keys', async () => {
    const rows = await rowsOf(operatorApi.target.registry.storage, 'idempotency_keys');
    const text = JSON.stringify(rows);
    for (const secret of ['whsec_', 'appreg_', 'hooks.example', '@example.com', 'Lovelace']) {
      assert.ok(!text.includes(secret), secret);
    }
  });
});

/** The same interface, whose results are also passed on. */
function recording(operatorApi: OperatorApiInterface, onResult: (result: Result) => void): ParityInterface {
  const { target, actor } = operatorApi;
  const call = async (parityCase: ParityCase) => {
    const result = await operatorApi.call(parityCase);
    onResult(result);
    return result;
  };
  return { target, actor, reasonOf: () => undefined, call };
}

/** Another request with the same key. */
function otherRequest({ idempotencyKey = '' }: ParityCase['request']): ParityCase['request'] {
  return { idempotencyKey, body: { email: 'another@example.com' } };
}
