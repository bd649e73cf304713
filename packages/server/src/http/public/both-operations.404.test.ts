import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { newId } from '../../kernel/ids.ts';

onSqlite((engine) => {
  let http: HttpFixture;
  let appId: string;
  let unreachable: string[];
  before(async () => {
    http = await HttpFixture.open(engine);
    appId = (await http.data.newApp()).id;
    const suffix = appId.slice('app_'.length);
    unreachable = [
      newId('app'),
      'app_',
      'app_01',
      suffix,
      appId.toUpperCase(),
      `${appId}0`,
      `apps_${suffix}`,
      `logo_${suffix}`,
      `${appId}%0A`,
      '%00',
      '%F0%9F%A6%8A',
      "'%20or%201=1",
      'x'.repeat(8000),
    ];
  });
  after(() => http.close());

  test('Update App returns one identical response for every id that is not of an app', async () => {
    const bodies = [];
    for (const id of unreachable) {
      bodies.push(bodyOf(await http.updateApp(id, { name: 'Renamed' })), bodyOf(await http.updateApp(id, {})));
    }
    assert.deepEqual([...new Set(bodies)], [expected]);
  });

  test('Update App returns that same response for another developer’s app, and does not change it', async () => {
    const before = await http.stateOf(appId);
    const other = bearer(http.tokens.otherDeveloper);
    const responses = [
      await http.updateApp(appId, { name: 'Mine now' }, other),
      await http.updateApp(appId, {}, other),
      await http.updateApp(appId, { logoId: newId('logo') }, other),
      await http.updateApp(appId, {}, { ...other, 'if-match': '"0"' }),
    ];
    assert.deepEqual([...new Set(responses.map(bodyOf))], [expected]);
    assert.deepEqual(await http.stateOf(appId), before);
  });

  test('Get App returns that same response for every id that is not of an app', async () => {
    const bodies = [];
    for (const id of unreachable) {
      bodies.push(bodyOf(await http.getApp(id)), bodyOf(await http.getApp(id, { 'if-none-match': '*' })));
    }
    assert.deepEqual([...new Set(bodies)], [expected]);
  });

  test('a path that only resembles an operation returns path_not_found', async () => {
    for (const path of [
      '/',
      `/platform/apps/v2/${appId}`,
      `/platform/apps/${appId}`,
      `/platform/apps/v1/${appId}/`,
      `/Platform/apps/v1/${appId}`,
      `//platform/apps/v1/${appId}`,
      `/developer/apps/v1/${appId}/installations`,
    ]) {
      const response = await http.send({ method: 'GET', path, headers: bearer(http.tokens.platform) });
      assert.equal(response.refusal, '404 path_not_found', path);
    }
  });
});

/** Status and body, without the request id. */
function bodyOf(response: HttpResponse): string {
  const requestId = response.headers['x-request-id'] as string;
  return `${response.status} ${response.text.replaceAll(requestId, 'REQUEST')}`;
}

const expected = `404 ${JSON.stringify({
  type: 'https://apps.example.com/docs#app_not_found',
  title: 'Not Found Error',
  status: 404,
  detail: 'No app with this id was found. Check the id.',
  instance: 'urn:uuid:REQUEST',
  code: 'app_not_found',
  requestId: 'REQUEST',
})}`;
