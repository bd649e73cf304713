import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { localServer } from '@appregistrar/testkit/http/local-server';
import { audience, OpenIdProvider } from '@appregistrar/testkit/identity-provider/openid-provider';
import type { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { identityProviderOf } from '../../../test/identity-provider/identity-provider-of.ts';
import { HttpProblem } from '../problem/problem.ts';
import type { IdentityProvider, IdentityProviderSettings } from './identity-provider.ts';

const everyScope = 'app-registry:developer app-registry:platform app-registry:admin';
const clients = { user_01jq3v8nbtf4mrk6d2m3wz5x7c: everyScope, portal: 'app-registry:portal' };
const [developer = '', portal = ''] = Object.keys(clients);

let openId: OpenIdProvider;
let log: CapturedLog;
before(async () => {
  openId = await OpenIdProvider.start(clients);
});
after(() => openId.stop());

describe('an access token of the issuer', () => {
  test('grants its scopes, and identifies its subject', async () => {
    assert.deepEqual(await identityProvider().authenticate(await openId.tokenFor(developer)), {
      id: `oidc:${developer}`,
      kinds: ['developer', 'platform', 'operator'],
      developerId: developer,
      isSuspended: false,
      scopes: ['admin'],
      updatesPerMinute: null,
      readsPerMinute: null,
      requestsPerMinute: null,
    });
  });

  test('is valid with any type of RFC 9068, and for one of several audiences', async () => {
    const provider = identityProvider();
    for (const typ of ['at+jwt', 'AT+JWT', 'application/at+jwt']) {
      assert.ok(await provider.authenticate(await openId.sign({}, { typ })), typ);
    }
    assert.ok(await provider.authenticate(await openId.sign({ aud: ['https://other.example', audience] })));
  });

  test('is valid from nbf to exp, with half a minute of tolerance for clock differences', async () => {
    let now = Date.now();
    const provider = identityProvider({}, { now: () => now });
    const second = 1_000;
    const [nbf, exp] = [Math.floor(now / second) + 1_000, Math.floor(now / second) + 2_000];
    const isGood = async () => (await provider.authenticate(await openId.sign({ nbf, exp }))) !== null;
    const cached = await openId.sign({ exp });
    for (const [moment, good] of [
      [nbf - 31, false],
      [nbf - 30, true],
      [exp + 29, true],
      [exp + 30, false],
    ] as const) {
      now = moment * second;
      assert.equal(await isGood(), good, String(moment - nbf));
      assert.equal((await provider.authenticate(cached)) !== null, moment < exp + 30);
    }
  });

  test('is verified once, and cached', async () => {
    const provider = identityProvider();
    const token = await openId.tokenFor(portal);
    const holder = await provider.authenticate(token);
    assert.ok(holder);
    assert.equal(await provider.authenticate(token), holder, 'the same object');
  });
});

describe('the keys of the issuer', () => {
  test('are fetched once for any number of tokens', async () => {
    const provider = identityProvider();
    const before = openId.keysFetched;
    const tokens = await Promise.all(Array.from({ length: 20 }, () => openId.sign({ jti: crypto.randomUUID() })));
    const holders = await Promise.all(tokens.map((token) => provider.authenticate(token)));
    assert.ok(holders.every((holder) => holder));
    assert.equal(openId.keysFetched - before, 1);
  });

  test('are not fetched for a flood of tokens with unknown keys', async () => {
    const provider = identityProvider();
    const before = openId.keysFetched;
    for (let round = 0; round < 100; round += 1) {
      assert.equal(await provider.authenticate(await openId.forge()), null);
    }
    assert.equal(openId.keysFetched - before, 1);
  });

  test('are fetched again for a token of a new key, also after tokens of unknown keys', async () => {
    let elapsedMs = 0;
    const provider = identityProvider({}, { elapsedMs: () => elapsedMs });
    assert.ok(await provider.authenticate(await openId.sign()));
    await openId.rotate();
    const token = await openId.sign();
    for (const [elapsed, good] of [
      [9_999, false],
      [10_000, true],
    ] as const) {
      elapsedMs = elapsed;
      assert.equal(await provider.authenticate(await openId.forge()), null);
      assert.equal((await provider.authenticate(token)) !== null, good);
    }
  });

  test('are fetched at intervals, and a cached token of a withdrawn key is no longer valid', async (t) => {
    const { provider, fetchAgain } = scheduled(t);
    const token = await openId.sign();
    assert.ok(await provider.authenticate(token));
    await openId.rotate();
    await fetchAgain();
    assert.equal(await provider.authenticate(token), null);
    assert.ok(await provider.authenticate(await openId.sign()));
  });

  test('that are known stay in use while the issuer is unreachable', async (t) => {
    const { provider, fetchAgain } = scheduled(t);
    const [one, other] = [await openId.sign({ jti: 'one' }), await openId.sign({ jti: 'other' })];
    assert.ok(await provider.authenticate(one));
    await openId.stop();
    try {
      await fetchAgain();
      assert.match(log.text, /the known keys stay in use/);
      assert.ok(await provider.authenticate(one));
      assert.ok(await provider.authenticate(other), 'a token that is not cached');
      assert.equal(await provider.authenticate(await openId.forge()), null);
    } finally {
      await openId.resume();
    }
  });
});

describe('until keys have been fetched once', () => {
  test('a token gets 503 with Retry-After, and is valid once the issuer is reachable', async () => {
    await openId.stop();
    const token = await openId.sign();
    let elapsedMs = 0;
    const provider = identityProvider({}, { elapsedMs: () => elapsedMs });
    try {
      await assert.rejects(provider.authenticate(token), isUnavailable);
      await assert.rejects(provider.authenticate(token), isUnavailable);
      assert.match(log.text, /its tokens cannot be verified/);
      assert.match(log.text, /ECONNREFUSED/);
    } finally {
      await openId.resume();
    }
    await assert.rejects(provider.authenticate(token), isUnavailable);
    elapsedMs = 10_000;
    assert.ok(await provider.authenticate(token));
  });

  const invalidResponses: Record<
    string,
    { respond: (issuer: string) => [status: number, body: string]; logs: RegExp }
  > = {
    'an issuer with another name': {
      respond: (issuer) => [200, JSON.stringify({ issuer: `${issuer}/`, jwks_uri: `${issuer}/jwks` })],
      logs: /the issuer identifies itself as/,
    },
    'an error': { respond: () => [500, 'no'], logs: /responded with status 500/ },
    'a redirect': { respond: () => [302, ''], logs: /redirect/ },
    'no JSON': { respond: () => [200, '<html>'], logs: /JSON/ },
    'no keys': {
      respond: (issuer) => [200, JSON.stringify({ issuer, jwks_uri: `${issuer}/jwks` })],
      logs: /does not publish a JSON Web Key Set/,
    },
  };
  for (const [what, { respond, logs }] of Object.entries(invalidResponses)) {
    test(`${what} instead of keys is logged`, async () => {
      await withServer(respond, async (issuer) => {
        await assert.rejects(
          identityProvider({ issuer }).authenticate(await openId.sign({ iss: issuer })),
          isUnavailable,
        );
        assert.match(log.text, logs);
      });
    });
  }

  test('an issuer that never responds is waited for until the timeout', async () => {
    await withServer(null, async (issuer) => {
      const provider = identityProvider({ issuer }, { intervals: { timeoutMs: 1 } });
      await assert.rejects(provider.authenticate(await openId.sign({ iss: issuer })), isUnavailable);
      assert.match(log.text, /timeout/);
    });
  });

  test('stopping does not wait for the issuer, and logs no error', async () => {
    await withServer(null, async (issuer) => {
      const provider = identityProvider({ issuer });
      const stop = provider.start();
      const rejected = assert.rejects(provider.authenticate(await openId.sign({ iss: issuer })), isUnavailable);
      stop();
      await rejected;
      assert.equal(log.text, '');
    });
  });
});

test('no part of a token is logged', async () => {
  const provider = identityProvider({ tokenType: 'JWT' });
  const person = { sub: 'ada@example.com', email: 'ada@example.com', name: 'Ada Lovelace', nonce: 'a-nonce' };
  const tokens = [
    await openId.sign(person),
    await openId.sign(person, { typ: 'JWT' }),
    await openId.sign({ ...person, aud: 'a' }),
  ];
  for (const token of tokens) await provider.authenticate(token);
  assert.ok(log.lines.length >= 3);
  for (const part of tokens.flatMap((token) => token.split('.'))) assert.ok(!log.text.includes(part));
  assert.doesNotMatch(log.text, /ada|lovelace|a-nonce/i);
});

function identityProvider(
  settings: Partial<IdentityProviderSettings> = {},
  parts: ProviderParts = {},
): IdentityProvider {
  const opened = identityProviderOf({ issuer: openId.issuer, ...settings }, parts);
  log = opened.log;
  return opened.provider;
}

type ProviderParts = Parameters<typeof identityProviderOf>[1];

/** A provider whose scheduled fetches happen when a test says so. */
function scheduled(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let elapsedMs = 0;
  const provider = identityProvider({}, { elapsedMs: () => elapsedMs });
  t.after(provider.start());
  const fetchAgain = async () => {
    elapsedMs = 300_000;
    t.mock.timers.tick(300_000);
    // Waits for that fetch, and by this time would begin none.
    elapsedMs = 0;
    await provider.authenticate(await openId.forge());
  };
  return { provider, fetchAgain };
}

function isUnavailable(error: unknown): boolean {
  assert.ok(error instanceof HttpProblem, String(error));
  assert.equal(error.code, 'unavailable');
  assert.match(error.headers['retry-after'] ?? '', /^[1-9]\d*$/);
  return true;
}

/** Stands in for an issuer; `null` never responds. */
async function withServer(
  respond: ((issuer: string) => [status: number, body: string]) | null,
  work: (issuer: string) => Promise<void>,
): Promise<void> {
  const { url, close } = await localServer((_request, response) => {
    if (!respond) return;
    const [status, body] = respond(url);
    response.writeHead(status, { location: openId.issuer }).end(body);
  });
  await work(url).finally(close);
}
