import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createDeveloper } from '@appregistrar/testkit/calls/developers';
import { suspendDeveloper, unsuspendDeveloper } from '@appregistrar/testkit/calls/suspension';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import { OpenIdProvider } from '@appregistrar/testkit/identity-provider/openid-provider';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { identityProviderOf } from '../../../test/identity-provider/identity-provider-of.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';

// What each scope may do, on each listener, is in authorisation.test.ts.
const userId = newId('user');
const scopesOf = {
  developer: 'app-registry:developer',
  stranger: 'app-registry:developer',
  founder: 'app-registry:developer app-registry:platform app-registry:admin',
};

onSqlite((engine) => {
  let openId: OpenIdProvider;
  let http: HttpFixture;
  let appId: string;
  before(async () => {
    openId = await OpenIdProvider.start(scopesOf);
    // The claim that identifies a user here; the subject of a client is the client.
    for (const client of ['developer', 'founder']) openId.extraClaims[client] = { uid: userId };
    openId.extraClaims.stranger = { uid: newId('user') };
    const { provider } = identityProviderOf({ issuer: openId.issuer, userIdClaim: 'uid' });
    http = await HttpFixture.open(engine, { identityProvider: provider });
    await createDeveloper(http.data.registry, commandLine, { id: userId, email: 'eve@example.com' });
    appId = (await http.data.newApp({ developerId: userId })).id;
  });
  after(async () => {
    await http.close();
    await openId.stop();
  });

  const tokenFor = async (client: keyof typeof scopesOf) => bearer(await openId.tokenFor(client));

  test('a developer token of the provider updates the apps of its user, and the event has its subject as the actor', async () => {
    assert.equal((await http.updateApp(appId, { name: 'By an outsider' }, await tokenFor('developer'))).status, 200);
    const event = (await http.data.eventsOf(appId)).at(-1);
    assert.deepEqual([event?.type, event?.actor], ['app.updated', 'oidc:developer']);
  });

  test('it cannot reach the app of another developer, nor find out that it exists', async () => {
    const others = await http.data.newApp();
    for (const [client, id] of [
      ['developer', others.id],
      ['stranger', appId],
    ] as const) {
      const response = await http.updateApp(id, { name: 'Taken over' }, await tokenFor(client));
      assert.equal(response.refusal, '404 app_not_found');
    }
  });

  test('it is refused as soon as its developer is suspended, and only as a developer', async () => {
    const { registry } = http.data;
    const [developer, founder] = [await tokenFor('developer'), await tokenFor('founder')];
    await suspendDeveloper(registry, commandLine, { userId, suspension: { reason: 'It sends spam.' } });
    for (const token of [developer, founder]) {
      assert.equal((await http.updateApp(appId, { name: 'Hostile' }, token)).refusal, '403 developer_suspended');
    }
    assert.equal((await http.getApp(appId, founder)).status, 200);
    await unsuspendDeveloper(registry, commandLine, userId);
    assert.equal((await http.updateApp(appId, {}, developer)).status, 200);
  });

  test('an update is replayed by its key also with a refreshed token, but not as another subject', async () => {
    const update = async (client: keyof typeof scopesOf) =>
      http.updateApp(appId, { name: 'Sent twice' }, { ...(await tokenFor(client)), 'idempotency-key': 'once' });
    const [first, again, another] = [await update('developer'), await update('developer'), await update('founder')];
    const replayed = [first, again, another].map((response) => response.headers['idempotency-replayed']);
    assert.deepEqual(replayed, [undefined, 'true', undefined]);
    assert.deepEqual([first.status, again.text], [200, first.text]);
  });

  test('while the provider has never been reachable, its tokens get 503, and all others the usual response', async () => {
    const issuer = 'http://127.0.0.1:1';
    const away = await HttpFixture.open(engine, { identityProvider: identityProviderOf({ issuer }).provider });
    const { id } = await away.data.newApp();
    const token = bearer(await openId.sign({ iss: issuer, scope: scopesOf.founder }));
    for (const response of [await away.updateApp(id, {}, token), await away.getApp(id, token)]) {
      assert.deepEqual([response.refusal, response.headers['retry-after']], ['503 unavailable', '10']);
    }
    assert.deepEqual([(await away.updateApp(id, {})).status, (await away.getApp(id)).status], [200, 200]);
    for (const text of ['appreg_platform_x', 'a.b', 'a.b.c.d', 'a b', '']) {
      assert.equal((await away.getApp(id, bearer(text))).refusal, '401 token_invalid', text);
    }
    await away.close();
  });

  test('without an identity provider, JWTs are unknown tokens', async () => {
    const without = await HttpFixture.open(engine);
    assert.equal((await without.getApp(appId, await tokenFor('founder'))).refusal, '401 token_invalid');
    await without.close();
  });
});
