import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { revokeToken } from '@appregistrar/testkit/calls/access';
import { type Engine, onSqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { OpenIdProvider } from '@appregistrar/testkit/identity-provider/openid-provider';
import type { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import type { ListenerFixture } from '../../../test/http/listener-fixture.ts';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';
import { identityProviderOf } from '../../../test/identity-provider/identity-provider-of.ts';
import { readConfig } from '../../config/config.ts';
import { newTokenText } from '../../features/access/access-token.ts';
import { openSession, openSessionOf } from '../../features/access/browser-sessions.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine, type TokenKind, type TokenScope, tokenScopes } from '../../kernel/registry.ts';
import type { IdentityProvider } from '../identity-provider/identity-provider.ts';
import type { Route } from '../listener/route.ts';
import { publicRoutes } from '../public/public-routes.ts';
import type { Access } from './bearer-auth.ts';

/** Who may use a route: anyone, a token of a kind, or an operator token with a scope or one that includes it. */
type Who = 'anyone' | 'developer' | 'platform' | Scopes;
type Scopes = TokenScope | `${TokenScope} or ${TokenScope}` | `${TokenScope}, not portal`;

/** Who may do what. A test fails unless every route of a listener is listed. */
const rules: Record<'public' | 'operator', Record<string, Who>> = {
  public: {
    'GET /openapi.json': 'anyone',
    'GET /docs': 'anyone',
    'GET /logos/:logoId': 'anyone',
    'PATCH /developer/apps/v1/:id': 'developer',
    'GET /platform/apps/v1/:id': 'platform',
  },
  operator: {
    'GET /livez': 'anyone',
    'GET /readyz': 'anyone',
    'GET /metrics': 'anyone',
    'GET /openapi.json': 'anyone',
    'GET /docs': 'anyone',
    'GET /docs/:page': 'anyone',
    'GET /': 'anyone',
    'GET /assets/:file': 'anyone',
    'GET /logos/:logoId': 'anyone',

    'GET /operator/v1/caller': 'read or install',
    'GET /operator/v1/overview': 'read',
    'GET /operator/v1/statistics': 'read',
    'GET /operator/v1/search': 'read',

    'GET /operator/v1/developers': 'read',
    'POST /operator/v1/developers': 'portal',
    'GET /operator/v1/developers/:id': 'read',
    'GET /operator/v1/developers/:id/record': 'read',
    'PATCH /operator/v1/developers/:id': 'portal',
    'POST /operator/v1/developers/:id/erase': 'admin',
    'POST /operator/v1/developers/:id/suspend': 'admin',
    'POST /operator/v1/developers/:id/unsuspend': 'admin',
    'POST /operator/v1/developers/:id/revoke-tokens': 'admin',

    'GET /operator/v1/apps': 'read',
    'POST /operator/v1/apps': 'portal',
    'GET /operator/v1/apps/:id': 'read',
    'PATCH /operator/v1/apps/:id': 'portal',
    'DELETE /operator/v1/apps/:id': 'admin',
    'POST /operator/v1/apps/:id/restore': 'admin',
    'POST /operator/v1/apps/:id/transfer': 'admin',

    'GET /operator/v1/review-queue': 'read',
    'GET /operator/v1/review-queue/counts': 'read',
    'GET /operator/v1/apps/:id/decisions': 'read',
    'POST /operator/v1/apps/:id/submit': 'portal',
    'POST /operator/v1/apps/:id/withdraw': 'portal',
    'POST /operator/v1/apps/:id/approve': 'review',
    'POST /operator/v1/apps/:id/reject': 'review',
    'POST /operator/v1/apps/:id/reject-change': 'review',
    'POST /operator/v1/apps/:id/revoke': 'review',

    'POST /operator/v1/apps/:id/claim': 'review',
    'POST /operator/v1/apps/:id/release': 'review',
    'GET /operator/v1/apps/:id/notes': 'read, not portal',
    'POST /operator/v1/apps/:id/notes': 'review, not portal',
    'GET /operator/v1/apps/:id/notes/:noteId': 'read, not portal',
    'DELETE /operator/v1/apps/:id/notes/:noteId': 'review, not portal',

    'GET /operator/v1/reason-templates': 'read',
    'GET /operator/v1/reason-templates/:id': 'read',
    'POST /operator/v1/reason-templates': 'review',
    'PATCH /operator/v1/reason-templates/:id': 'review',
    'DELETE /operator/v1/reason-templates/:id': 'review',

    'GET /operator/v1/installations': 'read or install',
    'POST /operator/v1/installations': 'install',
    'GET /operator/v1/installations/:id': 'read or install',
    'POST /operator/v1/installations/:id/enable': 'install',
    'POST /operator/v1/installations/:id/disable': 'install',
    'DELETE /operator/v1/installations/:id': 'install',
    'DELETE /operator/v1/workspaces/:workspaceId/installations': 'install',

    'GET /operator/v1/protected-names': 'read',
    'POST /operator/v1/protected-names': 'admin',
    'GET /operator/v1/protected-names/:id': 'read',
    'PATCH /operator/v1/protected-names/:id': 'admin',
    'DELETE /operator/v1/protected-names/:id': 'admin',

    'GET /operator/v1/apps/:id/revisions': 'read',
    'GET /operator/v1/apps/:id/revisions/:revision': 'read',
    'POST /operator/v1/apps/:id/revert': 'review',

    'GET /operator/v1/logos': 'read',
    'POST /operator/v1/logos': 'portal',
    'GET /operator/v1/logos/:id': 'read',
    'POST /operator/v1/logos/:id/block': 'review',
    'POST /operator/v1/logos/:id/unblock': 'review',
    'DELETE /operator/v1/logos/:id': 'admin',

    'GET /operator/v1/tokens': 'admin',
    'POST /operator/v1/tokens': 'admin',
    'GET /operator/v1/tokens/:id': 'admin',
    'GET /operator/v1/tokens/:id/changes': 'read',
    'POST /operator/v1/tokens/:id/rotate': 'admin',
    'POST /operator/v1/tokens/:id/revoke': 'admin',

    'GET /operator/v1/events': 'read',
    'GET /operator/v1/events/feed': 'read',
    'GET /operator/v1/events/stream': 'read',

    'GET /operator/v1/webhooks': 'admin',
    'POST /operator/v1/webhooks': 'admin',
    'GET /operator/v1/webhooks/:id': 'admin',
    'PATCH /operator/v1/webhooks/:id': 'admin',
    'DELETE /operator/v1/webhooks/:id': 'admin',
    'POST /operator/v1/webhooks/:id/rotate-secret': 'admin',
    'POST /operator/v1/webhooks/:id/enable': 'admin',
    'POST /operator/v1/webhooks/:id/disable': 'admin',
    'POST /operator/v1/webhooks/:id/test': 'admin',
    'GET /operator/v1/webhooks/:id/deliveries': 'admin',
    'GET /operator/v1/webhooks/:id/backlog': 'admin',
    'POST /operator/v1/webhooks/:id/redeliver': 'admin',
    'GET /operator/v1/deliveries/:id': 'admin',
    'POST /operator/v1/deliveries/:id/redeliver': 'admin',

    'POST /operator/v1/imports': 'admin',

    'GET /operator/v1/settings': 'read',
    'PATCH /operator/v1/settings': 'admin',

    'GET /session': 'anyone',
    'POST /session': 'anyone',
    'POST /session/authorization-request': 'anyone',
    'POST /session/authorization-response': 'anyone',
    // Last, as it ends the sessions of this test.
    'DELETE /session': 'anyone',
  },
};

/** The scopes that satisfy each entry of the table. */
const sufficient: Partial<Record<Scopes, TokenScope[]>> = {
  read: ['read', 'portal', 'review', 'admin'],
  portal: ['portal', 'admin'],
  review: ['review', 'admin'],
  'read, not portal': ['read', 'review', 'admin'],
  'review, not portal': ['review', 'admin'],
  install: ['install', 'admin'],
  'read or install': ['read', 'portal', 'review', 'install', 'admin'],
  admin: ['admin'],
};

/** A way to send a request. */
interface Client {
  name: string;
  authorization?: string;
  /** Contains a session, which only the operator listener accepts. */
  cookie?: string;
  /** Of a valid token, or of the token that a session stands for. One of an identity provider may be of several. */
  kinds?: TokenKind[];
  scopes?: TokenScope[];
}

const challenge = 'Bearer realm="app-registry"';

let openId: OpenIdProvider;
let identityProvider: IdentityProvider;
before(async () => {
  openId = await OpenIdProvider.start({});
  const scopes = { scopeClaims: ['scope', 'groups'], scopePrefix: 'registry:' };
  identityProvider = identityProviderOf({ issuer: openId.issuer, ...scopes }).provider;
});
after(() => openId.stop());

onSqlite((engine) => {
  for (const listener of ['public', 'operator'] as const) {
    describe(`on the ${listener} listener`, () => {
      const rulesHere = rules[listener];
      const paths = [...new Set(Object.keys(rulesHere).map((key) => key.split(' ')[1] ?? ''))];
      let clock: number | undefined;
      let fixture: ListenerFixture & { routes: DeclaredRoute[] };
      let clients: Client[];
      before(async () => {
        fixture = await open(listener, engine, () => clock ?? Date.now());
        clients = await everyClient(fixture.data);
        const ofProvider = [...(await everyProviderToken(fixture.data)), ...(await everyProviderSession(fixture.data))];
        clients.splice(1, 0, ...(await everySession(fixture.data)), ...ofProvider);
        // The tokens that live for a second have expired by then.
        clock = Date.now() + 1_000;
      });
      after(() => fixture.close());

      test('every route is in the table of this test, and declares the same access', () => {
        const declared = Object.fromEntries(fixture.routes.map((route) => [keyOf(route), declaredFor(route.access)]));
        for (const key of Object.keys(declared)) {
          assert.ok(rulesHere[key], `add ${key} to the table of this test`);
        }
        assert.deepEqual(declared, rulesHere);
      });

      for (const [key, who] of Object.entries(rulesHere)) {
        test(`${key} is for ${who}, and rejects all others`, async () => {
          // Access derives from its declaration: one route of each kind gets every client, the others one for each refusal.
          const isFirst = Object.keys(rulesHere).find((other) => rulesHere[other] === who) === key;
          const tried = isFirst ? clients : oneOfEachRefusal(clients, who);
          const rejected = tried.filter((client) => refusalOf(client, who) !== null);
          for (const client of rejected) {
            for (const method of methodsOf(key)) {
              assertRefused(await sendAs(client, key, method), refusalOf(client, who), `${method} as ${client.name}`);
            }
          }

          const admitted = tried.filter((client) => !rejected.includes(client));
          assert.ok(admitted.length > 0 && (who === 'anyone' || rejected.length > 0));
          for (const client of admitted) {
            for (const method of methodsOf(key)) {
              const { status } = await sendAs(client, key, method);
              assert.ok(![401, 403].includes(status), `${method} as ${client.name}: ${status}`);
              assert.ok(status < 500, `${method} as ${client.name}: ${status}`);
            }
          }
        });
      }

      test('a 405, and the response to OPTIONS, list the methods of the path, below /operator/v1/ only to a valid token', async () => {
        for (const path of paths) {
          const allowed = Object.keys(rulesHere)
            .filter((key) => key.endsWith(` ${path}`))
            .flatMap(methodsOf);
          for (const method of ['OPTIONS', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
            if (allowed.includes(method)) continue;
            for (const client of [clients.slice(0, 1), clients.slice(-1)].flat()) {
              const response = await sendAs(client, `${method} ${path}`, method);
              if (path.startsWith('/operator/v1/') && !client.authorization) {
                assert.equal(response.refusal, '401 token_missing', `${method} ${path}`);
                continue;
              }
              assert.equal(response.status, method === 'OPTIONS' ? 204 : 405, `${method} ${path}`);
              assert.deepEqual(response.headers.allow?.split(', ').toSorted(), [...allowed, 'OPTIONS'].toSorted());
              assert.equal(response.headers['accept-patch'] !== undefined, allowed.includes('PATCH'));
            }
          }
        }
      });

      /** With unknown ids, so that the next client finds everything unchanged. */
      function sendAs({ authorization, cookie }: Client, key: string, method: string) {
        const [, path = ''] = key.split(' ');
        const hasBody = method !== 'GET' && method !== 'HEAD';
        return fixture.send({
          method,
          path: path.replaceAll(/([\w-]+)\/:\w+/g, (_all, resource: string) => `${resource}/${unknownId(resource)}`),
          headers: {
            ...(authorization !== undefined && { authorization }),
            ...(cookie !== undefined && { cookie, 'sec-fetch-site': 'same-origin' }),
            ...(hasBody && { 'content-type': 'application/json' }),
          },
          ...(hasBody && { body: '{}' }),
        });
      }
    });
  }
});

test('every operation of the operator API needs a token', async () => {
  const open = Object.entries(rules.operator).filter(([key, who]) => key.includes(' /operator/') && who === 'anyone');
  assert.deepEqual(open, []);
});

type DeclaredRoute = Pick<Route, 'method' | 'path' | 'access'>;

async function open(listener: 'public' | 'operator', engine: Engine, now: () => number) {
  if (listener === 'operator') return OperatorFixture.open(engine, { now, identityProvider });
  const fixture = await HttpFixture.open(engine, { now, identityProvider });
  return Object.assign(fixture, { routes: publicRoutes(fixture.data.registry, readConfig({})) });
}

/** Every state of a token, every kind, and every combination of scopes; no token first, all scopes last. */
async function everyClient(data: RegistryFixture): Promise<Client[]> {
  const clients: Client[] = [
    { name: 'no token' },
    { name: 'another scheme', authorization: 'Basic YWRhOnNlY3JldA==' },
    { name: 'an empty token', authorization: 'Bearer ' },
    { name: 'a malformed token', authorization: 'Bearer nonsense' },
  ];
  const add = (client: Omit<Client, 'authorization'>, token: string) => clients.push({ ...client, ...bearer(token) });
  for (const kind of ['developer', 'platform', 'operator'] as const) {
    add({ name: `an unknown ${kind} token` }, newTokenText(kind));
    add({ name: `an expired ${kind} token` }, (await data.newToken(kind, { expiresIn: 1 })).token);
    const revoked = await data.newToken(kind);
    await revokeToken(data.registry, commandLine, revoked.id);
    add({ name: `a revoked ${kind} token` }, revoked.token);
  }
  for (const kind of ['developer', 'platform'] as const) {
    add({ name: `a ${kind}`, kinds: [kind] }, (await data.newToken(kind)).token);
  }
  for (const scopes of combinations(tokenScopes)) {
    const { token } = await data.newToken('operator', { scopes });
    add({ name: `an operator who may ${scopes.join(' and ')}`, kinds: ['operator'], scopes }, token);
  }
  return clients;
}

/** A session with each scope, with all, and with an invalid token; and one sent with a malformed token. */
async function everySession(data: RegistryFixture): Promise<Client[]> {
  const cookieOf = async (id: string) => `a=b; app-registry=${(await openSession(data.registry, id))?.text}; c=d`;
  const clients: Client[] = [
    { name: 'a cookie of something else', cookie: 'other=x' },
    { name: 'a cookie that is no session', cookie: 'app-registry=x' },
    { name: 'an unknown session', cookie: `app-registry=${newTokenText('session')}` },
    { name: 'a token in the cookie', cookie: `app-registry=${(await data.newToken('operator')).token}` },
  ];
  const revoked = await data.newToken('operator');
  clients.push({ name: 'a session of a revoked token', cookie: await cookieOf(revoked.id) });
  await revokeToken(data.registry, commandLine, revoked.id);
  const expired = await data.newToken('operator', { expiresIn: 1 });
  clients.push({ name: 'a session of an expired token', cookie: await cookieOf(expired.id) });
  for (const scopes of [...tokenScopes.map((scope) => [scope]), [...tokenScopes]]) {
    const { id } = await data.newToken('operator', { scopes });
    const cookie = await cookieOf(id);
    clients.push({ name: `a session of one who may ${scopes.join(' and ')}`, cookie, kinds: ['operator'], scopes });
    // A token takes precedence over the cookie, which browsers add to every request.
    clients.push({ name: 'a malformed token and a session', cookie, authorization: 'Bearer nonsense' });
  }
  return clients;
}

/** Tokens of an identity provider: invalid ones, and valid ones of each kind, of all kinds, and with each scope. */
async function everyProviderToken(data: RegistryFixture): Promise<Client[]> {
  const { id: userId } = data.developer;
  const scopeOf = (...names: string[]) => names.map((name) => `registry:${name}`).join(' ');
  const everyScope = scopeOf('developer', 'platform', ...tokenScopes);
  const now = Math.floor(Date.now() / 1000);
  const clients: Client[] = [];
  const add = (client: Client, token: string) => clients.push({ ...client, ...bearer(token) });
  for (const [name, claims, header] of [
    ['an expired', { exp: now - 60 }],
    ['a future', { nbf: now + 3_600, exp: now + 7_200 }],
    ['a foreign', { aud: 'https://other.example.com' }],
    ['an identity', {}, { typ: 'JWT' }],
  ] as const) {
    const token = await openId.sign({ sub: userId, scope: everyScope, ...claims }, header);
    add({ name: `${name} token of an identity provider` }, token);
  }
  add({ name: 'a forged token of an identity provider' }, await openId.forge());
  for (const [name, claims, granted] of [
    ['without a scope', {}, {}],
    ['with scopes of another service', { scope: 'admin developer other:admin' }, {}],
    ['of a developer who is no user here', { sub: 'somebody', scope: scopeOf('developer') }, {}],
    ['of a developer', { scope: scopeOf('developer') }, { kinds: ['developer'] }],
    ['of the platform', { scope: scopeOf('platform') }, { kinds: ['platform'] }],
    ['of everyone', { scope: everyScope }, { kinds: ['developer', 'platform', 'operator'], scopes: [...tokenScopes] }],
  ] satisfies [string, object, Partial<Client>][]) {
    const token = await openId.sign({ sub: userId, ...claims });
    add({ name: `a token of an identity provider ${name}`, kinds: [], ...granted }, token);
  }
  for (const scope of tokenScopes) {
    for (const [claim, value] of [
      ['scope', scopeOf(scope)],
      ['groups', ['staff', scopeOf(scope)]],
    ] as const) {
      const name = `an operator of an identity provider who may ${scope} by the claim ${claim}`;
      add({ name, kinds: ['operator'], scopes: [scope] }, await openId.sign({ [claim]: value }));
    }
  }
  return clients;
}

/** Sessions for holders of its tokens: with each scope, with none, with all, and of another issuer. */
async function everyProviderSession(data: RegistryFixture): Promise<Client[]> {
  const sessionOf = async (issuer: string, scopes: TokenScope[], lifetimeMs = 600_000) => {
    const issuedTo = { issuer, id: 'oidc:subject', scopes };
    const opened = await openSessionOf(data.registry, { issuedTo, goodUntil: Date.now() + lifetimeMs });
    return `app-registry=${opened?.text}`;
  };
  const clients: Client[] = [
    { name: 'a session of another issuer', cookie: await sessionOf('https://former.example.com', ['admin']) },
    { name: 'an expired session of an identity provider', cookie: await sessionOf(openId.issuer, ['admin'], 1_000) },
  ];
  for (const scopes of [[], ...tokenScopes.map((scope) => [scope]), [...tokenScopes]]) {
    const name = `a session of an identity provider for one who may ${scopes.join(' and ')}`;
    clients.push({ name, cookie: await sessionOf(openId.issuer, scopes), kinds: ['operator'], scopes });
  }
  return clients;
}

/** Every non-empty subset, the full set last. */
function combinations(scopes: readonly TokenScope[]): TokenScope[][] {
  const choices = Array.from({ length: 2 ** scopes.length }, (_, bits) =>
    scopes.filter((_scope, index) => bits & (1 << index)),
  );
  return choices.slice(1);
}

const prefixes: Record<string, string> = {
  v1: 'app',
  apps: 'app',
  revisions: 'revision',
  installations: 'installation',
  workspaces: 'workspace',
  developers: 'user',
  tokens: 'token',
  webhooks: 'webhook',
  notes: 'note',
  'reason-templates': 'template',
  'protected-names': 'protected',
  deliveries: 'delivery',
  logos: 'logo',
  assets: 'asset',
  docs: 'page',
};

function unknownId(resource: string): string {
  return newId(prefixes[resource] ?? assert.fail(`add the id prefix of ${resource} to this test`));
}

interface Refusal {
  status: number;
  code: string;
  challenge: string;
}

function isScope(who: Who): who is Scopes {
  return who in sufficient;
}

function refusalOf({ authorization, cookie, kinds, scopes = [] }: Client, who: Who): Refusal | null {
  if (who === 'anyone') return null;
  // The public listener accepts tokens in the header only.
  const hasSession = isScope(who) && authorization === undefined && cookie?.includes('app-registry=');
  if (!hasSession && !authorization?.startsWith('Bearer ')) return { status: 401, code: 'token_missing', challenge };
  if (!kinds) return { status: 401, code: 'token_invalid', challenge: `${challenge}, error="invalid_token"` };
  const isExcluded = who.endsWith(', not portal') && scopes.includes('portal');
  const isAllowed = isScope(who) ? scopes.some((scope) => sufficient[who]?.includes(scope)) : kinds.includes(who);
  if (isAllowed && !isExcluded) return null;
  const required = kinds.includes('operator') && isScope(who) ? `, scope="${who.split(/,? /)[0]}"` : '';
  const insufficient = `${challenge}, error="insufficient_scope"${required}`;
  return { status: 403, code: 'insufficient_scope', challenge: insufficient };
}

/** The first client with each refusal, and the first and the last one that is admitted. */
function oneOfEachRefusal(clients: Client[], who: Who): Client[] {
  const groups = Map.groupBy(clients, (client) => refusalOf(client, who)?.challenge);
  return [...groups].flatMap(([challenge, group]) =>
    challenge ? group.slice(0, 1) : [group.slice(0, 1), group.slice(-1)].flat(),
  );
}

function assertRefused({ status, headers, text }: HttpResponse, expected: Refusal | null, label: string): void {
  const code = text === '' ? expected?.code : JSON.parse(text).code;
  assert.deepEqual({ status, code, challenge: headers['www-authenticate'] }, expected, label);
}

function declaredFor(access: Access): string {
  if (access === 'anyone') return access;
  if (!('scope' in access)) return access.kind;
  const or = access.orScope === undefined ? '' : ` or ${access.orScope}`;
  return `${access.scope}${or}${access.notScope === undefined ? '' : `, not ${access.notScope}`}`;
}

function keyOf({ method, path }: DeclaredRoute): string {
  return `${method} ${path}`;
}

function methodsOf(key: string): string[] {
  const [method = ''] = key.split(' ');
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}
