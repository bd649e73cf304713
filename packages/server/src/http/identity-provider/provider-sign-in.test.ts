import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Engine, onSqlite } from '@appregistrar/testkit/engines/engines';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { audience, OpenIdProvider, secret } from '@appregistrar/testkit/identity-provider/openid-provider';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { freePort } from '@appregistrar/testkit/system/free-port';
import { ConsoleVisitor } from '../../../test/http/console-visitor.ts';
import { readConfig } from '../../config/config.ts';
import type { SignInState } from '../../features/access/browser-sessions.ts';
import { type Server, startServer } from '../../serve.ts';

const people = {
  grace: 'app-registry:portal app-registry:review',
  'ada@example.com': 'app-registry:read',
  eve: 'app-registry:developer newsletter:send',
  heidi: 'app-registry:install',
  'mal\u202elory\u0085': 'app-registry:read',
};
const operatorScopes = ['read', 'portal', 'review', 'admin'].map((scope) => `app-registry:${scope}`).join(' ');
const settings = {
  OIDC_AUDIENCE: audience,
  OIDC_CLIENT_ID: 'console',
  OIDC_CLIENT_SECRET: secret,
  OIDC_SIGN_IN_PARAMETERS: `resource=${encodeURIComponent(audience)}`,
};

let openId: OpenIdProvider;
let address: string;
onSqlite((engine) => {
  let running: Running;
  before(async () => {
    address = `http://127.0.0.1:${await freePort()}/`;
    const client = { hasSecret: true, redirectUri: address };
    openId = await OpenIdProvider.start(
      { program: operatorScopes },
      {
        people,
        signInClients: [
          { id: 'console', ...client },
          { id: 'public', ...client, hasSecret: false },
        ],
      },
    );
    running = await Running.start(engine);
  });
  after(async () => {
    await running.stop();
    await openId.stop();
  });

  test('a person with an operator scope of the provider may do what it allows, and events name the subject', async () => {
    const visitor = new ConsoleVisitor(address);
    assert.deepEqual(await shown(visitor), { brand: { name: 'App Registry' }, identityProvider: true });
    const response = await visitor.signIn('grace');
    assert.deepEqual([response.status, response.text], [204, '']);
    assert.deepEqual([...visitor.cookies.keys()], ['app-registry']);
    const { session } = await shown(visitor);
    assert.deepEqual(session, {
      holderId: 'oidc:grace',
      name: 'grace, by the provider',
      scopes: ['portal', 'review'],
      hidden: ['claims', 'notes'],
      expiresAt: session?.expiresAt,
    });
    const body = { developerId: running.data.developer.id, name: 'By a session of the provider' };
    const created = await visitor.send<{ id: string }>('POST', '/operator/v1/apps', body);
    assert.equal(created.status, 201, created.text);
    const [event] = await running.data.eventsOf(created.view.id);
    assert.deepEqual([event?.actor, event?.request_id], ['oidc:grace', created.headers['x-request-id']]);
    assert.equal((await visitor.send('GET', '/operator/v1/tokens')).refusal, '403 insufficient_scope');
  });

  test('the session and its cookie last as long as the access token', async () => {
    const visitor = new ConsoleVisitor(address);
    const before = Date.now();
    const response = await visitor.signIn('ada@example.com');
    // The provider's tokens are valid for 10 minutes, with half a minute of tolerance.
    const seconds = Number(/app-registry=\w+; Max-Age=(\d+)/.exec(response.headers['set-cookie'] ?? '')?.[1]);
    assert.ok(seconds > 570 && seconds <= 630, String(seconds));
    const { session } = await shown(visitor);
    const lifetimeMs = Date.parse(session?.expiresAt ?? '') - before;
    assert.ok(lifetimeMs > 570_000 && lifetimeMs < 690_000, String(lifetimeMs));
    assert.match(session?.holderId ?? '', /^oidc:sha256:[0-9a-f]{64}$/);
  });

  test('a token of the provider signs in directly, if it has an operator scope and is for this registry', async () => {
    const visitor = new ConsoleVisitor(address);
    const signIn = (token: string) => visitor.send('POST', '/session', { token });
    assert.equal((await signIn(await openId.tokenFor('program', 'app-registry:admin'))).status, 204);
    const { session } = await shown(visitor);
    assert.deepEqual([session?.holderId, session?.scopes], ['oidc:program', ['admin']]);
    assert.equal((await visitor.send('GET', '/operator/v1/tokens')).status, 200);
    assert.equal((await signIn(await openId.sign({ scope: 'newsletter:send' }))).refusal, '403 insufficient_scope');
    for (const token of [await openId.sign({ aud: 'https://other.example', scope: operatorScopes }), 'a.b.c']) {
      assert.equal((await signIn(token)).refusal, '401 token_invalid');
    }
    assert.equal((await shown(visitor)).session?.holderId, 'oidc:program');
  });

  test('a name of the provider is stored and shown without what no text may contain', async () => {
    const visitor = new ConsoleVisitor(address);
    assert.equal((await visitor.signIn('mal\u202elory\u0085')).status, 204);
    assert.equal((await shown(visitor)).session?.name, 'mallory, by the provider');
    const holders = (await rowsOf(running.data.registry.storage, 'sessions')).map(({ holder }) => holder ?? '');
    assert.ok(holders.some((holder) => holder.includes('"mallory, by the provider"')));
  });

  test('signing out ends the session, and signing in again ends the previous one', async () => {
    const visitor = new ConsoleVisitor(address);
    await visitor.signIn('grace');
    const first = cookieOf(visitor, 'app-registry');
    // The provider knows the browser, and shows no form.
    await visitor.signIn('ignored');
    const second = cookieOf(visitor, 'app-registry');
    assert.notEqual(first, second);
    assert.deepEqual(await statuses(visitor, [first, second]), [401, 200]);
    visitor.cookies.set('app-registry', second);
    assert.equal((await visitor.send('DELETE', '/session')).status, 204);
    assert.deepEqual(await statuses(visitor, [second]), [401]);
  });

  test('sessions of the provider end when it is no longer configured, and those of own tokens stay', async () => {
    const [visitor, other] = [new ConsoleVisitor(address), new ConsoleVisitor(address)];
    await visitor.signIn('grace');
    await other.send('POST', '/session', { token: (await running.data.newToken('operator')).token });
    await running.restart({ OIDC_ISSUER: '', OIDC_AUDIENCE: '', OIDC_CLIENT_ID: '', ...noOptions });
    assert.equal((await visitor.send('GET', '/operator/v1/apps')).refusal, '401 token_invalid');
    assert.deepEqual(await shown(visitor), { brand: { name: 'App Registry' }, identityProvider: false });
    assert.equal((await other.send('GET', '/operator/v1/apps')).status, 200);
    for (const [path, body] of [
      ['/session/authorization-request', {}],
      ['/session/authorization-response', { query: 'code=x' }],
    ] as const) {
      assert.equal((await visitor.send('POST', path, body)).refusal, '404 path_not_found');
    }
    await running.restart();
    assert.equal((await visitor.send('GET', '/operator/v1/apps')).status, 200);
  });

  describe('a response of the provider', () => {
    let sessions: number;
    const countSessions = async () => (await rowsOf(running.data.registry.storage, 'sessions')).length;
    before(async () => {
      sessions = await countSessions();
    });
    const opened = async (response: HttpResponse) => {
      assert.equal(response.status, 204, response.text);
      sessions += 1;
    };
    const refused = async (response: HttpResponse, why: RegExp) => {
      assert.equal(response.refusal, '403 sign_in_refused');
      assert.equal(await countSessions(), sessions);
      assert.match(response.problem.detail, why);
      // A failed sign-in leaves no session.
      assert.doesNotMatch(response.headers['set-cookie'] ?? '', /app-registry=\w/);
    };

    test('signs in once', async () => {
      const visitor = new ConsoleVisitor(address);
      const query = await visitor.goToProvider({ login: 'grace' });
      const pending = cookieOf(visitor, 'app-registry-sign-in');
      await opened(await visitor.finish(query));
      await refused(await visitor.finish(query), /sign-in is not in progress in this browser/);
      visitor.cookies.set('app-registry-sign-in', pending);
      await refused(await visitor.finish(query), /invalid_grant/);
    });

    test('signs in the browser that started, and no other', async () => {
      const [visitor, other, third] = [
        new ConsoleVisitor(address),
        new ConsoleVisitor(address),
        new ConsoleVisitor(address),
      ];
      const query = await visitor.goToProvider({ login: 'grace' });
      await refused(await other.finish(query), /sign-in is not in progress in this browser/);
      const own = await third.goToProvider({ login: 'eve' });
      await refused(await third.finish(query), /sign-in is not in progress in this browser/);
      // With the state of the third browser, and so a code that was made for another verifier.
      const mixed = new URLSearchParams(query);
      mixed.set('state', String(new URLSearchParams(own).get('state')));
      await refused(await third.finish(String(mixed)), /invalid_grant/);
    });

    test('signs no one in if any part of it was changed', async () => {
      const changes: [change: (response: { query: URLSearchParams; parts: string[] }) => void, why: RegExp][] = [
        [({ query }) => query.set('code', `${query.get('code')}x`), /invalid_grant/],
        [({ query }) => query.delete('code'), /is invalid/],
        [({ query }) => query.append('code', 'another'), /is invalid/],
        [({ query }) => query.set('iss', 'https://evil.example'), /"iss"/],
        [({ query }) => query.set('state', 'x'), /sign-in is not in progress in this browser/],
        [({ query }) => query.delete('state'), /sign-in is not in progress in this browser/],
        [({ parts }) => parts.splice(1, 1, 'x'), /nonce/],
        [({ parts }) => parts.splice(2, 1, 'x'.repeat(43)), /invalid_grant/],
        [({ parts }) => parts.splice(2, 1), /sign-in is not in progress in this browser/],
      ];
      for (const [change, why] of changes) {
        const visitor = new ConsoleVisitor(address);
        const query = new URLSearchParams(await visitor.goToProvider({ login: 'grace' }));
        const parts = cookieOf(visitor, 'app-registry-sign-in').split('.');
        change({ query, parts });
        visitor.cookies.set('app-registry-sign-in', parts.join('.'));
        await refused(await visitor.finish(String(query)), why);
      }
    });

    test('is accepted only from a page of this listener', async () => {
      const visitor = new ConsoleVisitor(address);
      const query = await visitor.goToProvider({ login: 'grace' });
      const cookie = `app-registry-sign-in=${visitor.cookies.get('app-registry-sign-in')}`;
      const finish = (headers: Record<string, string>) =>
        fetch(`${address}session/authorization-response`, {
          method: 'POST',
          headers: { cookie, 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ query }),
        });
      for (const headers of [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'none' }]) {
        assert.equal((await finish(headers)).status, 403, JSON.stringify(headers));
      }
      await opened(await visitor.finish(query));
    });

    test('without the state of a request signs no one in, and shows no more than its error code', async () => {
      const visitor = new ConsoleVisitor(address);
      const responses: [query: string, why: RegExp][] = [
        ['error=invalid_scope&error_description=Call+hush', /rejected a sign-in with invalid_scope, without its state/],
        ['error=Call+hush', /replaced by one in another tab/],
        ['error=access_denied&state=x', /replaced by one in another tab/],
        ['code=x', /replaced by one in another tab/],
      ];
      for (const [query, why] of responses) {
        const response = await visitor.finish(query);
        await refused(response, why);
        assert.doesNotMatch(response.problem.detail, /hush/);
      }
    });

    test('that rejects the sign-in is shown in its own words', async () => {
      const visitor = new ConsoleVisitor(address);
      const query = await visitor.goToProvider({ login: 'grace', cancel: '1' });
      await refused(
        await visitor.finish(query),
        /sign-in: access_denied: You <b>would not<\/b> sign in\. Sign in again/,
      );
    });

    test('without a scope of the console signs no one in, and the problem lists those scopes', async () => {
      const why =
        /none of the scopes that the console needs: app-registry:read, app-registry:portal, .+-registry:admin\./;
      for (const login of ['eve', 'heidi']) await refused(await new ConsoleVisitor(address).signIn(login), why);
    });

    test('is missing while the provider is unreachable, and is requested again afterwards', async () => {
      const visitor = new ConsoleVisitor(address);
      const query = await visitor.goToProvider({ login: 'grace' });
      await openId.stop();
      const away = await visitor.finish(query);
      await running.restart();
      const notStarted = await visitor.send('POST', '/session/authorization-request');
      for (const response of [away, notStarted]) {
        assert.equal(response.refusal, '503 unavailable');
        assert.match(
          response.problem.detail,
          /cannot be reached. Try again in a moment, or sign in with an operator token/,
        );
      }
      await openId.resume();
      assert.equal((await visitor.send('POST', '/session/authorization-request')).status, 200);
    });

    test('is accepted for a public client too; for an unknown client the problem names the settings to check', async () => {
      await running.restart({ OIDC_CLIENT_ID: 'public', OIDC_CLIENT_SECRET: '' });
      await opened(await new ConsoleVisitor(address).signIn('grace'));
      await running.restart({ OIDC_CLIENT_SECRET: 'another secret' });
      await refused(await new ConsoleVisitor(address).signIn('grace'), /OIDC_CLIENT_ID and OIDC_CLIENT_SECRET/);
    });

    test('with a token that is not for this registry gets a problem that names the settings to check', async () => {
      await running.restart({ OIDC_SIGN_IN_PARAMETERS: '' });
      await refused(await new ConsoleVisitor(address).signIn('grace'), /OIDC_AUDIENCE and OIDC_SIGN_IN_PARAMETERS/);
    });

    test('leads to at most 30 requests a minute to the provider, however many clients make up', async () => {
      await running.restart();
      const visitor = new ConsoleVisitor(address);
      const made = String(new URLSearchParams({ code: 'x', state: 'a', iss: openId.issuer }));
      for (let times = 0; times < 30; times += 1) {
        visitor.cookies.set('app-registry-sign-in', 'a.b.c');
        await refused(await visitor.finish(made), /invalid_grant/);
      }
      const query = await visitor.goToProvider({ login: 'grace' });
      const response = await visitor.finish(query);
      assert.equal(response.refusal, '429 too_many_requests');
      assert.match(response.headers['retry-after'] ?? '', /^[1-9]\d?$/);
      assert.match(response.problem.detail, /Sign in again in \d+ s, or with an operator token/);
    });
  });

  test('the requested scope is configurable, and a request contains no secret', async () => {
    await running.restart({ OIDC_SIGN_IN_SCOPE: 'openid app-registry:review' });
    const visitor = new ConsoleVisitor(address);
    const started = await visitor.send<{ location: string }>('POST', '/session/authorization-request');
    const query = new URL(started.view.location).searchParams;
    const [state, nonce, verifier] = visitor.cookies.get('app-registry-sign-in')?.split('.') ?? [];
    assert.deepEqual(Object.fromEntries(query), {
      client_id: 'console',
      response_type: 'code',
      redirect_uri: address,
      scope: 'openid app-registry:review',
      resource: audience,
      state,
      nonce,
      code_challenge: query.get('code_challenge'),
      code_challenge_method: 'S256',
    });
    assert.ok(verifier && !started.text.includes(verifier) && !started.text.includes(secret));
    const field = /^app-registry-sign-in=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Strict$/;
    assert.match(started.headers['set-cookie'] ?? '', field);
    assert.equal((await visitor.signIn('grace')).status, 204);
    assert.deepEqual((await shown(visitor)).session?.scopes, ['review']);
  });
});

