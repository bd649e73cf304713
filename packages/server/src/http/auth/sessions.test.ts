import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onSqlite, sqlite } from '@appregistrar/testkit/engines/engines';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { everything, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';
import { newSignInCode, openSession } from '../../features/access/browser-sessions.ts';

const json = { 'content-type': 'application/json' };

onSqlite((engine) => {
  let operator: OperatorFixture;
  before(async () => {
    operator = await OperatorFixture.open(engine);
  });
  after(() => operator.close());

  const signIn = (token: unknown, headers: Record<string, string> = {}) =>
    operator.send({
      method: 'POST',
      path: '/session',
      headers: { ...json, ...headers },
      body: JSON.stringify({ token }),
    });
  const shown = async (cookie: string) =>
    (await operator.send<{ session?: object }>({ method: 'GET', path: '/session', headers: { cookie } })).view.session;
  const apps = (cookie: string) => operator.send({ method: 'GET', path: '/operator/v1/apps', headers: { cookie } });

  test('signing in with an operator token grants what the token does, in its name', async () => {
    const { id, token } = operator.tokens.portal;
    const response = await signIn(token);
    assert.deepEqual([response.status, response.text], [204, '']);
    const cookie = cookieOf(response);
    assert.deepEqual(await shown(cookie), {
      holderId: id,
      scopes: ['portal'],
      hidden: ['claims', 'notes'],
      expiresAt: (await rowsOf(operator.data.registry.storage, 'sessions'))
        .map(({ expires_at: at }) => new Date(at).toISOString())
        .at(-1),
    });
    const body = JSON.stringify({ developerId: operator.data.developer.id, name: 'By a session' });
    const headers = { ...json, cookie, origin: 'http://127.0.0.1:8081' };
    const created = await operator.send<{ id: string }>({ method: 'POST', path: '/operator/v1/apps', headers, body });
    assert.equal(created.status, 201, created.text);
    const [event] = await operator.data.eventsOf(created.view.id);
    assert.deepEqual([event?.actor, event?.request_id], [id, created.headers['x-request-id']]);
    const tokens = await operator.send({ method: 'GET', path: '/operator/v1/tokens', headers: { cookie } });
    assert.equal(tokens.refusal, '403 insufficient_scope');
  });

  test('a page learns without an error that there is no session', async () => {
    for (const cookie of ['', 'app-registry=', 'app-registry=nonsense']) assert.equal(await shown(cookie), undefined);
  });

  test('signing out ends the session for every copy of its cookie', async () => {
    const cookie = cookieOf(await signIn(operator.tokens.read.token));
    assert.equal((await apps(cookie)).status, 200);
    const headers = { cookie, origin: 'http://127.0.0.1:8081' };
    const response = await operator.send({ method: 'DELETE', path: '/session', headers });
    assert.deepEqual(
      [response.status, response.headers['set-cookie']],
      [204, `app-registry=; Max-Age=0; ${attributes}`],
    );
    assert.equal((await apps(cookie)).refusal, '401 token_invalid');
    assert.equal(await shown(cookie), undefined);
    assert.equal((await operator.send({ method: 'DELETE', path: '/session', headers })).status, 204);
  });

  test('signing in again ends the previous session', async () => {
    const before = cookieOf(await signIn(operator.tokens.read.token));
    const after = cookieOf(await signIn(operator.tokens.admin.token, { cookie: before }));
    assert.deepEqual([(await apps(before)).status, (await apps(after)).status], [401, 200]);
  });

  test('the log names who signed in and out by the id of the token, not by its name', async () => {
    const { id, token } = await operator.data.newToken('operator', { name: 'Grace Hopper' });
    const logged = () => operator.log.lines.filter(({ holder }) => holder === id).map(({ level, msg }) => [level, msg]);
    const cookie = cookieOf(await signIn(token));
    assert.deepEqual(logged(), [[30, 'signed in']]);
    const again = cookieOf(await signIn(token, { cookie }));
    const headers = { cookie: again, origin: 'http://127.0.0.1:8081' };
    for (let time = 0; time < 2; time += 1) await operator.send({ method: 'DELETE', path: '/session', headers });
    const [signedIn, signedOut] = [
      [30, 'signed in'],
      [30, 'signed out'],
    ];
    assert.deepEqual(logged(), [signedIn, signedOut, signedIn, signedOut]);
    assert.doesNotMatch(operator.log.text, /Grace|appreg_/);
  });

  test('a code signs in once', async () => {
    const made = await newSignInCode(operator.data.registry, operator.tokens.review.id);
    const cookie = cookieOf(await signIn(made?.text));
    assert.equal((await apps(cookie)).status, 200);
    assert.equal((await signIn(made?.text)).refusal, '401 token_invalid');
  });

  test('any other token signs no one in, and the current session stays', async () => {
    const { data } = operator;
    const cookie = cookieOf(await signIn(operator.tokens.read.token));
    const stored = await everything(data.registry.storage);
    const platform = (await data.newToken('platform')).token;
    for (const token of [platform, operator.tokens.install.token]) {
      assert.equal((await signIn(token, { cookie })).refusal, '403 insufficient_scope');
    }
    for (const token of ['nonsense', cookie.split('=')[1], `${operator.tokens.admin.token}x`]) {
      assert.equal((await signIn(token, { cookie })).refusal, '401 token_invalid');
    }
    for (const token of ['', 5, null, undefined, ['a']]) {
      assert.equal((await signIn(token, { cookie })).refusal, '422 invalid_content');
    }
    assert.deepEqual((await everything(data.registry.storage)).sessions, stored.sessions);
    assert.equal((await apps(cookie)).status, 200);
  });
});

const attributes = 'Path=/; HttpOnly; SameSite=Strict';

describe('a browser', () => {
  let operator: OperatorFixture;
  let cookie: string;
  before(async () => {
    operator = await OperatorFixture.open(sqlite);
    cookie = `app-registry=${(await openSession(operator.data.registry, operator.tokens.admin.id))?.text}`;
  });
  after(() => operator.close());

  const change = (headers: Record<string, string>, body?: string) =>
    operator.send({
      method: 'POST',
      path: `/operator/v1/developers/${operator.data.developer.id}/erase`,
      headers: { cookie, ...headers },
      ...(body !== undefined && { body }),
    });

  test('makes no change through a form posted by a foreign page, nor by no page at all', async () => {
    const stored = await everything(operator.data.registry.storage);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const headers of [
      { ...form, origin: 'https://evil.example' },
      { ...form, origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site' },
      { ...form, origin: 'null', 'sec-fetch-site': 'cross-site' },
      // Neither field, as from old browsers.
      form,
      {},
      { 'sec-fetch-site': 'none' },
    ]) {
      assert.equal((await change(headers, '')).refusal, '403 origin_not_allowed', JSON.stringify(headers));
    }
    const image = { method: 'POST', path: '/operator/v1/logos', body: '--x--\r\n' };
    const upload = { cookie, 'content-type': 'multipart/form-data; boundary=x' };
    for (const foreign of [{ origin: 'https://evil.example' }, { origin: 'http://127.0.0.1:3000' }, {}]) {
      const response = await operator.send({ ...image, headers: { ...upload, ...foreign } });
      assert.equal(response.refusal, '403 origin_not_allowed');
    }
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
      const response = await operator.send({
        method: 'POST',
        path: '/operator/v1/apps',
        headers: { cookie, 'content-type': type, origin: 'http://127.0.0.1:8081' },
        body: '{"name":"By a form"}',
      });
      assert.equal(response.refusal, '415 unsupported_media_type', type);
    }
    assert.deepEqual(await everything(operator.data.registry.storage), stored);
  });

  test('is neither signed in nor signed out by a foreign page', async () => {
    const body = JSON.stringify({ token: operator.tokens.read.token });
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const posted = await operator.send({ method: 'POST', path: '/session', headers: { ...json, ...headers }, body });
      assert.equal(posted.refusal, '403 origin_not_allowed');
    }
    const plain = { 'content-type': 'text/plain', origin: 'http://127.0.0.1:8081' };
    const asText = await operator.send({ method: 'POST', path: '/session', headers: plain, body });
    assert.equal(asText.refusal, '415 unsupported_media_type');
    const ended = await operator.send({ method: 'DELETE', path: '/session', headers: { cookie } });
    assert.equal(ended.refusal, '403 origin_not_allowed');
    const still = await operator.send({ method: 'GET', path: '/operator/v1/apps', headers: { cookie } });
    assert.equal(still.status, 200);
  });

  test('makes the changes that its own page requests', async () => {
    for (const headers of [{ origin: 'http://127.0.0.1:8081' }, { 'sec-fetch-site': 'same-origin' }]) {
      assert.equal((await change(headers)).status, 200);
    }
  });
});

