import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import { promotingTrigger } from '@appregistrar/testkit/storage/schema-objects';
import { changeSchema } from '@appregistrar/testkit/storage/storage-test';
import { openStorage } from '../../storage/open-storage.ts';

forEachEngine((engine) => {
  test('check prints how much it checked, and lists the findings of an inconsistent registry', async () => {
    const cli = await CommandLine.open(engine);
    const { id: userId } = await cli.done<{ id: string }>('developer', 'create', '--email', 'ada@example.com');
    const { id } = await cli.done<{ id: string }>('app', 'create', '--developer', userId, '--name', 'Invoice Sync');
    const checked = { developers: 1, logos: 0, apps: 1, deletedApps: 0, installations: 0, tokens: 0 };
    assert.deepEqual(await cli.done('check'), checked);

    const storage = await openStorage(cli.databaseUrl);
    await storage.write((transaction) =>
      transaction.run(transaction.builder.updateTable('apps').set({ installation_count: 7 }).compile()),
    );
    await storage.close();
    const { code, errors } = await cli.refused('check');
    assert.equal(code, 'registry_inconsistent');
    assert.deepEqual(errors, [
      {
        pointer: `/apps/${id}/installation_count`,
        code: 'wrong_count',
        detail: 'The count is 7, but the app has 0 installations.',
      },
    ]);
    const { status, stderr } = await cli.run('check');
    assert.equal(status, 1);
    assert.match(stderr, /^ {2}\/apps\/app_\w+\/installation_count: The count is 7/m);
    await cli.close();
  });

  test('check lists what is foreign in the schema besides the other findings, and serve refuses to start', async () => {
    const cli = await CommandLine.open(engine);
    const engineName = cli.databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgres';
    const counting = `insert into developers (user_id, email, created_at, updated_at, revision_nonce) values ('x', 'ada@example.com', 0, 0, 'nonce_1')`;
    await changeSchema(cli.databaseUrl, [...promotingTrigger[engineName], counting]);
    const { code, errors = [] } = await cli.refused('check');
    assert.equal(code, 'registry_inconsistent');
    assert.deepEqual(
      errors.map(({ pointer, code }) => `${pointer} ${code}`),
      [
        // On PostgreSQL, a trigger calls a function.
        ...(engineName === 'postgres' ? ['/schema/function promote() unexpected_object'] : []),
        '/schema/trigger promote on access_tokens unexpected_object',
        '/developers/x/user_id invalid_format',
        '/developers/x event_missing',
      ],
    );
    const refusal = await cli.refused('serve');
    assert.equal(refusal.code, 'database_unusable');
    assert.match(refusal.detail, /The trigger promote on access_tokens is not part of app-registry: "create trigger/i);
    await cli.close();
  });

  test('check reads no rows of a table that has another definition', async () => {
    const cli = await CommandLine.open(engine);
    await changeSchema(cli.databaseUrl, ['alter table apps rename column name_key to key_of_name']);
    const { errors = [] } = await cli.refused('check');
    assert.ok(errors.length > 0);
    for (const { pointer } of errors) assert.match(pointer, /^\/schema\/\w+ .* (?:on|of) apps$|^\/schema\/table apps$/);
    await cli.close();
  });

  test('check reports a schema without the table that every command reads first', async () => {
    const cli = await CommandLine.open(engine);
    await changeSchema(cli.databaseUrl, ['drop table registry_epoch']);
    const { code, detail } = await cli.refused('check');
    assert.equal(code, 'database_unusable');
    assert.match(detail, /The table registry_epoch is missing\./);
    await cli.close();
  });

  test('check passes on a newer schema, as after a rollback, and reports that it could not compare it', async () => {
    const cli = await CommandLine.open(engine);
    await changeSchema(cli.databaseUrl, ['update registry_schema set version = 900']);
    const { uncomparedSchemaVersion } = await cli.done<{ uncomparedSchemaVersion?: number }>('check');
    assert.equal(uncomparedSchemaVersion, 900);
    await cli.close();
  });
});
