import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { interfaceProblemStatuses } from './problem.ts';
import { exampleProblem } from './problem-examples.ts';

let http: HttpFixture;
let appId: string;
before(async () => {
  http = await HttpFixture.open(sqlite);
  appId = (await http.data.newApp()).id;
});
after(() => http.close());

const update = (headers: Record<string, string>, body: unknown = {}) => http.updateApp(appId, body, headers);

/** A request that is refused so, for each code. */
const requests: Record<string, () => Promise<HttpResponse>> = {
  invalid_json: () => update({}, '{'),
  token_missing: () => http.getApp(appId, { authorization: '' }),
  token_invalid: () => http.getApp(appId, bearer('unknown')),
  insufficient_scope: () => http.getApp(appId, bearer(http.tokens.developer)),
  app_not_found: () => http.getApp('app_01jq3v9y6ae0xv5m6b7k8c9d0e'),
  name_taken: async () => update({}, { name: (await http.data.newApp()).name }),
  precondition_failed: () => update({ 'if-match': '"9.5f0c1a9e.Vb2xq0m9K3Ty"' }),
  unsupported_media_type: () => update({ 'content-type': 'text/plain' }),
  invalid_content: () => update({}, { name: null, listingInfo: { backgroundColor: 'red' } }),
};

for (const [code, send] of Object.entries(requests)) {
  test(`the example of ${code} is what the registry responds with`, async () => {
    const { problem } = await send();
    const status = interfaceProblemStatuses[problem.code as keyof typeof interfaceProblemStatuses];
    const { requestId, instance, type, ...example } = exampleProblem(
      { baseUrl: '', operatorBaseUrl: '' },
      problem.code,
      status,
    ) as typeof problem;
    const { requestId: _id, instance: _instance, type: _type, ...sent } = problem;
    assert.equal(problem.code, code);
    assert.deepEqual(sent, example);
  });
}
