import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PublicOperationId, publicOperations } from '../../../server/src/features/operations.ts';
import { AppRegistryClient } from './app-registry-client.ts';

const id = 'app_01jq3v9y6ae0xv5m6b7k8c9d0e';

/** The methods that do each operation of the public interface: one without a method does not compile. */
const methods: Record<PublicOperationId, ((client: AppRegistryClient) => Promise<unknown>)[]> = {
  updateApp: [
    ({ developer }) => developer.apps.update(id, { name: 'Invoice Sync' }).then(),
    ({ developer }) => developer.apps.current(id).then(),
  ],
  getApp: [
    ({ platform }) => platform.apps.get(id).then(),
    ({ platform }) => platform.apps.stream(id),
    ({ platform }) => platform.apps.installations(id).next(),
  ],
};

for (const [operationId, { method, path }] of Object.entries(publicOperations)) {
  test(`${operationId} is requested by the method and path that the server declares`, async () => {
    const declared = `${method} https://apps.example.com${path.replace(':id', id)}`;
    for (const call of Object.entries(methods).flatMap(([one, calls]) => (one === operationId ? calls : []))) {
      assert.equal(await requestOf(call), declared);
    }
  });
}

/** The method and URL that a call requests. */
async function requestOf(call: (client: AppRegistryClient) => Promise<unknown>): Promise<string> {
  const requests: string[] = [];
  const client = new AppRegistryClient({
    baseUrl: 'https://apps.example.com',
    token: 'token',
    maxRetries: 0,
    fetch: async (url, init) => {
      requests.push(`${init?.method} ${url}`);
      throw new TypeError('no connection');
    },
  });
  await assert.rejects(call(client));
  assert.equal(requests.length, 1);
  return requests.join();
}
