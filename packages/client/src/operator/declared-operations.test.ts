import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OperatorOperationId, operatorOperations } from '../../../server/src/features/operations.ts';
import { takesIdempotencyKey } from '../../../server/src/kernel/operation.ts';
import { fixRandom } from '../testing/fix-random.ts';
import { List } from './operations.ts';
import { OperatorClient } from './operator-client.ts';
import { calls } from './testing/calls.ts';

interface Sent {
  request: string;
  headers: Headers;
  attempts: number;
}

for (const [operationId, operation] of Object.entries(operatorOperations)) {
  const { method, path } = operation;

  test(`${operationId} is requested as the server declares it, and retried with the same key`, async (t) => {
    fixRandom(t, 0);
    const { request, headers, attempts } = await sentBy(calls[operationId as OperatorOperationId]);
    const called = path.replaceAll(/:(\w+)/g, '$1_1');
    assert.equal(request, `${method} https://ops.example.com${called}`);
    assert.equal(headers.has('idempotency-key'), takesIdempotencyKey(operation));
    assert.equal(attempts, 2);
  });
}

/** The request of a call whose connection is lost, and how often it was sent with one retry. */
async function sentBy(call: (operator: OperatorClient) => unknown): Promise<Sent> {
  const sent: Sent[] = [];
  const operator = new OperatorClient({
    baseUrl: 'https://ops.example.com',
    token: 'token',
    maxRetries: 1,
    fetch: async (url, init) => {
      sent.push({
        request: `${init?.method} ${String(url).split('?')[0]}`,
        headers: new Headers(init?.headers),
        attempts: sent.length + 1,
      });
      throw new TypeError('no connection');
    },
  });
  const called = call(operator);
  await assert.rejects(async () => firstOf(called), {
    name: 'AppRegistryConnectionError',
  });
  const last = sent.at(-1);
  assert.ok(last && sent.every(({ request }) => request === last.request));
  const keys = new Set(sent.map(({ headers }) => headers.get('idempotency-key')));
  assert.equal(keys.size, 1, 'a repeated request has the key of the first');
  return last;
}

/** Sends a request that is only sent once its result is read. */
function firstOf(called: unknown): unknown {
  if (called instanceof List) return called.page();
  return Symbol.asyncIterator in Object(called) ? (called as AsyncGenerator).next() : called;
}
