import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listCommands } from '../../../test/cli/list-commands.ts';
import type { ListOptions } from '../command-options.ts';
import { commandName } from './operations-of-command.ts';
import { declaredColumns } from './print-results.ts';

test('each list has columns of its own for its table, which its operation declares', async () => {
  const lists = (await listCommands()).filter(({ options }) => options.some(({ long }) => long === '--columns'));
  assert.ok(lists.length > 10);
  for (const list of lists) {
    const { columns = [] } = list.opts<ListOptions>();
    const declared = await declaredColumns(list);
    assert.notDeepEqual(columns, [], commandName(list));
    const unknown = columns.filter((one) => !declared.some((name) => name === one || name.startsWith(`${one}.`)));
    assert.deepEqual(unknown, [], `${commandName(list)} has ${declared}`);
  }
});
