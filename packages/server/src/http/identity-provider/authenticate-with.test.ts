import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { suspendDeveloper, unsuspendDeveloper } from '@appregistrar/testkit/calls/suspension';
import { type Engine, onSqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { audience, OpenIdProvider } from '@appregistrar/testkit/identity-provider/openid-provider';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { readConfig } from '../../config/config.ts';
import type { OperatorApp } from '../../features/apps/app-schemas.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { type Server, startServer } from '../../serve.ts';

const developer = newId('user');
const scopesOf = {
  [developer]: 'app-registry:developer',
  stranger: 'app-registry:developer',
  storefront: 'app-registry:platform',
  portal: 'app-registry:portal',
  reviewer: 'app-registry:review',
  newsletter: 'newsletter:send',
  founder: 'app-registry:developer app-registry:platform app-registry:admin',
};
let openId: OpenIdProvider;
onSqlite((engine) => {
  let running: Running;
  let app: OperatorApp;
  before(async () => {
    openId = await OpenIdProvider.start(scopesOf);
    // The claim that identifies a user here; the subject of a client is the client.
    openId.extraClaims[developer] = { uid: developer };
    openId.extraClaims.founder = { uid: developer };
    openId.extraClaims.stranger = { uid: newId('user') };
    running = await Running.start(engine, { OIDC_ISSUER: openId.issuer });
    app = await running.newApp();
  });
  after(async () => {
    await running.stop();
    await openId.stop();
  });

  describe('a token of the identity provider', () => {
    test('with the developer scope updates the apps of its user, and the event has its subject as the actor', async () => {
      const token = await openId.tokenFor(developer);
      const response = await running.updateApp(token, app.id, { name: 'Renamed by an outsider' });
      assert.equal(response.status, 200, response.text);
      const event = (await running.data.eventsOf(app.id)).at(-1);
      assert.deepEqual([event?.type, event?.actor], ['app.updated', `oidc:${developer}`]);
    });

    test('cannot reach the app of another developer, nor find out that it exists', async () => {
      const others = await running.data.newApp();
      for (const [client, id] of [
        [developer, others.id],
        ['stranger', app.id],
      ] as const) {
        const response = await running.updateApp(await openId.tokenFor(client), id, { name: 'Taken over' });
        assert.equal(response.refusal, '404 app_not_found');
      }
    });

    test('is refused as soon as its developer is suspended, and only as a developer', async () => {
      const { registry } = running.data;
      const [token, founder] = [await openId.tokenFor(developer), await openId.tokenFor('founder')];
      await suspendDeveloper(registry, commandLine, { userId: developer, suspension: { reason: 'It sends spam.' } });
      for (const text of [token, founder]) {
        const response = await running.updateApp(text, app.id, { name: 'Hostile' });
        assert.equal(response.refusal, '403 developer_suspended');
      }
      assert.equal((await running.getApp(founder, app.id)).status, 200);
      await unsuspendDeveloper(registry, commandLine, developer);
      assert.equal((await running.updateApp(token, app.id, {})).status, 200);
    });

    test('replays an update by its key also with a refreshed token, but not as another subject', async () => {
      const update = { name: 'Sent twice' };
      const headers = { 'idempotency-key': 'once' };
      const first = await running.updateApp(await openId.tokenFor(developer), app.id, update, headers);
      const again = await running.updateApp(await openId.tokenFor(developer), app.id, update, headers);
      const another = await running.updateApp(await openId.tokenFor('founder'), app.id, update, headers);
      const replayed = [first, again, another].map((response) => response.headers['idempotency-replayed']);
      assert.deepEqual(replayed, [undefined, 'true', undefined]);
      assert.deepEqual([first.status, again.text], [200, first.text]);
    });

    test('with the platform scope gets any app, and updates none', async () => {
      const token = await openId.tokenFor('storefront');
      assert.equal((await running.getApp(token, app.id)).status, 200);
      assertForbidden(await running.updateApp(token, app.id, {}));
      assertForbidden(await running.operate(token, 'GET', '/apps'));
    });

    test('with operator scopes does on the operator listener what they allow', async () => {
      const portal = await openId.tokenFor('portal');
      const reviewer = await openId.tokenFor('reviewer');
      const input = { developerId: running.data.developer.userId, name: 'Made by the portal' };
      const created = await running.operate<OperatorApp>(portal, 'POST', '/apps', input);
      assert.equal(created.status, 201, created.text);
      assertForbidden(await running.operate(reviewer, 'POST', '/apps', input), 'portal');
      assertForbidden(await running.operate(portal, 'DELETE', `/apps/${created.view.id}`), 'admin');
      for (const token of [portal, reviewer]) {
        assert.equal((await running.operate(token, 'GET', `/apps/${created.view.id}`)).status, 200);
        assertForbidden(await running.getApp(token, created.view.id));
      }
      assert.equal((await running.data.eventsOf(created.view.id))[0]?.actor, 'oidc:portal');
    });

    test('with all scopes works on each listener', async () => {
      const token = await openId.tokenFor('founder');
      assert.equal((await running.updateApp(token, app.id, {})).status, 200);
      assert.equal((await running.getApp(token, app.id)).status, 200);
      assert.equal((await running.operate(token, 'GET', '/apps')).status, 200);
    });

    test('without a scope of the registry is a valid token that may do nothing', async () => {
      const token = await openId.tokenFor('newsletter');
      assertForbidden(await running.getApp(token, app.id));
      assertForbidden(await running.updateApp(token, app.id, {}));
      assertForbidden(await running.operate(token, 'GET', '/apps'));
    });

    test('that is invalid gets 401 on each listener', async () => {
      const token = await openId.sign({ aud: 'https://other.example', scope: scopesOf.founder, uid: developer });
      for (const response of await running.onEachListener(token, app.id)) {
        assert.equal(response.refusal, '401 token_invalid');
        assert.equal(response.headers['www-authenticate'], 'Bearer realm="app-registry", error="invalid_token"');
      }
    });
  });

  test('tokens of the registry work as without an identity provider', async () => {
    await assertOwnTokensWork(running);
  });

  describe('while the identity provider has never been reachable', () => {
    let running: Running;
    before(async () => {
      running = await Running.start(engine, { OIDC_ISSUER: 'http://127.0.0.1:1' });
    });
    after(() => running.stop());

    test('its tokens get 503 with Retry-After on each listener', async () => {
      const token = await openId.sign({ iss: 'http://127.0.0.1:1', scope: scopesOf.founder });
      for (const response of await running.onEachListener(token, newId('app'))) {
        assert.equal(response.refusal, '503 unavailable');
        assert.equal(response.headers['retry-after'], '10');
      }
    });

    test('tokens of the registry work, and malformed tokens get 401', async () => {
      await assertOwnTokensWork(running);
      for (const token of ['appreg_platform_x', 'a.b', 'a.b.c.d', 'a b', '']) {
        assert.equal((await running.getApp(token, newId('app'))).refusal, '401 token_invalid', token);
      }
    });
  });

  test('without an identity provider, JWTs are unknown tokens', async () => {
    const running = await Running.start(engine, {});
    const token = await openId.tokenFor('founder');
    for (const response of await running.onEachListener(token, newId('app'))) {
      assert.equal(response.refusal, '401 token_invalid');
    }
    await running.stop();
  });
});

async function assertOwnTokensWork(running: Running): Promise<void> {
  const app = await running.data.newApp();
  const { token } = await running.data.newToken('developer');
  assert.equal((await running.updateApp(token, app.id, {})).status, 200);
  assert.equal((await running.getApp((await running.data.newToken('platform')).token, app.id)).status, 200);
  assert.equal((await running.operate((await running.data.newToken('operator')).token, 'GET', '/apps')).status, 200);
}

function assertForbidden(response: HttpResponse, scope?: string): void {
  assert.equal(response.refusal, '403 insufficient_scope');
  const needed = scope === undefined ? '' : `, scope="${scope}"`;
  assert.equal(
    response.headers['www-authenticate'],
    `Bearer realm="app-registry", error="insufficient_scope"${needed}`,
  );
}

/** Both listeners of a running server. */
class Running {
  readonly data: RegistryFixture;
  readonly #server: Server;
  readonly #log: CapturedLog;

  static async start(engine: Engine, { OIDC_ISSUER }: { OIDC_ISSUER?: string }): Promise<Running> {
    const data = await RegistryFixture.open(engine);
    const log = new CapturedLog();
    const config = readConfig({
      DATABASE_URL: data.databaseUrl,
      PUBLIC_ADDRESS: '127.0.0.1:0',
      OPERATOR_ADDRESS: '127.0.0.1:0',
      ...(OIDC_ISSUER && { OIDC_ISSUER, OIDC_AUDIENCE: audience, OIDC_USER_ID_CLAIM: 'uid' }),
    });
    return new Running({ data, log, server: await startServer(config, log.logger) });
  }

  private constructor({ data, log, server }: { data: RegistryFixture; log: CapturedLog; server: Server }) {
    this.data = data;
    this.#log = log;
    this.#server = server;
  }

  /** An app of the developer in the tokens of the identity provider. */
  async newApp(): Promise<OperatorApp> {
    const { token } = await this.data.newToken('operator');
    await this.operate(token, 'POST', '/developers', { userId: developer, email: 'eve@example.com' });
    return this.data.newApp({ developerId: developer });
  }

  updateApp(token: string, id: string, update: object, headers: Record<string, string> = {}): Promise<HttpResponse> {
    const { port } = this.#server.publicAddress;
    const address = `http://127.0.0.1:${port}/developer/apps/v1/${id}`;
    return send(address, { method: 'PATCH', token, body: update, headers });
  }

  getApp(token: string, id: string): Promise<HttpResponse> {
    return send(`http://127.0.0.1:${this.#server.publicAddress.port}/platform/apps/v1/${id}`, { method: 'GET', token });
  }

  operate<View>(token: string, method: string, path: string, body?: object): Promise<HttpResponse<View>> {
    const address = `http://127.0.0.1:${this.#server.operatorAddress.port}/operator/v1${path}`;
    return send(address, { method, token, ...(body && { body }) });
  }

  async onEachListener(token: string, id: string): Promise<HttpResponse[]> {
    return [
      await this.updateApp(token, id, {}),
      await this.getApp(token, id),
      await this.operate(token, 'GET', '/apps'),
    ];
  }

  /** Asserts that no token and no email address was logged. */
  async stop(): Promise<void> {
    await this.#server.stop();
    await this.data.close();
    assert.doesNotMatch(this.#log.text, /appreg_|eyJ|@example\.com/);
  }
}

interface Sent {
  method: string;
  token: string;
  body?: object;
  headers?: Record<string, string>;
}

async function send<View>(address: string, { method, token, body, headers }: Sent): Promise<HttpResponse<View>> {
  const response = await fetch(address, {
    method,
    // An idle connection would delay the end of the service.
    headers: { ...bearer(token), connection: 'close', ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return new HttpResponse<View>(response.status, Object.fromEntries(response.headers), await response.text());
}
