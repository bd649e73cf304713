import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { HttpFixture } from '../../../test/http/http-fixture.ts';

onSqlite((engine) => {
  let http: HttpFixture;
  let appId: string;
  before(async () => {
    http = await HttpFixture.open(engine);
    appId = (await http.data.newApp()).id;
  });
  after(() => http.close());

  test('a developer token cannot get an app, not even its own', async () => {
    assertForbidden(await http.getApp(appId, bearer(http.tokens.developer)));
  });

  test('a platform token cannot update an app, nor read it with an empty update', async () => {
    assertForbidden(await http.updateApp(appId, { name: 'Renamed' }, bearer(http.tokens.platform)));
    assertForbidden(await http.updateApp(appId, {}, bearer(http.tokens.platform)));
  });

  test('an operator token can neither get nor update an app', async () => {
    assertForbidden(await http.getApp(appId, bearer(http.tokens.operator)));
    assertForbidden(await http.updateApp(appId, {}, bearer(http.tokens.operator)));
  });

  test('a token of the wrong kind does not learn whether an app exists', async () => {
    assertForbidden(await http.getApp('app_unknown', bearer(http.tokens.developer)));
    assertForbidden(await http.updateApp('app_unknown', {}, bearer(http.tokens.platform)));
  });
});

function assertForbidden(response: HttpResponse): void {
  assert.equal(response.refusal, '403 insufficient_scope');
  assert.equal(response.headers['www-authenticate'], 'Bearer realm="app-registry", error="insufficient_scope"');
}
