import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { refusalOf } from '@appregistrar/testkit/programs/command-line';
import { listCommands } from '../../test/cli/list-commands.ts';
import { ConfigError } from '../config/variable-reader.ts';
import { ArchiveRefused } from '../features/events/archive/archive-file.ts';
import { InconsistentRegistry } from '../features/integrity/check-registry.ts';
import { Failure, type FailureCode, invalidContent } from '../kernel/failure.ts';
import { interfaceProblemTitles, problemTitles } from '../kernel/problem-details.ts';
import { ListenError } from '../listen.ts';
import {
  BackupError,
  DatabaseNotFound,
  StorageUnavailable,
  UnknownOutcome,
  UnusableDatabase,
} from '../storage/storage-failure.ts';
import { CannotRead, CannotWrite, commandProblemTitles, RecordsRefused } from './command-problems.ts';
import { NotReady } from './commands/server-commands.ts';
import { NotConfirmed } from './confirm-revision.ts';
import { commandName } from './output/operations-of-command.ts';
import { ServerUnreachable } from './remote/remote-failure.ts';
import { NoToken } from './remote/token-store.ts';
import { optionFor, otherRecords, reportFailure } from './report-failure.ts';

const failures: [error: Error, code: string, detail: RegExp][] = [
  [new ConfigError('LOG_LEVEL is wrong.'), 'configuration_invalid', /^LOG_LEVEL is wrong\.$/],
  [
    DatabaseNotFound.in('/data/typo.db'),
    'database_not_found',
    /^There is no registry in \/data\/typo\.db\. Nothing was created/,
  ],
  [new UnusableDatabase('It is too new.'), 'database_unusable', /^It is too new\.$/],
  [new ListenError('It is in use.'), 'address_unusable', /^It is in use\.$/],
  [new CannotRead('It does not exist.'), 'file_unreadable', /^It does not exist\.$/],
  [new CannotWrite('It exists.'), 'file_unwritable', /^It exists\.$/],
  [new BackupError('It exists.'), 'backup_refused', /^It exists\.$/],
  [new ArchiveRefused('It is damaged.'), 'archive_refused', /^It is damaged\.$/],
  [new RecordsRefused('Two were refused.', []), 'records_refused', /^Two were refused\.$/],
  [new NotConfirmed('It was not confirmed.'), 'not_confirmed', /^It was not confirmed\.$/],
  [new NotReady('It is about to end.'), 'not_ready', /^It is about to end\.$/],
  [
    new InconsistentRegistry(0, []),
    'registry_inconsistent',
    /^The registry has 0 inconsistencies\. Nothing was changed\./,
  ],
  [new StorageUnavailable('disk full'), 'unavailable', /\(disk full\)\. Nothing was changed\. Retry/],
  [new NoToken('There is no token.'), 'token_required', /^There is no token\.$/],
  [new ServerUnreachable('It is down.'), 'server_unreachable', /^It is down\.$/],
  [new UnknownOutcome('lost'), 'outcome_unknown', /may or may not be stored\. Check the current state before/],
];

describe('a failure is reported with its cause and what to do', () => {
  for (const [error, code, detail] of failures) {
    test(code, () => {
      const stderr = reportFailure(error, { json: true });
      const refusal = refusalOf({ status: 1, stdout: '', stderr });
      assert.equal(refusal.code, code);
      assert.match(refusal.detail, detail);
      assert.equal(reportFailure(error, { json: false }), `app-registry: ${refusal.detail}\n`);
    });
  }
});

test('every code of the command line is covered here', () => {
  const codes = failures.map(([, code]) => code).filter((code) => !(code in problemTitles));
  // Wrong usage is reported before a command runs.
  assert.deepEqual([...codes, 'usage_invalid'].toSorted(), Object.keys(commandProblemTitles).toSorted());
});

test('the type of a problem links to its section in the published reference, or is about:blank if it has none', () => {
  for (const code of Object.keys(problemTitles) as FailureCode[]) {
    const { type } = JSON.parse(reportFailure(new Failure(code, 'No.'), { json: true }));
    assert.equal(type, code in interfaceProblemTitles ? `http://127.0.0.1:8080/docs#${code}` : 'about:blank');
  }
});

test('each error has its location: the line of a file, the pointer of a value, both or neither', () => {
  const error = { code: 'invalid_format', detail: 'It is wrong.' } as const;
  const failure = invalidContent([
    { pointer: '/name', ...error },
    { pointer: '', ...error },
    { pointer: '/name', line: 7, ...error } as never,
    { pointer: '', line: 8, ...error } as never,
  ]);
  const [, ...lines] = reportFailure(failure, { json: false }).trimEnd().split('\n');
  assert.deepEqual(lines, [
    '  /name: It is wrong.',
    '  It is wrong.',
    '  line 7 /name: It is wrong.',
    '  line 8: It is wrong.',
  ]);
});

test('a bug is reported with its stack trace', () => {
  const { code, detail } = JSON.parse(reportFailure(new TypeError('x is not a function'), { json: true }));
  assert.equal(code, 'internal_error');
  assert.match(detail, /^TypeError: x is not a function\n {4}at .*report-failure\.test\.ts/);
});

const options: [command: string, pointer: string, option: string][] = [
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
  for (const [name, pointer, option] of options) {
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

const lines = (count: number) => Array.from({ length: count }, (_, at) => ({ line: at + 1, value: `v${at + 1}` }));

test('the value of one record is shown, and what it clashes with', () => {
  assert.equal(otherRecords({ count: 1, examples: [{ line: 3 }] }), '');
  assert.equal(otherRecords({ count: 1, examples: [{ line: 3, value: 'a "b"' }] }), ' ("a \\"b\\"")');
  const here = { id: 'app_1', file: 'apps.csv', line: 2 };
  assert.equal(
    otherRecords({ count: 1, examples: [{ line: 3, value: 5, clashesWith: here }] }),
    ' (5 see apps.csv line 2)',
  );
  const before = { id: 'app_1' };
  assert.equal(
    otherRecords({ count: 1, examples: [{ line: 3, clashesWith: before }] }),
    ' (see app_1, which was here before)',
  );
});

test('the first five of many records are shown, with the number of the others', () => {
  assert.equal(otherRecords({ count: 2, examples: lines(2) }), ' (2 times: "v1"; line 2 "v2")');
  assert.equal(
    otherRecords({ count: 1_204, examples: lines(10) }),
    ' (1204 times: "v1"; line 2 "v2"; line 3 "v3"; line 4 "v4"; line 5 "v5"; and 1199 more)',
  );
});

test('an error outside an import adds nothing', () => {
  assert.equal(otherRecords({}), '');
});
