import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import { everything } from '@appregistrar/testkit/registry/recorded';
import fc from 'fast-check';
import { anyText } from '../../../test/any-text.ts';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';
import { newId } from '../../kernel/ids.ts';

/** The response to a path whose id does not exist. */
const refusals: Record<string, string> = {
  assets: '404 path_not_found',
  docs: '404 path_not_found',
  logos: '404 logo_not_found',
  apps: '404 app_not_found',
  developers: '404 developer_not_found',
  installations: '404 installation_not_found',
  tokens: '404 token_not_found',
  webhooks: '404 webhook_not_found',
  'reason-templates': '404 reason_template_not_found',
  'protected-names': '404 protected_name_not_found',
  deliveries: '404 delivery_not_found',
  // The registry does not store workspaces: any valid id may be one.
  workspaces: '422 invalid_content',
};

/** Bodies that are valid for an id that exists. */
const bodies: Record<string, object> = {
  'POST /operator/v1/apps/:id/approve': { revision: '"1"' },
  'POST /operator/v1/apps/:id/reject': { revision: '"1"', message: 'It does not respond.' },
  'POST /operator/v1/apps/:id/reject-change': { revision: '"1"', message: 'It does not respond.' },
  'POST /operator/v1/apps/:id/revoke': { message: 'It does not respond.' },
  'POST /operator/v1/apps/:id/notes': { text: 'Ask them.' },
  'POST /operator/v1/apps/:id/revert': { toApproved: true },
  'POST /operator/v1/developers/:id/suspend': { reason: 'The apps send customer data elsewhere.' },
  'POST /operator/v1/logos/:id/block': { reason: 'It shows a foreign trademark.' },
  'POST /operator/v1/webhooks/:id/redeliver': { since: '2026-03-01T09:30:00.000Z' },
};

const wrongIds = [
  '\0',
  'app_\0',
  '\uffff',
  '\u{1f98a}',
  'é\u0301',
  "' or ''='",
  '/',
  '%00',
  '%',
  '?limit=1',
  '__proto__',
  'null',
  'x'.repeat(8_000),
  '\u{1f98a}'.repeat(1_000),
  ...['app', 'user', 'workspace', 'installation', 'token', 'webhook', 'delivery'].flatMap((prefix) => [
    `${prefix}_`,
    `${newId(prefix)}0`,
    newId(prefix).toUpperCase(),
    `${newId(prefix)}\n`,
    ` ${newId(prefix)}`,
    newId(`x${prefix}`),
  ]),
];
// One or two dots are resolved as a relative path, and an empty id is not a segment.
const wrongId = fc
  .oneof(fc.constantFrom(...wrongIds), anyText(), fc.string({ unit: 'grapheme', size: 'medium' }))
  .filter((id) => !/^\.{0,2}$/.test(id) && id.isWellFormed());

onSqlite((engine) => {
  let operator: OperatorFixture;
  let stored: object;
  before(async () => {
    operator = await OperatorFixture.open(engine);
    await operator.data.install(await operator.data.newApp());
    stored = await everything(operator.data.registry.storage);
  });
  after(() => operator.close());

  describe('an id in a path', () => {
    test('is reported as not found by every operation if it does not exist, regardless of its characters', async () => {
      const routes = operator.routes.filter(({ path }) => path.includes(':'));
      assert.ok(routes.length > 15);
      const ids = [...wrongIds, ...fc.sample(wrongId, 200)];
      for (const [index, { method, path }] of routes.entries()) {
        const key = `${method} ${path}`;
        const refusal = refusalOf({ path });
        assert.ok(refusal, `add the response of ${key} to an unknown id to this test`);
        // One route of each kind gets every id; together, the routes get each id several times.
        const isFirst = routes.findIndex((route) => refusalOf(route) === refusal) === index;
        const sent = isFirst ? ids : ids.filter((_id, at) => at % 25 === index % 25);
        for (const id of sent) {
          assert.equal((await send(key, encodeURIComponent(id))).refusal, refusal, `${key}: ${JSON.stringify(id)}`);
        }
      }
    });

    test('is refused as malformed if its percent-encoding is invalid', async () => {
      for (const { method, path } of operator.routes.filter(({ path }) => path.includes(':'))) {
        for (const encoded of ['%', '%zz', '%ff', '%c0%80', '%ed%a0%80']) {
          assert.equal((await send(`${method} ${path}`, encoded)).refusal, '400 malformed_request', path);
        }
      }
    });

    test('is reported as not found if it belongs to an object of another type', async () => {
      const others = Object.values(stored).flatMap((rows: Record<string, unknown>[]) => rows.flatMap(Object.values));
      const ids = others.filter(
        (value) => typeof value === 'string' && /^[a-z]+_[0-9a-z]{26}$/.test(value),
      ) as string[];
      for (const id of new Set(ids)) {
        const ownNoun = id.startsWith('user_') ? 'developer' : id.split('_')[0];
        for (const noun of ['app', 'developer', 'installation', 'token', 'webhook']) {
          if (noun === ownNoun) continue;
          const response = await operator.call(`GET /${noun}s/${id}`);
          assert.equal(response.refusal, `404 ${noun}_not_found`, `${noun} ${id}`);
        }
      }
    });

    test('changes nothing when it is refused', async () => {
      assert.deepEqual(await everything(operator.data.registry.storage), stored);
    });
  });

  function refusalOf({ path }: { path: string }): string | undefined {
    return refusals[path.replace('/operator/v1', '').split('/')[1] as string];
  }

  function send(key: string, id: string) {
    const [method = '', path = ''] = key.split(' ');
    const { id: developerId } = operator.data.otherDeveloper;
    const body = path.endsWith('/transfer') ? { developerId } : (bodies[key] ?? {});
    return operator.send({
      method,
      path: path.replace(/:\w+/, id),
      headers: { ...bearer(operator.tokens.admin.token), 'content-type': 'application/json' },
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    });
  }
});
