import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { bearer } from 'app-registry-testkit/http/http-request';
import { OperatorFixture } from 'app-registry-testkit/http/operator-fixture';
import { everything } from 'app-registry-testkit/registry/recorded';
import { newId } from '../../registry/type-id.ts';

/**
 * What can be wrong with a change by an operator, in the order of decision 17, and the answer to it alone. Only a
 * token is told which paths and methods there are.
 */
const faults = {
  'a foreign host': '421 host_not_served',
  'a foreign origin': '403 origin_not_allowed',
  'an unknown path': '404 path_not_found',
  'a token in plain text': '403 https_required',
  'no token': '401 token_missing',
  'an unknown path of the API': '404 path_not_found',
  'a wrong method': '405 method_not_allowed',
  'a token without the scope': '403 insufficient_scope',
  'a wrong media type': '415 unsupported_media_type',
  'a body that is too large': '413 body_too_large',
  'a body with a duplicate member': '400 invalid_json',
  'an unknown parameter': '422 invalid_content /developer',
  'a value that no app can have': '422 invalid_content /oauthInfo/loginUrl',
  'an app that is not there': '404 app_not_found',
  'a logo that is not there': '422 invalid_content /logoId',
  'an If-Match that does not hold': '412 precondition_failed',
  'an app that awaits review': '409 app_under_review',
  'a name that is taken': '409 name_taken',
} as const;
type ValidationError = keyof typeof faults;

const inOrder = Object.keys(faults) as ValidationError[];
const operatorBaseUrl = 'https://operators.example.com';

forEachEngine((engine) => {
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

  for (const [index, fault] of inOrder.entries()) {
    test(`${fault} is answered before whatever comes after it`, async () => {
      assert.equal(await answerTo([fault]), faults[fault]);
      for (const later of inOrder.slice(index + 1)) {
        assert.equal(await answerTo([fault, later]), faults[fault], `${fault}, and ${later}`);
      }
      assert.equal(await answerTo(inOrder.slice(index)), faults[fault], 'with every later one');
    });
  }

  test('an If-Match that is needed is asked for before the body and the app are judged', async () => {
    for (const id of [awaiting, newId('app')]) {
      for (const [step, body] of [
        ['reject', { reason: 5 }],
        ['approve', { reason: 'None is taken.' }],
      ] as const) {
        const answer = await operator.call(`POST /apps/${id}/${step}?strange=1`, { as: 'review', body });
        assert.equal(answer.refusal, '428 precondition_required');
      }
    }
  });

  test('nothing has changed after all that', async () => {
    assert.deepEqual(await everything(operator.data.registry.storage), stored);
  });

  /** Sends a change that has these faults and no other. */
  async function answerTo(given: ValidationError[]): Promise<string> {
    const has = (fault: ValidationError) => given.includes(fault);
    const id = has('an app that is not there') ? newId('app') : has('an app that awaits review') ? awaiting : draft;
    const { token } = operator.tokens[has('a token without the scope') ? 'review' : 'portal'];
    const version = has('an unknown path') ? 'v2' : 'v1';
    const end = has('an unknown path of the API') ? '/nothing' : '';
    const query = has('an unknown parameter') ? '?developer=x' : '';
    const answer = await operator.send({
      method: has('a wrong method') ? 'PUT' : 'PATCH',
      path: `/operator/${version}/apps/${id}${end}${query}`,
      headers: {
        ...(has('no token') ? {} : bearer(token)),
        ...(has('no token') && has('a token in plain text') ? { authorization: 'Basic YWRhOg==' } : {}),
        'x-forwarded-proto': has('a token in plain text') ? 'http' : 'https',
        'content-type': has('a wrong media type') ? 'text/plain' : 'application/json',
        ...(has('a foreign host') && { host: 'evil.example' }),
        ...(has('a foreign origin') && { origin: 'https://evil.example' }),
        ...(has('an If-Match that does not hold') && { 'if-match': '"0"' }),
      },
      body: bodyWith(has),
    });
    const [pointer] = (answer.problem.errors ?? []).map((fault) => fault.pointer);
    return pointer === undefined ? answer.refusal : `${answer.refusal} ${pointer}`;
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
