import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Engine, forEachEngine, sqlite } from 'app-registry-testkit/engines/engines';
import { ConsoleVisitor } from 'app-registry-testkit/http/console-visitor';
import type { HttpResponse } from 'app-registry-testkit/http/http-response';
import { audience, OpenIdProvider, secret } from 'app-registry-testkit/identity-provider/openid-provider';
import { CapturedLog } from 'app-registry-testkit/registry/captured-log';
import { rowsOf } from 'app-registry-testkit/registry/recorded';
import { RegistryFixture } from 'app-registry-testkit/registry/registry-fixture';
import { freePort } from 'app-registry-testkit/system/free-port';
import { readConfig } from '../../config/config.ts';
import type { SignInState } from '../../contract/session.ts';
import { type Server, startServer } from '../../serve.ts';

const people = {
  grace: 'app-registry:portal app-registry:review',
  'ada@example.com': 'app-registry:read',
  eve: 'app-registry:developer newsletter:send',
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
});
after(() => openId.stop());

forEachEngine((engine) => {
  let running: Running;
  before(async () => {
    running = await Running.start(engine);
  });
  after(() => running.stop());

  test('whom the provider gives a scope of operators may do what that says, and events name the subject', async () => {
    const visitor = new ConsoleVisitor(address);
    assert.deepEqual(await shown(visitor), { identityProvider: true });
    const answer = await visitor.signIn('grace');
    assert.deepEqual([answer.status, answer.text], [204, '']);
    assert.deepEqual([...visitor.cookies.keys()], ['app-registry']);
    const { session } = await shown(visitor);
    assert.deepEqual(session, {
      holderId: 'oidc:grace',
      name: 'grace, by the provider',
      scopes: ['portal', 'review'],
      expiresAt: session?.expiresAt,
    });
    const body = { developerId: running.data.developer.userId, name: 'By a session of the provider' };
    const created = await visitor.send<{ id: string }>('POST', '/operator/v1/apps', body);
    assert.equal(created.status, 201, created.text);
    const [event] = await running.data.eventsOf(created.view.id);
    assert.deepEqual([event?.actor, event?.request_id], ['oidc:grace', created.headers['x-request-id']]);
    assert.equal((await visitor.send('GET', '/operator/v1/tokens')).refusal, '403 insufficient_scope');
  });

  test('the session lasts as long as the access token, and the browser knows it', async () => {
    const visitor = new ConsoleVisitor(address);
    const before = Date.now();
    const answer = await visitor.signIn('ada@example.com');
    // The provider's tokens live for 10 minutes, and are good for half a minute more.
    const seconds = Number(/app-registry=\w+; Max-Age=(\d+)/.exec(answer.headers['set-cookie'] ?? '')?.[1]);
    assert.ok(seconds > 570 && seconds <= 630, String(seconds));
    const { session } = await shown(visitor);
    const lifeMs = Date.parse(session?.expiresAt ?? '') - before;
    assert.ok(lifeMs > 570_000 && lifeMs < 690_000, String(lifeMs));
    assert.match(session?.holderId ?? '', /^oidc:sha256:[0-9a-f]{64}$/);
  });

  test('a token of the provider signs in by itself, when it has a scope of operators and is for this registry', async () => {
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

  test('signing out ends the session, and signing in anew ends the one before', async () => {
    const visitor = new ConsoleVisitor(address);
    await visitor.signIn('grace');
    const first = visitor.cookies.get('app-registry') as string;
    // The provider knows the browser, and asks nothing.
    await visitor.signIn('nobody, as nobody is asked');
    const second = visitor.cookies.get('app-registry') as string;
    assert.notEqual(first, second);
    assert.deepEqual(await statuses(visitor, [first, second]), [401, 200]);
    visitor.cookies.set('app-registry', second);
    assert.equal((await visitor.send('DELETE', '/session')).status, 204);
    assert.deepEqual(await statuses(visitor, [second]), [401]);
  });

  test('no session of the provider outlives its being configured, and those of own tokens go on', async () => {
    const [visitor, other] = [new ConsoleVisitor(address), new ConsoleVisitor(address)];
    await visitor.signIn('grace');
    await other.send('POST', '/session', { token: (await running.data.newToken('operator')).token });
    await running.restart({ OIDC_ISSUER: '', OIDC_AUDIENCE: '', OIDC_CLIENT_ID: '', ...noOptions });
    assert.equal((await visitor.send('GET', '/operator/v1/apps')).refusal, '401 token_invalid');
    assert.deepEqual(await shown(visitor), { identityProvider: false });
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
});

describe('an answer of the provider', () => {
  let running: Running;
  before(async () => {
    running = await Running.start(sqlite);
  });
  after(() => running.stop());

  let sessions = 0;
  const opened = async (answer: HttpResponse) => {
    assert.equal(answer.status, 204, answer.text);
    sessions += 1;
  };
  const refused = async (answer: HttpResponse, why: RegExp) => {
    assert.equal(answer.refusal, '403 sign_in_refused');
    assert.equal((await rowsOf(running.data.registry.storage, 'sessions')).length, sessions);
    assert.match(answer.problem.detail, why);
    // A browser that has failed has nothing left to try again with.
    assert.doesNotMatch(answer.headers['set-cookie'] ?? '', /app-registry=\w/);
  };

  test('signs in once', async () => {
    const visitor = new ConsoleVisitor(address);
    const query = await visitor.goToProvider({ login: 'grace' });
    const begun = visitor.cookies.get('app-registry-sign-in') as string;
    await opened(await visitor.finish(query));
    await refused(await visitor.finish(query), /waits for no such answer/);
    visitor.cookies.set('app-registry-sign-in', begun);
    await refused(await visitor.finish(query), /invalid_grant/);
  });

  test('signs in the browser that has begun, and no other one', async () => {
    const [visitor, other, third] = [1, 2, 3].map(() => new ConsoleVisitor(address)) as [V, V, V];
    const query = await visitor.goToProvider({ login: 'grace' });
    await refused(await other.finish(query), /waits for no such answer/);
    const own = await third.goToProvider({ login: 'eve' });
    await refused(await third.finish(query), /waits for no such answer/);
    // With the state of the third browser, and so a code that was made for another verifier.
    const mixed = new URLSearchParams(query);
    mixed.set('state', new URLSearchParams(own).get('state') as string);
    await refused(await third.finish(String(mixed)), /invalid_grant/);
  });

  test('signs nobody in when anything of it was changed', async () => {
    const changes: [change: (answer: { query: URLSearchParams; begun: string[] }) => void, why: RegExp][] = [
      [({ query }) => query.set('code', `${query.get('code')}x`), /invalid_grant/],
      [({ query }) => query.delete('code'), /not good/],
      [({ query }) => query.append('code', 'another'), /not good/],
      [({ query }) => query.set('iss', 'https://evil.example'), /"iss"/],
      [({ query }) => query.set('state', 'x'), /waits for no such answer/],
      [({ query }) => query.delete('state'), /waits for no such answer/],
      [({ begun }) => begun.splice(1, 1, 'x'), /nonce/],
      [({ begun }) => begun.splice(2, 1, 'x'.repeat(43)), /invalid_grant/],
      [({ begun }) => begun.splice(2, 1), /waits for no such answer/],
    ];
    for (const [change, why] of changes) {
      const visitor = new ConsoleVisitor(address);
      const query = new URLSearchParams(await visitor.goToProvider({ login: 'grace' }));
      const begun = (visitor.cookies.get('app-registry-sign-in') as string).split('.');
      change({ query, begun });
      visitor.cookies.set('app-registry-sign-in', begun.join('.'));
      await refused(await visitor.finish(String(query)), why);
    }
  });

  test('is taken from a page of this listener alone', async () => {
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

  test('is what the provider is asked about 30 times a minute at most, however much browsers make up', async () => {
    await running.restart();
    const visitor = new ConsoleVisitor(address);
    const made = String(new URLSearchParams({ code: 'x', state: 'a', iss: openId.issuer }));
    for (let asked = 0; asked < 30; asked += 1) {
      visitor.cookies.set('app-registry-sign-in', 'a.b.c');
      await refused(await visitor.finish(made), /invalid_grant/);
    }
    const query = await visitor.goToProvider({ login: 'grace' });
    const answer = await visitor.finish(query);
    assert.equal(answer.refusal, '429 too_many_requests');
    assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d?$/);
    assert.match(answer.problem.detail, /Sign in again in \d+ s, or with an operator token/);
    await running.restart();
    await opened(await visitor.signIn('grace'));
  });

  test('without the state of a request signs nobody in, and no more than its error code is told', async () => {
    const visitor = new ConsoleVisitor(address);
    const answers: [query: string, why: RegExp][] = [
      ['error=invalid_scope&error_description=Call+hush', /it says invalid_scope, and not which request/],
      ['error=Call+hush', /another tab has begun since/],
      ['error=access_denied&state=x', /another tab has begun since/],
      ['code=x', /another tab has begun since/],
    ];
    for (const [query, why] of answers) {
      const answer = await visitor.finish(query);
      await refused(answer, why);
      assert.doesNotMatch(answer.problem.detail, /hush/);
    }
  });

  test('that is a refusal is told in its own words', async () => {
    const visitor = new ConsoleVisitor(address);
    const query = await visitor.goToProvider({ login: 'grace', cancel: '1' });
    await refused(await visitor.finish(query), /says: access_denied: You <b>would not<\/b> sign in\. Sign in again/);
  });

  test('without a scope of operators signs nobody in, and says what is missing', async () => {
    await refused(
      await new ConsoleVisitor(address).signIn('eve'),
      /none of the scopes of operators: app-registry:read,/,
    );
  });

  test('is none while the provider is away, and it is asked again when it is back', async () => {
    const visitor = new ConsoleVisitor(address);
    const query = await visitor.goToProvider({ login: 'grace' });
    await openId.stop();
    const away = await visitor.finish(query);
    await running.restart();
    const notEvenBegun = await visitor.send('POST', '/session/authorization-request');
    for (const answer of [away, notEvenBegun]) {
      assert.equal(answer.refusal, '503 unavailable');
      assert.match(
        answer.problem.detail,
        /cannot be reached. Try again in a moment, or sign in with an operator token/,
      );
    }
    await openId.resume();
    assert.equal((await visitor.send('POST', '/session/authorization-request')).status, 200);
  });

  test('is taken of a public client too; of one that the provider does not know it is told what to look at', async () => {
    await running.restart({ OIDC_CLIENT_ID: 'public', OIDC_CLIENT_SECRET: '' });
    await opened(await new ConsoleVisitor(address).signIn('grace'));
    await running.restart({ OIDC_CLIENT_SECRET: 'another secret' });
    await refused(await new ConsoleVisitor(address).signIn('grace'), /OIDC_CLIENT_ID and OIDC_CLIENT_SECRET/);
  });

  test('whose token is not for this registry is told what to look at', async () => {
    await running.restart({ OIDC_SIGN_IN_PARAMETERS: '' });
    await refused(await new ConsoleVisitor(address).signIn('grace'), /OIDC_AUDIENCE and OIDC_SIGN_IN_PARAMETERS/);
  });
});

test('what is asked for can be said, and a request names nothing that is secret', async () => {
  const running = await Running.start(sqlite, { OIDC_SIGN_IN_SCOPE: 'openid app-registry:review' });
  const visitor = new ConsoleVisitor(address);
  const begun = await visitor.send<{ location: string }>('POST', '/session/authorization-request');
  const query = new URL(begun.view.location).searchParams;
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
  assert.ok(!begun.text.includes(verifier as string) && !begun.text.includes(secret));
  const field = /^app-registry-sign-in=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Strict$/;
  assert.match(begun.headers['set-cookie'] ?? '', field);
  assert.equal((await visitor.signIn('grace')).status, 204);
  assert.deepEqual((await shown(visitor)).session?.scopes, ['review']);
  await running.stop();
});

type V = ConsoleVisitor;

const noOptions = { OIDC_CLIENT_SECRET: '', OIDC_SIGN_IN_PARAMETERS: '' };

const shown = async (visitor: ConsoleVisitor) => (await visitor.send<SignInState>('GET', '/session')).view;

async function statuses(visitor: ConsoleVisitor, sessions: string[]): Promise<number[]> {
  const answers: number[] = [];
  for (const session of sessions) {
    visitor.cookies.set('app-registry', session);
    answers.push((await visitor.send('GET', '/operator/v1/apps')).status);
  }
  return answers;
}

/** The service, at the address that the provider sends people back to. */
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

  /** No token, secret, code or name was logged. */
  async stop(): Promise<void> {
    await this.#server?.stop();
    await this.data.close();
    assert.doesNotMatch(this.#log.text, /appreg_|eyJ|@example\.com|by the provider|code=|secret of no value|would not/);
  }
}
