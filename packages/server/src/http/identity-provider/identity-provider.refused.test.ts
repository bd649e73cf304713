import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { audience, OpenIdProvider } from '@appregistrar/testkit/identity-provider/openid-provider';
import fc from 'fast-check';
import { CompactSign, exportJWK, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { identityProviderOf } from '../../../test/identity-provider/identity-provider-of.ts';
import type { IdentityProviderSettings } from './identity-provider.ts';

const utf8 = new TextEncoder();

let openId: OpenIdProvider;
before(async () => {
  openId = await OpenIdProvider.start({});
});
after(() => openId.stop());

type Case = [which: string, make: () => Promise<string>];
/** Tokens by the reason to reject them: a different reason would hide a missing check. */
const rejected: [reason: RegExp, ...Case[]][] = [
  [
    /unexpected "iss"/,
    ['of another issuer', () => openId.sign({ iss: 'https://issuer.example' })],
    ['of the same issuer with a slash', () => openId.sign({ iss: `${openId.issuer}/` })],
  ],
  [/missing required "iss"/, ['without an issuer', () => openId.sign({ iss: undefined })]],
  [
    /unexpected "aud"/,
    ['for another audience', () => openId.sign({ aud: 'https://other.example' })],
    ['for similar audiences', () => openId.sign({ aud: [`${audience}/`, audience.slice(0, -1)] })],
  ],
  [/missing required "aud"/, ['without an audience', () => openId.sign({ aud: undefined })]],
  [/"exp" claim timestamp/, ['that has expired', () => openId.sign({ exp: secondsNow() - 31 })]],
  [/missing required "exp"/, ['that never expires', () => openId.sign({ exp: undefined })]],
  [/"exp" claim must be a number/, ['whose expiry is a text', () => openId.sign({ exp: '9999999999' })]],
  [/"nbf" claim timestamp/, ['that is not valid yet', () => openId.sign({ nbf: secondsNow() + 60 })]],
  [/missing required "sub"/, ['without a subject', () => openId.sign({ sub: undefined })]],
  [
    /"sub" claim is not a non-empty string/,
    ['with an empty subject', () => openId.sign({ sub: '' })],
    ['whose subject is a number', () => openId.sign({ sub: 1 })],
  ],
  [
    /"typ" header is not that of an access token/,
    ['that is an ID token', () => openId.sign({ nonce: 'n', at_hash: 'h' }, { typ: 'JWT' })],
    ['of type JWT', () => openId.sign({}, { typ: 'JWT' })],
    ['without a type', () => openId.sign({}, { typ: undefined })],
    ['of another type', () => openId.sign({}, { typ: 'logout+jwt' })],
  ],
  [/"cnf" claim binds the token/, ['bound to a key', () => openId.sign({ cnf: { jkt: 'thumbprint' } })]],
  [
    /"alg" \(Algorithm\) Header Parameter value not allowed/,
    ['that is not signed', async () => new UnsecuredJWT(openId.claims()).encode()],
    ['with the algorithm "none"', async () => withHeader(await openId.sign(), openId.header({ alg: 'none' }), '')],
    ['with "none" and a good signature', async () => withHeader(await openId.sign(), openId.header({ alg: 'none' }))],
    ['signed with HS256 and the public key as its secret', () => signedWithPublicKey()],
  ],
  [
    /signature verification failed/,
    ['signed by a stranger under the id of the key', () => openId.forge(openId.key.kid)],
    ['signed by a stranger who names no key', () => openId.forge(null)],
    ['with other claims than were signed', () => tampered()],
    ['with a truncated signature', async () => (await openId.sign()).slice(0, -4)],
  ],
  [
    /no applicable key found/,
    ['signed by a stranger with another key', () => openId.forge()],
    ['signed with a key in its own header', () => signedWithKeyInside()],
  ],
  [/"new" is not recognized/, ['with an extension that must be known', () => withExtension()]],
  [/must be a top-level JSON object/, ['whose claims are a list', () => withListOfClaims()]],
];

describe('a token is invalid', () => {
  for (const [reason, ...cases] of rejected) {
    for (const [which, make] of cases) test(which, async () => assertRejected(await make(), { reason }));
  }

  test('with any character changed', async () => {
    const { provider } = opened();
    const good = await openId.sign();
    assert.ok(await provider.authenticate(good));
    // The last character of a base64url part can have unused bits.
    const positions = [...Array(good.length).keys()].filter((at) => ![undefined, '.'].includes(good[at + 1]));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...positions),
        fc.constantFrom('A', 'b', '7', '_', '.', ''),
        async (at, other) => {
          if (good[at] === other) return;
          assert.equal(await provider.authenticate(good.slice(0, at) + other + good.slice(at + 1)), null);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('with OIDC_TOKEN_TYPE=JWT', () => {
  const settings = { tokenType: 'JWT' } as const;

  test('tokens of type JWT, and without a type, are valid too', async () => {
    const { provider } = opened(settings);
    for (const typ of ['JWT', 'jwt', 'at+jwt', undefined]) {
      assert.ok(await provider.authenticate(await openId.sign({ typ: 'Bearer' }, { typ })), String(typ));
    }
  });

  test('tokens of another type are not', async () => {
    for (const typ of ['logout+jwt', 'secevent+jwt', 'dpop+jwt', 'id_token+jwt', '']) {
      await assertRejected(await openId.sign({}, { typ }), { reason: /"typ" header/, settings });
    }
  });

  test('tokens with a claim of ID tokens and the like are not, unless they have the type of access tokens', async () => {
    const idClaims = [
      { nonce: 'n' },
      { at_hash: 'h' },
      { c_hash: 'h' },
      { s_hash: 'h' },
      { events: {} },
      { typ: 'ID' },
    ];
    for (const claims of idClaims) {
      const reason = new RegExp(`"${Object.keys(claims)[0]}" claim (is not|does not)`);
      await assertRejected(await openId.sign(claims, { typ: 'JWT' }), { reason, settings });
      assert.ok(await opened(settings).provider.authenticate(await openId.sign(claims)));
    }
  });
});

function opened(settings: Partial<IdentityProviderSettings> = {}) {
  return identityProviderOf({ issuer: openId.issuer, ...settings });
}

interface Rejection {
  reason: RegExp;
  settings?: Partial<IdentityProviderSettings>;
}

/** Asserts that a token is rejected, with this reason in the log. */
async function assertRejected(token: string, { reason, settings }: Rejection): Promise<void> {
  const { provider, log } = opened(settings);
  assert.equal(await provider.authenticate(token), null);
  const reasons = log.lines.map((line) => line.reason).filter((reason) => reason !== undefined);
  assert.equal(reasons.length, 1);
  assert.match(String(reasons[0]), reason);
}

function signedWithPublicKey(): Promise<string> {
  const publicKey = createPublicKey({ key: { ...openId.key }, format: 'jwk' });
  const secret = utf8.encode(String(publicKey.export({ type: 'spki', format: 'pem' })));
  return new SignJWT(openId.claims()).setProtectedHeader(openId.header({ alg: 'HS256' })).sign(secret);
}

async function signedWithKeyInside(): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const header = { alg: 'ES256', typ: 'at+jwt', jwk: await exportJWK(publicKey) };
  return new SignJWT(openId.claims()).setProtectedHeader(header).sign(privateKey);
}

async function tampered(): Promise<string> {
  const [header, , signature] = (await openId.sign()).split('.');
  return [header, base64url(openId.claims({ scope: 'app-registry:admin' })), signature].join('.');
}

function withExtension(): Promise<string> {
  const header = openId.header({ crit: ['new'], new: 1 });
  return new SignJWT(openId.claims()).setProtectedHeader(header).sign(openId.key, { crit: { new: true } });
}

async function withListOfClaims(): Promise<string> {
  return new CompactSign(utf8.encode('[]')).setProtectedHeader(openId.header()).sign(await importJWK(openId.key));
}

function withHeader(token: string, header: object, signature?: string): string {
  const [, claims, signed] = token.split('.');
  return [base64url(header), claims, signature ?? signed].join('.');
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function secondsNow(): number {
  return Math.floor(Date.now() / 1000);
}
