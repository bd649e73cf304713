import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Nginx } from '@appregistrar/testkit/programs/nginx';
import { OperatorClient } from '../operator/operator-client.ts';
import { ServedRegistry } from '../testing/served-registry.ts';
import type { AppRegistryClient } from './app-registry-client.ts';
import { PreconditionFailedError } from './errors.ts';

let registry: ServedRegistry;
let client: AppRegistryClient;
let operator: OperatorClient;
const proxies: Nginx[] = [];
before(async () => {
  registry = await ServedRegistry.start();
  const { token } = await registry.data.newToken('operator');
  client = registry.client({ baseUrl: await compressed(registry.port) });
  operator = new OperatorClient({ token, baseUrl: await compressed(Number(new URL(registry.operatorUrl).port)) });
});
after(async () => {
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  await registry.stop();
});

/** The address of a proxy that compresses the responses of a port. */
async function compressed(port: number): Promise<string> {
  const proxy = await Nginx.start(compressing(port), port);
  proxies.push(proxy);
  return proxy.plainUrl;
}

/** Compresses every response that is not compressed yet. The operator listener accepts its own host only. */
const compressing = (port: number) => `
upstream registry {
  server 127.0.0.1:8080 ;
}
server {
  listen 80;
  listen 443 ssl;
  ssl_certificate     /etc/ssl/apps.example.com.pem;
  ssl_certificate_key /etc/ssl/apps.example.com.key;
  gzip_types application/json application/problem+json;
  gzip_min_length 0;
  location / {
    proxy_pass http://registry;
    proxy_http_version 1.1;
    proxy_set_header Host 127.0.0.1:${port};
  }
}`;

test('an update with the tag of a compressed response is applied, and refused once another client has changed the app', async () => {
  const { id } = await registry.data.newApp();
  const { response } = await client.developer.apps.current(id).withResponse();
  assert.match(response.etag ?? '', /^W\//, 'the proxy compresses');
  const update = () => client.developer.apps.update(id, { name: 'Ours' }, { ifMatch: response.etag });
  assert.equal((await update()).name, 'Ours');
  await assert.rejects(update(), PreconditionFailedError);
});

test('a merge is applied over other changes, and names the fields that another client has changed', async () => {
  const { id } = await registry.data.newApp();
  const base = await client.developer.apps.current(id).withResponse();
  const merge = (name: string) => client.developer.apps.update(id, { name }, { onConflict: 'merge', base });
  await registry.client().developer.apps.update(id, { oauthInfo: { loginUrl: 'https://theirs.example/' } });
  assert.equal((await merge('Merged')).oauthInfo.loginUrl, 'https://theirs.example/');
  await assert.rejects(merge('Merged again'), { changedFields: ['name'] });
});

test('an operator can use the tags of compressed responses', async () => {
  const { id } = await registry.data.newApp();
  const { response } = await operator.apps.get(id).withResponse();
  assert.equal(response.headers.get('content-encoding'), 'gzip');
  const { data, response: updated } = await operator.apps
    .update(id, { name: 'By an operator' }, { ifMatch: response.etag })
    .withResponse();
  assert.equal(data.name, 'By an operator');
  assert.equal((await operator.apps.submit(id, { ifMatch: updated.etag })).reviewStatus, 'AWAITING_REVIEW');
  await assert.rejects(operator.apps.withdraw(id, { ifMatch: response.etag }).then(), PreconditionFailedError);
});
