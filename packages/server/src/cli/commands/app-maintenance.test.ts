import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine, validationErrorsOf } from '@appregistrar/testkit/programs/command-line';
import type { OperatorApp } from '../../features/apps/app-schemas.ts';
import type { OperatorDeveloper } from '../../features/developers/developer.ts';

onSqlite((engine) => {
  let cli: CommandLine;
  let developerId: string;
  let otherId: string;
  before(async () => {
    cli = await CommandLine.open(engine);
    ({ id: developerId } = await cli.done<OperatorDeveloper>('developer', 'create', '--email', 'ada@example.com'));
    ({ id: otherId } = await cli.done<OperatorDeveloper>('developer', 'create', '--email', 'grace@example.com'));
  });
  after(() => cli.close());

  const create = (name: string, ...options: string[]) =>
    cli.done<OperatorApp>('app', 'create', '--developer', developerId, '--name', name, ...options);
  const app = (...args: string[]) => cli.done<OperatorApp>('app', ...args);

  test('app list reports an unknown status as wrong usage, and a bad cursor with its pointer', async () => {
    assert.equal((await cli.run('app', 'list', '--status', 'OPEN')).status, 2);
    const refusal = await cli.refused('app', 'list', '--cursor', 'nonsense', '--developer', otherId);
    assert.deepEqual(validationErrorsOf(refusal), ['cursor invalid_format']);
  });

  test('text output that is no terminal is a table of tab-separated values', async () => {
    const { id } = await create('Dashed');
    const { status, stdout } = await cli.run('app', 'list', '--name', 'dashed');
    assert.equal(status, 0);
    assert.match(stdout, new RegExp(`^${id}\\tDashed\\tDRAFT\\tuser_\\w+\\t\\S+Z\\n$`));
  });

  test('app update changes the given fields, and clears those that are empty or negated with --no', async () => {
    const texts = ['--short-description', 'Short.', '--long-description', 'Long.'];
    const urls = ['--login-url', 'https://a.example/login', '--callback-url', 'https://a.example/back'];
    const { id } = await create('Before', ...texts, ...urls);
    const updated = await app(
      ...['update', id, '--name', 'After', '--no-short-description', '--long-description', ''],
      ...['--background-color', '#123', '--no-login-url', '--if-match', '1'],
    );
    assert.equal(updated.name, 'After');
    assert.deepEqual(updated.listingInfo, { backgroundColor: '#123' });
    assert.deepEqual(updated.oauthInfo, { callbackUrl: 'https://a.example/back' });
    assert.deepEqual(await app('update', id), updated);
    assert.deepEqual((await app('update', id, '--callback-url', '')).oauthInfo, {});
    assert.equal(
      (await cli.refused('app', 'update', id, '--name', 'X', '--if-match', '1')).code,
      'precondition_failed',
    );
    const invalid = await cli.refused(
      'app',
      'update',
      id,
      '--name',
      '',
      '--background-color',
      '',
      '--logo-id',
      'logo_x',
    );
    assert.deepEqual(validationErrorsOf(invalid).toSorted(), [
      '/listingInfo/backgroundColor too_short',
      '/name too_short',
    ]);
    const logo = await cli.refused('app', 'update', id, '--logo-id', 'logo_x');
    assert.deepEqual(validationErrorsOf(logo), ['/logoId unusable_logo']);
    assert.equal((await app('update', id, '--no-logo-id')).logoId, undefined);
  });
});
