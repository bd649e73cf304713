import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import Type from 'typebox';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';
import { operatorOperations } from '../../features/operations.ts';
import type { OperatorOperation } from '../../kernel/operation.ts';

const longDescription = `${'Copies every invoice to the ledger. '.repeat(3)}\nNothing to configure.`;
const content = {
  listingInfo: { shortDescription: 'Keeps every invoice and every ledger of a company in step.', longDescription },
  oauthInfo: {
    loginUrl: 'https://invoice-sync.example/login/of/a/person',
    callbackUrl: 'https://invoice-sync.example/oauth/callback',
  },
};
/** Longer than any id, which may refer to what another field is about. */
const idLengthMax = 40;

let operator: OperatorFixture;
/** The object that a path with an id names, by the collection in the path. */
const ids: Record<string, string> = {};
before(async () => {
  operator = await OperatorFixture.open(sqlite);
  const { data } = operator;
  const created = async (operation: string, body: object) =>
    (await operator.call<{ id: string }>(operation, { body })).view.id;
  ids.webhooks = await created('POST /webhooks', { url: 'https://hooks.example.com/of/the/app/registry' });
  await created('POST /protected-names', {
    name: 'Invoice',
    developerIds: [],
    note: 'A trademark of Invoice Incorporated.',
  });
  await created('POST /reason-templates', { title: 'Incomplete', message: longDescription });
  const { id: logoId } = await data.newLogo();
  // Approved, rejected, held and changed since a decision: each has contents that could be repeated.
  const [approved, deleted] = [
    await data.newApp({ status: 'APPROVED', logoId, ...content }),
    await data.newApp(content),
  ];
  await data.newApp({ status: 'AWAITING_REVIEW', ...content });
  ids.apps = approved.id;
  ids.tokens = operator.tokens.admin.id;
  await data.install(approved);
  await operator.call(`PATCH /apps/${ids.apps}`, { body: { listingInfo: { longDescription: null } } });
  await operator.call('PATCH /settings?existing=hold', { body: { changesToApproved: 'hold' } });
  await operator.call(`PATCH /apps/${ids.apps}`, { body: { oauthInfo: { callbackUrl: null } } });
  await created(`POST /apps/${ids.apps}/notes`, { text: longDescription });
  await operator.call(`DELETE /apps/${deleted.id}`);
});
after(() => operator.close());

const lists = Object.values<OperatorOperation>(operatorOperations).filter(
  ({ response, streams }) => Type.IsObject(response) && 'items' in response.properties && !streams,
);

for (const { path, query } of lists) {
  const { q, view } = query?.properties ?? {};
  for (const parameter of view ? ['view=summary', 'view=full'] : [q ? 'q=app' : 'limit=100']) {
    test(`no item of GET ${path}?${parameter} says the same twice`, async () => {
      const address = path.replace('/operator/v1', '').replace(/(\w+)\/:id/, (_, of) => `${of}/${ids[of]}`);
      const { items } = (await operator.call<{ items: object[] }>(`GET ${address}?${parameter}`)).view;
      assert.ok(items.length > 0);
      for (const item of items) assert.deepEqual(repeatedIn(item, path.includes('/events')), [], JSON.stringify(item));
    });
  }
}

/**
 * The objects, lists and long texts that occur twice in a value. What an event says of the effective content stands by
 * itself: receivers that act on it read nothing else.
 */
function repeatedIn(item: object, isEvent: boolean): string[] {
  const found = new Set<string>();
  const repeated: string[] = [];
  JSON.stringify(item, (name, value: unknown) => {
    if (isEvent && name === 'effective') return undefined;
    const text = JSON.stringify(value);
    if (text !== undefined && text.length > idLengthMax) {
      if (found.has(text)) repeated.push(text);
      found.add(text);
    }
    return value;
  });
  return repeated;
}
