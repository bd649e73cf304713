import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnknownOutcome } from '../storage-failure.ts';
import { asCommitFailure } from './sqlite-failure.ts';

/** An error of `node:sqlite` with an extended result code. */
const failed = (errcode: number) => Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode });

test('the outcome of a commit is unknown after any I/O error but a failed write, which SQLite undoes', () => {
  const [fsync, truncate, write, full] = [1034, 1546, 778, 13].map(failed);
  assert.ok(asCommitFailure(fsync) instanceof UnknownOutcome);
  assert.ok(asCommitFailure(truncate) instanceof UnknownOutcome);
  assert.equal(asCommitFailure(write), write);
  assert.equal(asCommitFailure(full), full);
});
