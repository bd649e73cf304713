import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OperatorApiInterface } from '@appregistrar/testkit/cli-api-parity/operator-api-interface';
import type { ParityCase } from '@appregistrar/testkit/cli-api-parity/parity-case';
import { outcomeOf, type ParityInterface, type Result } from '@appregistrar/testkit/cli-api-parity/parity-interface';
import { ParityRegistry } from '@appregistrar/testkit/cli-api-parity/parity-registry';
import { scenario } from '@appregistrar/testkit/cli-api-parity/scenario';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { everything, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { operatorOperations } from './features/operations.ts';
import { type OperatorOperation, takesIdempotencyKey } from './kernel/operation.ts';

const operations: Record<string, OperatorOperation> = operatorOperations;

/** A retry of these is refused: what they have shown is not stored. */
const shownOnce: Record<string, string> = { issueToken: 'token_issued', createWebhook: 'webhook_created' };

/** Whether a case is the first of its operation with its kind of outcome: only that one is repeated. */
const firstCases = new Set([...Map.groupBy(scenario, outcomeKind).values()].map(([first]) => first));

onSqlite((engine) => {
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
  /** Runs a case, after those between the previous one and this, which prepare it. */
  const run = async (parityCase: ParityCase, onResult: (result: Result) => void = () => {}) => {
    const { refused: code } = await outcomeOf(recording(operatorApi, onResult), parityCase);
    assert.equal(code, parityCase.refused);
  };

  let preparing: ParityCase[] = [];
  for (const [index, one] of scenario.entries()) {
    const { operationId, refused, request } = one;
    if (!firstCases.has(one)) {
      if (!refused) preparing.push(one);
      continue;
    }
    const prepared = preparing;
    preparing = [];
    const name = `${index + 1}. ${operationId}`;
    const keyed = { ...one, request: { ...request, idempotencyKey: `case-${index}` } };
    const prepare = async () => {
      for (const earlier of prepared) await run(earlier);
    };

    if (!takesKey(one)) {
      test(`${name} ignores a key`, async () => {
        await prepare();
        const keysBefore = await keys();
        await run(keyed);
        assert.equal(await keys(), keysBefore);
      });
    } else if (!storesKey(one)) {
      test(`${name}, ${refused ? `refused with ${refused}` : 'only tried'}, stores no key`, async () => {
        await prepare();
        const keysBefore = await keys();
        await run(keyed);
        assert.equal(await keys(), keysBefore);
        const repeated = await operatorApi.repeat();
        assert.deepEqual(['refusal' in repeated, 'isReplayed' in repeated], [refused !== undefined, false]);
      });
    } else {
      test(`${name}, repeated under its key, gets the first response and changes nothing`, async () => {
        await prepare();
        let first: Result | undefined;
        await run(keyed, (result) => (first = result));
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

function takesKey({ operationId }: ParityCase): boolean {
  return takesIdempotencyKey(operations[operationId] ?? assert.fail());
}

function storesKey({ refused, request }: ParityCase): boolean {
  return !refused && request.query?.dryRun !== 'true';
}

function outcomeKind(parityCase: ParityCase): string {
  const { operationId, refused } = parityCase;
  return takesKey(parityCase) ? `${operationId} ${storesKey(parityCase)} ${refused !== undefined}` : 'no key';
}

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
