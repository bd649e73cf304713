import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listCommands } from '../../test/cli/list-commands.ts';
import { Failure } from '../kernel/failure.ts';
import { commandName } from './output/operations-of-command.ts';
import { optionFor, reportFailure } from './report-failure.ts';

const cases: [command: string, pointer: string, option: string][] = [
  ['developer create', '/email', '--email'],
  ['developer create', '/firstName', '--first-name'],
  ['app create', '/developerId', '--developer'],
  ['app update', '/listingInfo/backgroundColor', '--background-color'],
  ['app approve', '/fields/0/message', '--message'],
  ['protected-name create', '/developerIds/1', '--developer'],
  ['token create', '/scopes', '--scope'],
  ['webhook create', '/url', '--url'],
  ['webhook update', '/types/0', '--type'],
  ['event list', '/requestId', '--request'],
  ['settings update', '/uniqueNames', '/uniqueNames'],
  ['app list', '', ''],
  ['app list', 'developerId', '--developer'],
];

test('an error names the option that gives the value', async () => {
  const commands = new Map((await listCommands()).map((command) => [commandName(command), command]));
  for (const [name, pointer, option] of cases) {
    const command = commands.get(name) ?? assert.fail(name);
    assert.equal(optionFor(command, pointer), option, `${name} ${pointer}`);
  }
});

test('a refusal names the option of a field in place of the field, if the command has one', async () => {
  const error = new Failure('app_claimed', 'Wait, or take it over with `takeOver`.');
  for (const [name, detail] of [
    ['app claim', 'Wait, or take it over with --take-over.'],
    ['app release', error.message],
  ]) {
    const command = (await listCommands()).find((one) => commandName(one) === name);
    assert.ok(command);
    assert.equal(reportFailure(error, { json: false, command }), `app-registry: ${detail}\n`);
  }
});
