import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { revokeToken } from '@appregistrar/testkit/calls/access';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { commandLine } from '../../kernel/registry.ts';

const missing = 'Bearer realm="app-registry"';
const invalid = 'Bearer realm="app-registry", error="invalid_token"';

const operations = [
  { name: 'Update App', kind: 'developer', method: 'PATCH', path: '/developer/apps/v1/', body: '{}' },
  { name: 'Get App', kind: 'platform', method: 'GET', path: '/platform/apps/v1/' },
] as const;

onSqlite((engine) => {
  let http: HttpFixture;
  let clock: number | undefined;
  let appId: string;
  before(async () => {
    http = await HttpFixture.open(engine, { now: () => clock ?? Date.now() });
    appId = (await http.data.newApp()).id;
  });
  after(() => http.close());

  for (const { name, kind, method, path, ...body } of operations) {
    describe(name, () => {
      const send = (headers: Record<string, string>, query = '') =>
        http.send({
          method,
          path: `${path}${appId}${query}`,
          headers: { 'content-type': 'application/json', ...headers },
          ...body,
        });

      test('returns 401 with a bare challenge if there is no token', async () => {
        for (const authorization of [undefined, '', 'Basic YWRhOnNlY3JldA==', http.tokens[kind], 'Token abc']) {
          assertChallenge(await send(authorization === undefined ? {} : { authorization }), 'token_missing', missing);
        }
      });

      test('returns 401 invalid_token for a token that is empty or malformed', async () => {
        const token = http.tokens[kind];
        const malformed = [
          '',
          'abc',
          `${token}x`,
          token.slice(1),
          `${token} ${token}`,
          `"${token}"`,
          token.toUpperCase(),
        ];
        // The last digit belongs to the checksum, the tenth last to the part that the checksum covers.
        const mistyped = [token.length - 1, token.length - 10].map((at) => withOtherDigit(token, at));
        for (const text of [...malformed, ...mistyped]) {
          assertChallenge(await send(bearer(text)), 'token_invalid', invalid);
        }
      });

      test('returns 401 invalid_token for a well-formed token of another registry', async () => {
        const elsewhere = await HttpFixture.open(engine);
        const { token } = await elsewhere.data.newToken(kind);
        await elsewhere.close();
        assertChallenge(await send(bearer(token)), 'token_invalid', invalid);
      });

      test('returns 401 invalid_token from the millisecond in which a token expires', async () => {
        clock = Date.now();
        const { token } = await http.data.newToken(kind, { expiresIn: 60 });
        clock += 59_999;
        assert.equal((await send(bearer(token))).status, 200);
        clock += 1;
        assertChallenge(await send(bearer(token)), 'token_invalid', invalid);
        clock = undefined;
      });

      test('returns 401 invalid_token on the first request after a token is revoked', async () => {
        const { id, token } = await http.data.newToken(kind);
        assert.equal((await send(bearer(token))).status, 200);
        await revokeToken(http.data.registry, commandLine, id);
        assertChallenge(await send(bearer(token)), 'token_invalid', invalid);
      });

      test('accepts the scheme in any case', async () => {
        for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
          assert.equal((await send({ authorization: `${scheme} ${http.tokens[kind]}` })).status, 200);
        }
      });

      test('accepts a token only in the Authorization header', async () => {
        const query = `?access_token=${http.tokens[kind]}`;
        assertChallenge(await send({}, query), 'token_missing', missing);
        assertChallenge(await send({ cookie: `access_token=${http.tokens[kind]}` }), 'token_missing', missing);
        assert.equal((await send(bearer(http.tokens[kind]), '?access_token=abc')).status, 200);
      });
    });
  }
});

function withOtherDigit(token: string, at: number): string {
  return token.slice(0, at) + (token[at] === '0' ? '1' : '0') + token.slice(at + 1);
}

function assertChallenge(response: HttpResponse, code: string, challenge: string): void {
  assert.equal(response.refusal, `401 ${code}`);
  assert.equal(response.headers['www-authenticate'], challenge);
}
