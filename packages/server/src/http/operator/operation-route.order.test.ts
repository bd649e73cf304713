import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import { everything } from '@appregistrar/testkit/registry/recorded';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';
import { newId } from '../../kernel/ids.ts';

/**
 * The problems that a change by an operator can have, in the order in which they are reported, and the response to each alone.
 * Only a request with a token learns which paths and methods exist.
 */
const responses = {
  'a foreign host': '421 host_not_served',
  'a foreign origin': '403 origin_not_allowed',
  'an unknown path': '404 path_not_found',
  'a token over plain HTTP': '403 https_required',
  'no token': '401 token_missing',
  'an unknown path of the API': '404 path_not_found',
  'a wrong method': '405 method_not_allowed',
  'a token without the scope': '403 insufficient_scope',
  'a wrong media type': '415 unsupported_media_type',
  'a body that is too large': '413 body_too_large',
  'a body with a duplicate field': '400 invalid_json',
  'an unknown parameter': '422 invalid_content developer',
  'an invalid value': '422 invalid_content /oauthInfo/loginUrl',
  'an unknown app': '404 app_not_found',
  'an unknown logo': '422 invalid_content /logoId',
  'an If-Match that does not match': '412 precondition_failed',
  'an app that awaits review': '409 app_under_review',
  'a name that is taken': '409 name_taken',
} as const;
type Problem = keyof typeof responses;

const inOrder = Object.keys(responses) as Problem[];
const operatorBaseUrl = 'https://operators.example.com';

onSqlite((engine) => {
  let operator: OperatorFixture;
  let draft: string;
  let awaiting: string;
  let stored: object;
  before(async () => {
    operator = await OperatorFixture.open(engine, { operatorBaseUrl, trustedProxies: ['127.0.0.1'] });
    await operator.data.newApp({ name: 'Taken' });
    draft = (await operator.data.newApp()).id;
    awaiting = (await operator.data.newApp({ status: 'AWAITING_REVIEW' })).id;
    stored = await everything(operator.data.registry.storage);
  });
  after(() => operator.close());

  for (const [index, problem] of inOrder.entries()) {
    test(`${problem} takes precedence over every problem after it`, async () => {
      assert.equal(await responseTo([problem]), responses[problem]);
      for (const later of inOrder.slice(index + 1)) {
        assert.equal(await responseTo([problem, later]), responses[problem], `${problem}, and ${later}`);
      }
      assert.equal(await responseTo(inOrder.slice(index)), responses[problem], 'with every later one');
    });
  }

  test('none of these requests changes anything', async () => {
    assert.deepEqual(await everything(operator.data.registry.storage), stored);
  });

  /** Sends a change that has exactly these problems. */
  async function responseTo(given: Problem[]): Promise<string> {
    const has = (problem: Problem) => given.includes(problem);
    const id = has('an unknown app') ? newId('app') : has('an app that awaits review') ? awaiting : draft;
    const { token } = operator.tokens[has('a token without the scope') ? 'review' : 'portal'];
    const version = has('an unknown path') ? 'v2' : 'v1';
    const end = has('an unknown path of the API') ? '/nothing' : '';
    const query = has('an unknown parameter') ? '?developer=x' : '';
    const response = await operator.send({
      method: has('a wrong method') ? 'PUT' : 'PATCH',
      path: `/operator/${version}/apps/${id}${end}${query}`,
      headers: {
        ...(has('no token') ? {} : bearer(token)),
        ...(has('no token') && has('a token over plain HTTP') ? { authorization: 'Basic YWRhOg==' } : {}),
        'x-forwarded-proto': has('a token over plain HTTP') ? 'http' : 'https',
        'content-type': has('a wrong media type') ? 'text/plain' : 'application/json',
        ...(has('a foreign host') && { host: 'evil.example' }),
        ...(has('a foreign origin') && { origin: 'https://evil.example' }),
        ...(has('an If-Match that does not match') && { 'if-match': '"0"' }),
      },
      body: bodyWith(has),
    });
    const [place] = (response.problem.errors ?? []).map((error) => error.pointer ?? error.parameter);
    return place === undefined ? response.refusal : `${response.refusal} ${place}`;
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
  return has('a body that is too large') ? twice.padEnd(65_537) : twice;
}
