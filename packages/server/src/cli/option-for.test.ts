import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listCommands } from '../../test/cli/list-commands.ts';
import { commandName } from './output/operations-of-command.ts';
import { optionFor } from './report-failure.ts';

const cases: [command: string, pointer: string, option: string][] = [
  ['developer create', '/email', '--email'],
  ['developer create', '/firstName', '--first-name'],
  ['app create', '/developerId', '--developer'],
  ['app update', '/listingInfo/backgroundColor', '--background-color'],
  ['app approve', '/fields/0/message', '--message'],
  ['protected-name create', '/developerIds/1', '--developer'],
  ['token issue', '/scopes', '--scope'],
  ['webhook create', '/url', '--url'],
  ['webhook update', '/types/0', '--type'],
  ['event list', '/requestId', '--request'],
  ['settings update', '/uniqueNames', '/uniqueNames'],
  ['app list', '', ''],
];

test('an error names the option that gives the value', async () => {
  const commands = new Map((await listCommands()).map((command) => [commandName(command), command]));
  for (const [name, pointer, option] of cases) {
    const command = commands.get(name) ?? assert.fail(name);
    assert.equal(optionFor(command, pointer), option, `${name} ${pointer}`);
  }
});
