import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { on, postgres, sqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import { serveHere } from '../../../test/programs/serve-here.ts';
import type { OperatorApp } from '../../features/apps/app-schemas.ts';

test('a restored registry confirms no ETag from before or after the backup', async () => {
  const cli = await CommandLine.open(sqlite);
  const folder = await mkdtemp(join(tmpdir(), 'restore-'));
  const file = join(folder, 'backup.db');
  const { id: userId } = await cli.done<{ id: string }>('developer', 'create', '--email', 'ada@example.com');
  const { id } = await cli.done<OperatorApp>('app', 'create', '--developer', userId, '--name', 'Invoice Sync');
  const developer = (await cli.done<{ token: string }>('token', 'create', '--kind', 'developer', '--developer', userId))
    .token;
  const platform = (await cli.done<{ token: string }>('token', 'create', '--kind', 'platform')).token;
  let server = await serveHere(cli.databaseUrl);

  const update = (name: string, headers = {}) =>
    fetch(`${server.publicUrl}/developer/apps/v1/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${developer}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ name }),
    });
  const get = (headers = {}) =>
    fetch(`${server.publicUrl}/platform/apps/v1/${id}`, {
      headers: { authorization: `Bearer ${platform}`, ...headers },
    });
  const tagOf = (response: Response) => response.headers.get('etag') ?? '';

  const updateTags = [tagOf(await update('First'))];
  const viewTags = [tagOf(await get())];
  await cli.done('backup', file);
  updateTags.push(tagOf(await update('Second')));
  viewTags.push(tagOf(await get()));
  assert.equal((await get({ 'if-none-match': viewTags[1] })).status, 304);
  assert.equal((await cli.refused('restore', file)).code, 'backup_refused', 'while the server runs');
  await server.stop();
  await cli.done('restore', file);

  server = await serveHere(cli.databaseUrl);
  assert.equal(((await (await get()).json()) as { name: string }).name, 'First');
  const confirmed = async () => {
    const requests = [
      ...updateTags.map((tag) => update('Never', { 'if-match': tag })),
      ...viewTags.map((tag) => get({ 'if-none-match': tag })),
    ];
    return (await Promise.all(requests)).map(({ status }) => status);
  };
  assert.deepEqual(await confirmed(), [412, 412, 200, 200]);
  // Now at the revision for which the second tag was issued.
  assert.equal((await update('Another second')).status, 200);
  assert.deepEqual(await confirmed(), [412, 412, 200, 200]);
  await server.stop();
  await cli.close();
  await rm(folder, { recursive: true });
});

test('on PostgreSQL backup and restore name the tools to use instead', on(postgres), async () => {
  const cli = await CommandLine.open(postgres);
  assert.match((await cli.refused('backup', '/tmp/registry.db')).detail, /pg_dump/);
  assert.match((await cli.refused('restore', '/tmp/registry.db')).detail, /pg_restore/);
  await cli.close();
});
