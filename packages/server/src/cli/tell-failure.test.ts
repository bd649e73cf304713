import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigError } from '../config/variable-reader.ts';
import { invalidContent } from '../registry/failure.ts';
import { CannotListen } from '../serve.ts';
import { StorageUnavailable, UnknownOutcome, UnusableDatabase } from '../storage/failure.ts';
import { refusalOf } from '../testing/command-line.ts';
import { CannotRead, tellFailure } from './tell-failure.ts';

const told: [error: Error, code: string, detail: RegExp][] = [
  [new ConfigError('LOG_LEVEL is wrong.'), 'configuration_invalid', /^LOG_LEVEL is wrong\.$/],
  [new UnusableDatabase('It is too new.'), 'database_unusable', /^It is too new\.$/],
  [new CannotListen('It is in use.'), 'address_unusable', /^It is in use\.$/],
  [new CannotRead('It is not there.'), 'file_unreadable', /^It is not there\.$/],
  [new StorageUnavailable('disk full'), 'unavailable', /\(disk full\)\. Nothing was changed; repeat/],
  [new UnknownOutcome('lost'), 'outcome_unknown', /it may be stored or not\. Look at what is there before/],
];

describe('a refusal is told with why and what to do', () => {
  for (const [error, code, detail] of told) {
    test(code, () => {
      const stderr = tellFailure(error, { json: true });
      const refusal = refusalOf({ status: 1, stdout: '', stderr });
      assert.equal(refusal.code, code);
      assert.match(refusal.detail, detail);
      assert.equal(tellFailure(error, { json: false }), `app-registry: ${refusal.detail}\n`);
    });
  }
});

test('each fault has its place: the line of a file, the pointer of a value, or neither', () => {
  const fault = { code: 'invalid_format', detail: 'It is wrong.' } as const;
  const failure = invalidContent([
    { pointer: '/name', ...fault },
    { pointer: '', ...fault },
    { pointer: '/name', line: 7, ...fault } as never,
    { pointer: '', line: 8, ...fault } as never,
  ]);
  const [, ...lines] = tellFailure(failure, { json: false }).trimEnd().split('\n');
  assert.deepEqual(lines, [
    '  /name: It is wrong.',
    '  It is wrong.',
    '  line 7 /name: It is wrong.',
    '  line 8: It is wrong.',
  ]);
});

test('a bug is told with where it is', () => {
  const { code, detail } = JSON.parse(tellFailure(new TypeError('x is not a function'), { json: true }));
  assert.equal(code, 'internal_error');
  assert.match(detail, /^TypeError: x is not a function\n {4}at .*tell-failure\.test\.ts/);
});
