import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { HttpFixture } from 'app-registry-testkit/http/http-fixture';
import { bearer } from 'app-registry-testkit/http/http-request';
import type { HttpResponse } from 'app-registry-testkit/http/http-response';
import { newId } from '../../registry/type-id.ts';

forEachEngine((engine) => {
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

  test('every id that is not of an app gets one and the same answer from Update App', async () => {
    const bodies = [];
    for (const id of unreachable) {
      bodies.push(bodyOf(await http.updateApp(id, { name: 'Renamed' })), bodyOf(await http.updateApp(id, {})));
    }
    assert.deepEqual([...new Set(bodies)], [expected]);
  });

  test('another developer’s app gets that same answer, and stays as it is', async () => {
    const before = await http.stateOf(appId);
    const other = bearer(http.tokens.otherDeveloper);
    const answers = [
      await http.updateApp(appId, { name: 'Mine now' }, other),
      await http.updateApp(appId, {}, other),
      await http.updateApp(appId, { logoId: newId('logo') }, other),
      await http.updateApp(appId, {}, { ...other, 'if-match': '"0"' }),
    ];
    assert.deepEqual([...new Set(answers.map(bodyOf))], [expected]);
    assert.deepEqual(await http.stateOf(appId), before);
  });

  test('every id that is not of an app gets that same answer from Get App', async () => {
    const bodies = [];
    for (const id of unreachable) {
      bodies.push(bodyOf(await http.getApp(id)), bodyOf(await http.getApp(id, { 'if-none-match': '*' })));
    }
    assert.deepEqual([...new Set(bodies)], [expected]);
  });

  test('a path that only resembles an operation is not known', async () => {
    for (const path of [
      '/',
      `/platform/apps/v2/${appId}`,
      `/platform/apps/${appId}`,
      `/platform/apps/v1/${appId}/`,
      `/Platform/apps/v1/${appId}`,
      `//platform/apps/v1/${appId}`,
      `/developer/apps/v1/${appId}/installations`,
    ]) {
      const answer = await http.send({ method: 'GET', path, headers: bearer(http.tokens.platform) });
      assert.equal(answer.refusal, '404 path_not_found', path);
    }
  });
});

/** The whole answer, but for what names the request. */
function bodyOf(answer: HttpResponse): string {
  const requestId = answer.headers['x-request-id'] as string;
  return `${answer.status} ${answer.text.replaceAll(requestId, 'REQUEST')}`;
}

const expected = `404 ${JSON.stringify({
  type: 'https://apps.example.com/docs#app_not_found',
  title: 'Not Found Error',
  status: 404,
  detail: 'No app with this id can be found here. Check the id.',
  instance: 'urn:uuid:REQUEST',
  code: 'app_not_found',
  requestId: 'REQUEST',
})}`;
