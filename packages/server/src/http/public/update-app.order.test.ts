import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { HttpFixture } from 'app-registry-testkit/http/http-fixture';
import { bearer } from 'app-registry-testkit/http/http-request';
import { newId } from '../../registry/type-id.ts';

/** What can be wrong with an update, in the order of decision 17, and the answer to it alone. */
const faults = {
  'an unknown path': '404 path_not_found',
  'a token in plain text': '403 https_required',
  'a wrong method': '405 method_not_allowed',
  'no token': '401 token_missing',
  'an exhausted quota': '429 too_many_requests',
  'a token of another kind': '403 insufficient_scope',
  'a wrong media type': '415 unsupported_media_type',
  'a body that is too large': '413 body_too_large',
  'a body with a duplicate member': '400 invalid_json',
  'a key that is none': '400 malformed_request',
  'a value that no app can have': '422 invalid_content',
  'a key of another update': '422 idempotency_key_reused',
  'an app that is not there': '404 app_not_found',
  'a logo that is not there': '422 invalid_content /logoId',
  'an If-Match that does not hold': '412 precondition_failed',
  'an app that awaits review': '409 app_under_review',
  'a name that is taken': '409 name_taken',
} as const;
type ValidationError = keyof typeof faults;

const inOrder = Object.keys(faults) as ValidationError[];

forEachEngine((engine) => {
  let http: HttpFixture;
  let draft: string;
  let other: string;
  let awaiting: string;
  before(async () => {
    http = await HttpFixture.open(engine, { updatesPerMinute: 1, trustedProxies: ['127.0.0.1'] });
    await http.data.newApp({ name: 'Taken' });
    draft = (await http.data.newApp()).id;
    other = (await http.data.newApp()).id;
    awaiting = (await http.data.newApp({ status: 'AWAITING_REVIEW' })).id;
  });
  after(() => http.close());

  for (const [index, fault] of inOrder.entries()) {
    test(`${fault} is answered before whatever comes after it`, async () => {
      assert.equal(await answerTo([fault]), faults[fault]);
      for (const later of inOrder.slice(index + 1)) {
        assert.equal(await answerTo([fault, later]), faults[fault], `${fault}, and ${later}`);
      }
      assert.equal(await answerTo(inOrder.slice(index)), faults[fault], 'with every later one');
    });
  }

  test('an app is as it was after all that', async () => {
    for (const id of [draft, awaiting]) {
      const types = (await http.data.eventsOf(id)).map(({ type }) => type);
      assert.equal(types.includes('app.updated'), false);
    }
  });

  /** Sends an update that has these faults and no other. */
  async function answerTo(given: ValidationError[]): Promise<string> {
    const has = (fault: ValidationError) => given.includes(fault);
    const id = has('an app that is not there') ? newId('app') : has('an app that awaits review') ? awaiting : draft;
    const answer = await http.send({
      method: has('a wrong method') ? 'PUT' : 'PATCH',
      path: `/developer/apps/${has('an unknown path') ? 'v2' : 'v1'}/${id}`,
      headers: {
        ...(has('no token') ? { authorization: 'Basic YWRhOg==' } : bearer(await tokenWith(has, id))),
        'x-forwarded-proto': has('a token in plain text') ? 'http' : 'https',
        ...(has('a key of another update') && { 'idempotency-key': 'used' }),
        ...(has('a key that is none') && { 'idempotency-key': 'two words' }),
        'content-type': has('a wrong media type') ? 'text/plain' : 'application/json',
        ...(has('an If-Match that does not hold') && { 'if-match': '"0"' }),
      },
      body: bodyWith(has),
    });
    return [answer.refusal, ...(answer.validationErrors.includes('/logoId unusable_logo') ? ['/logoId'] : [])].join(
      ' ',
    );
  }

  /** A fresh token, as each has a quota of one, or two where it has made an update before. */
  async function tokenWith(has: (fault: ValidationError) => boolean, id: string): Promise<string> {
    const isUsed = has('a key of another update') && !has('a token of another kind');
    const kind = has('a token of another kind') ? 'platform' : 'developer';
    const { token } = await http.data.newToken(kind, isUsed ? { updatesPerMinute: 2 } : {});
    const color = { listingInfo: { backgroundColor: '#ffffff' } };
    if (isUsed) (await http.updateApp(other, color, { ...bearer(token), 'idempotency-key': 'used' })).view;
    if (has('an exhausted quota')) await http.updateApp(id, { name: null }, bearer(token));
    return token;
  }
});

function bodyWith(has: (fault: ValidationError) => boolean): string {
  const members = {
    listingInfo: { shortDescription: 'A change.' },
    ...(has('a value that no app can have') && { oauthInfo: { loginUrl: 5 } }),
    ...(has('a logo that is not there') && { logoId: newId('logo') }),
    ...(has('a name that is taken') && { name: 'Taken' }),
  };
  const text = JSON.stringify(members);
  const twice = has('a body with a duplicate member') ? text.replace('{', '{"listingInfo":{},') : text;
  return has('a body that is too large') ? twice.padEnd(65_537) : twice;
}
