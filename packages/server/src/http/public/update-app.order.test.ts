import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { newId } from '../../kernel/ids.ts';

/** The problems that an update can have, in the order in which they are reported, and the response to each alone. */
const responses = {
  'an invalid Host': '400 malformed_request',
  'an unknown method': '501 not_implemented',
  'an unknown path': '404 path_not_found',
  'a token over plain HTTP': '403 https_required',
  'a wrong method': '405 method_not_allowed',
  'no token': '401 token_missing',
  'an exhausted quota': '429 too_many_requests',
  'a token of another kind': '403 insufficient_scope',
  'a wrong media type': '415 unsupported_media_type',
  'a body that is too large': '413 body_too_large',
  'a body with a duplicate field': '400 invalid_json',
  'an invalid key': '400 malformed_request',
  'more bytes than are left of the day': '429 too_many_requests stored-bytes',
  'an invalid value': '422 invalid_content',
  'a key used for another update': '422 idempotency_key_reused',
  'an unknown app': '404 app_not_found',
  'an unknown logo': '422 invalid_content /logoId',
  'an If-Match that does not match': '412 precondition_failed',
  'an If-None-Match that matches': '412 precondition_failed',
  'an app that awaits review': '409 app_under_review',
  'a name that is taken': '409 name_taken',
} as const;
type Problem = keyof typeof responses;

const bytesMax = 20_000;

const inOrder = Object.keys(responses) as Problem[];

onSqlite((engine) => {
  let http: HttpFixture;
  let draft: string;
  let other: string;
  let awaiting: string;
  before(async () => {
    http = await HttpFixture.open(engine, {
      updatesPerMinute: 1,
      trustedProxies: ['127.0.0.1'],
      storedBytesPerDeveloperPerDay: bytesMax,
    });
    await http.data.newApp({ name: 'Taken' });
    draft = (await http.data.newApp()).id;
    other = (await http.data.newApp()).id;
    awaiting = (await http.data.newApp({ status: 'AWAITING_REVIEW' })).id;
  });
  after(() => http.close());

  for (const [index, problem] of inOrder.entries()) {
    test(`${problem} takes precedence over every problem after it`, async () => {
      assert.equal(await responseTo([problem]), responses[problem]);
      for (const later of inOrder.slice(index + 1)) {
        assert.equal(await responseTo([problem, later]), responses[problem], `${problem}, and ${later}`);
      }
      assert.equal(await responseTo(inOrder.slice(index)), responses[problem], 'with every later one');
    });
  }

  test('none of these requests changes an app', async () => {
    for (const id of [draft, awaiting]) {
      const types = (await http.data.eventsOf(id)).map(({ type }) => type);
      assert.equal(types.includes('app.updated'), false);
    }
  });

  /** Sends an update that has exactly these problems. */
  async function responseTo(given: Problem[]): Promise<string> {
    const has = (problem: Problem) => given.includes(problem);
    const id = has('an unknown app') ? newId('app') : has('an app that awaits review') ? awaiting : draft;
    const authorization = has('no token') ? { authorization: 'Basic YWRhOg==' } : bearer(await tokenWith(has, id));
    const response = await http.send({
      method: has('an unknown method') ? 'PROPFIND' : has('a wrong method') ? 'PUT' : 'PATCH',
      path: `/developer/apps/${has('an unknown path') ? 'v2' : 'v1'}/${id}`,
      headers: {
        ...authorization,
        'x-forwarded-proto': has('a token over plain HTTP') ? 'http' : 'https',
        ...(has('a key used for another update') && { 'idempotency-key': 'used' }),
        ...(has('an invalid key') && { 'idempotency-key': 'two words' }),
        ...(has('an invalid Host') && { host: 'a b' }),
        ...(has('an If-None-Match that matches') && { 'if-none-match': '*' }),
        'content-type': has('a wrong media type') ? 'text/plain' : 'application/json',
        ...(has('an If-Match that does not match') && { 'if-match': '"0"' }),
      },
      body: bodyWith(has),
    });
    return [
      response.refusal,
      ...(response.validationErrors.includes('/logoId unusable_logo') ? ['/logoId'] : []),
      ...(response.headers.ratelimit?.startsWith('"stored-bytes"') ? ['stored-bytes'] : []),
    ].join(' ');
  }

  /** A new token with a quota of one update, or of two if it has already made one. */
  async function tokenWith(has: (problem: Problem) => boolean, id: string): Promise<string> {
    const isUsed = has('a key used for another update') && !has('a token of another kind');
    const kind = has('a token of another kind') ? 'platform' : 'developer';
    const { token } = await http.data.newToken(kind, isUsed ? { updatesPerMinute: 2 } : {});
    const color = { listingInfo: { backgroundColor: '#ffffff' } };
    if (isUsed) (await http.updateApp(other, color, { ...bearer(token), 'idempotency-key': 'used' })).view;
    if (has('an exhausted quota')) await http.updateApp(id, { name: null }, bearer(token));
    return token;
  }
});

function bodyWith(has: (problem: Problem) => boolean): string {
  const fields = {
    listingInfo: { shortDescription: 'A change.' },
    ...(has('an invalid value') && { oauthInfo: { loginUrl: 5 } }),
    ...(has('an unknown logo') && { logoId: newId('logo') }),
    ...(has('a name that is taken') && { name: 'Taken' }),
  };
  const text = JSON.stringify(fields);
  const twice = has('a body with a duplicate field') ? text.replace('{', '{"listingInfo":{},') : text;
  if (has('a body that is too large')) return twice.padEnd(65_537);
  return has('more bytes than are left of the day') ? twice.padEnd(bytesMax + 1) : twice;
}
