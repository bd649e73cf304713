import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { encodeForm } from '@appregistrar/testkit/http/form';
import { bearer } from '@appregistrar/testkit/http/http-request';
import { appOf, developerOf, installationOf } from '@appregistrar/testkit/registry/import-file';
import { everything, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';

forEachEngine((engine) => {
  let operator: OperatorFixture;
  before(async () => {
    operator = await OperatorFixture.open(engine);
  });
  after(() => operator.close());

  async function send(parts: Record<string, string | Uint8Array>, more: Record<string, string> = {}) {
    const { headers, body } = await encodeForm(parts);
    const authorization = bearer(operator.tokens.admin.token);
    const path = '/operator/v1/imports';
    // biome-ignore lint/suspicious/noExplicitAny: a result or a problem.
    return operator.send<any>({ method: 'POST', path, headers: { ...authorization, ...headers, ...more }, body });
  }
  const linesOf = (records: unknown[]) => Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const stored = () => everything(operator.data.registry.storage);
  const apps = async () => (await rowsOf(operator.data.registry.storage, 'apps')).map(({ name }) => name);

  function records(name: string) {
    const developer = developerOf();
    const app = appOf(developer.userId, name);
    return [developer, app, installationOf(app.id ?? '')];
  }

  test('JSON Lines are imported once, with the result of the command', async () => {
    const file = linesOf(records('Imported'));
    const { status, view } = await send({ file });
    assert.equal(status, 200, JSON.stringify(view));
    const created = { created: 1, updated: 0, unchanged: 0 };
    const none = { created: 0, updated: 0, unchanged: 0 };
    assert.deepEqual(view, {
      ...{ dryRun: false, developers: created, logos: none, apps: created, installations: created },
      ...{ recordsRefused: 0, errors: [] },
    });
    assert.ok((await apps()).includes('Imported'));
    assert.deepEqual((await send({ file })).view.apps, { created: 0, updated: 0, unchanged: 1 });
  });

  test('a dry run stores nothing, and has the errors with their lines and what else would be stored', async () => {
    const [developer, app] = records('Only tried');
    const wrong = { ...app, id: undefined, name: 'x'.repeat(1_000) };
    const before = await stored();
    const { view } = await send({ file: linesOf([developer, app, wrong, wrong]), dryRun: 'true' });
    assert.deepEqual([view.dryRun, view.developers.created, view.apps.created, view.recordsRefused], [true, 1, 1, 2]);
    const name = view.errors.find(({ pointer }: { pointer: string }) => pointer === '/name');
    assert.deepEqual([name.line, name.count, name.lines], [3, 2, [3, 4]]);
    assert.deepEqual(await stored(), before);
  });

  test('a file with errors is refused as a whole, and the problem names their lines', async () => {
    const [developer, app] = records('Refused');
    const before = await stored();
    const { status, problem } = await send({ file: linesOf([developer, app, { type: 'app' }]) });
    assert.deepEqual([status, problem.code], [422, 'invalid_content']);
    assert.match(problem.errors?.[0]?.detail ?? '', /^Line 3: /);
    assert.deepEqual(await stored(), before);
  });

  test('CSV is imported by a mapping of its columns, and errors name the column', async () => {
    const file = Buffer.from('Mail;Given\nada@csv.example;Ada\nnobody;Bob\n');
    const fields = { email: 'Mail', firstName: 'Given', userId: { column: 'Mail', idKind: 'user' } };
    const mapping = JSON.stringify({ developers: { fields } });
    const idNamespace = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
    const { view } = await send({ file, kind: 'developers', mapping, delimiter: ';', idNamespace, dryRun: 'true' });
    assert.deepEqual([view.developers.created, view.recordsRefused], [1, 1]);
    assert.ok(view.errors.some(({ column }: { column?: string }) => column === 'Mail'));
    const { problem } = await send({ file, kind: 'developers', delimiter: ';', dryRun: 'true' });
    assert.equal(problem.code, 'invalid_content');
  });

  test('a retry under the key of an import gets its result, and imports nothing', async () => {
    const key = { 'idempotency-key': '8e03978e-40d5-43dd-bc93-6894a57f9324' };
    const parts = { file: linesOf(records('Once')) };
    const first = await send(parts, key);
    const before = await stored();
    assert.deepEqual((await send(parts, key)).view, first.view);
    assert.deepEqual(await stored(), before);
    assert.equal((await send({ file: linesOf(records('Different')) }, key)).problem.code, 'idempotency_key_reused');
  });

  test('a file of more than 4 MiB is refused with what to do', async () => {
    const { status, problem } = await send({ file: Buffer.alloc(4 * 1_048_576 + 1, ' ') });
    assert.deepEqual([status, problem.code], [413, 'body_too_large']);
  });
});