test('with https the cookie is for this host only, and never sent unencrypted', async () => {
  const operatorBaseUrl = 'https://operators.example.com';
  const operator = await OperatorFixture.open(sqlite, { operatorBaseUrl });
  const body = JSON.stringify({ token: operator.tokens.read.token });
  const response = await operator.send({ method: 'POST', path: '/session', headers: json, body });
  assert.match(
    response.headers['set-cookie'] ?? '',
    /^__Host-app-registry=appreg_session_\w{39}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  );
  const cookie = cookieOf(response);
  const accepted = await operator.send({ method: 'GET', path: '/operator/v1/apps', headers: { cookie } });
  assert.equal(accepted.status, 200);
  const other = cookie.replace('__Host-', '');
  const refused = await operator.send({ method: 'GET', path: '/operator/v1/apps', headers: { cookie: other } });
  assert.equal(refused.refusal, '401 token_missing');
  await operator.close();
});

test('a token or session that a proxy received unencrypted is refused where the address is https', async () => {
  const settings = { operatorBaseUrl: 'https://operators.example.com', trustedProxies: ['127.0.0.1'] };
  const operator = await OperatorFixture.open(sqlite, settings);
  const body = JSON.stringify({ token: operator.tokens.read.token });
  const signIn = (headers: Record<string, string>, path = '/session') =>
    operator.send({ method: 'POST', path, headers: { ...json, ...headers }, body });
  const [http, https] = [{ 'x-forwarded-proto': 'http' }, { 'x-forwarded-proto': 'https' }];
  const ofProvider = ['/session/authorization-request', '/session/authorization-response'];
  for (const path of ['/session', '/session?', '/%73ession', ...ofProvider]) {
    assert.equal((await signIn(http, path)).refusal, '403 https_required', path);
  }
  const cookie = cookieOf(await signIn(https));
  const list = { method: 'GET', path: '/operator/v1/apps' };
  assert.equal((await operator.send({ ...list, headers: { cookie, ...http } })).refusal, '403 https_required');
  assert.equal((await operator.send({ ...list, headers: { cookie, ...https } })).status, 200);
  assert.equal((await operator.send({ ...list, path: '/session', headers: http })).status, 200);
  await operator.close();
});

/** The Cookie field that a browser sends back. */
function cookieOf({ status, headers, text }: HttpResponse): string {
  assert.equal(status, 204, text);
  const [cookie] = headers['set-cookie']?.split(';') ?? [];
  return cookie ?? assert.fail('no cookie');
}
