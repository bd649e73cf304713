import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PublicOperationId, publicOperations } from '../../../server/src/features/operations.ts';
import { AppRegistryClient, DeveloperClient, PlatformClient } from './app-registry-client.ts';
import type { AppRegistryClientOptions } from './options.ts';

const id = 'app_01jq3v9y6ae0xv5m6b7k8c9d0e';

interface Clients {
  developer: DeveloperClient;
  platform: PlatformClient;
  both: AppRegistryClient;
}

/** The methods that do each operation of the public interface: one without a method does not compile. */
const methods: Record<PublicOperationId, ((clients: Clients) => Promise<unknown>)[]> = {
  updateApp: [
    ({ both }) => both.developer.apps.current(id).then(),
    ({ developer }) => developer.apps.update(id, { name: 'Invoice Sync' }).then(),
    ({ developer }) => developer.apps.current(id).then(),
  ],
  getApp: [
    ({ both }) => both.platform.apps.get(id).then(),
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
async function requestOf(call: (clients: Clients) => Promise<unknown>): Promise<string> {
  const requests: string[] = [];
  const options: AppRegistryClientOptions = {
    baseUrl: 'https://apps.example.com',
    token: 'token',
    maxRetries: 0,
    fetch: async (url, init) => {
      requests.push(`${init?.method} ${url}`);
      throw new TypeError('no connection');
    },
  };
  const clients = {
    developer: new DeveloperClient(options),
    platform: new PlatformClient(options),
    both: new AppRegistryClient(options),
  };
  await assert.rejects(call(clients));
  assert.equal(requests.length, 1);
  return requests.join();
}
