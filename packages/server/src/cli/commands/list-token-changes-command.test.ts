import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import type { AccessToken } from '../../features/access/access-token.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import type { EventRow } from '../../storage/tables.ts';
import { localOperations } from '../registry-action.ts';
import { listAllChanges } from './list-token-changes-command.ts';

/** A page of 100 objects sums up 1,000 changes. */
const changesMax = 1_000;

let cli: CommandLine;
before(async () => {
  cli = await CommandLine.open(sqlite);
});
after(() => cli.close());

async function tokenWithChanges(count: number, eventAt: (at: number) => Partial<EventRow>): Promise<string> {
  const { id } = await cli.done<AccessToken>('token', 'create', '--kind', 'operator', '--scope', 'admin');
  await withRegistry(cli.databaseUrl, async ({ storage }) => {
    const [event = assert.fail()] = await rowsOf(storage, 'events');
    const events = Array.from({ length: count }, (_, at) => ({
      ...{ ...event, id: newId('event'), actor: id },
      ...eventAt(at),
    }));
    await storage.write((transaction) => transaction.insertNew('events', events));
  });
  return id;
}

test('the changes of all pages are added up, and types are on one line', async () => {
  const id = await tokenWithChanges(changesMax + 1, (at) => ({
    type: at === 0 ? 'app.submitted' : 'app.updated',
    app_id: 'app_1',
  }));
  const { stdout } = await cli.run('token', 'list-changes', id);
  const summed = `changes +${changesMax + 1}\n {4}types +app.submitted 1, app.updated ${changesMax}`;
  assert.match(stdout, new RegExp(`^ {4}${summed}$`, 'm'));
  assert.match(stdout, new RegExp(`^ {2}events +${changesMax + 1}$`, 'm'));
});

test('the sum stops after a number of objects, and its cursor leads to the others', async () => {
  // One of the objects is their app.
  const objectsMax = 250;
  const id = await tokenWithChanges(objectsMax, (at) => ({
    type: 'installation.created',
    app_id: 'app_1',
    subject_id: `installation_${at}`,
    after: JSON.stringify({ workspaceId: `workspace_${at}` }),
  }));
  const changes = (cursor?: string) =>
    withRegistry(cli.databaseUrl, async (registry) => {
      const run = localOperations(registry, commandLine);
      return listAllChanges(run, id, { limit: objectsMax, ...(cursor !== undefined && { cursor }) });
    });
  const first = await changes();
  assert.deepEqual([first.items.length, first.searched.events], [objectsMax, objectsMax - 1]);
  const rest = await changes(first.nextCursor);
  assert.deepEqual([rest.items.map(({ type }) => type), rest.nextCursor], [['app', 'workspace'], undefined]);
});