const noOptions = { OIDC_CLIENT_SECRET: '', OIDC_SIGN_IN_PARAMETERS: '' };

function cookieOf(visitor: ConsoleVisitor, name: string): string {
  return visitor.cookies.get(name) ?? assert.fail(`no cookie ${name}`);
}

const shown = async (visitor: ConsoleVisitor) => (await visitor.send<SignInState>('GET', '/session')).view;

async function statuses(visitor: ConsoleVisitor, sessions: string[]): Promise<number[]> {
  const responses: number[] = [];
  for (const session of sessions) {
    visitor.cookies.set('app-registry', session);
    responses.push((await visitor.send('GET', '/operator/v1/apps')).status);
  }
  return responses;
}

/** A running service, at the URL that the provider redirects back to. */
class Running {
  readonly data: RegistryFixture;
  readonly #log = new CapturedLog();
  #server: Server | undefined;

  static async start(engine: Engine, environment: Record<string, string> = {}): Promise<Running> {
    const running = new Running(await RegistryFixture.open(engine));
    await running.restart(environment);
    return running;
  }

  private constructor(data: RegistryFixture) {
    this.data = data;
  }

  async restart(environment: Record<string, string> = {}): Promise<void> {
    await this.#server?.stop();
    const config = readConfig({
      DATABASE_URL: this.data.databaseUrl,
      PUBLIC_ADDRESS: '127.0.0.1:0',
      OPERATOR_ADDRESS: new URL(address).host,
      OIDC_ISSUER: openId.issuer,
      ...settings,
      ...environment,
    });
    this.#server = await startServer(config, this.#log.logger);
  }

  /** Asserts that no token, secret, code or name was logged. */
  async stop(): Promise<void> {
    await this.#server?.stop();
    await this.data.close();
    assert.doesNotMatch(this.#log.text, /appreg_|eyJ|@example\.com|by the provider|code=|secret of no value|would not/);
  }
}
