import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Problem } from '../types/problem.ts';
import { WebhookVerificationError } from '../webhook/webhook-verification-error.ts';
import {
  AppRegistryConnectionError,
  AppRegistryError,
  AppRegistryTimeoutError,
  ConflictError,
  errorOf,
  ResponseError,
} from './errors.ts';
import { describeResponse } from './response.ts';

const response = (status: number) => describeResponse({ status, headers: new Headers() });
const problem = (code: string) =>
  JSON.stringify({ code, detail: 'Detail.', requestId: 'x' } satisfies Partial<Problem>);

test('every error is an AppRegistryError, and nothing else is', () => {
  const errors = [
    errorOf(response(409), problem('name_taken')),
    errorOf(response(502), '<html>'),
    new AppRegistryTimeoutError('late'),
    new AppRegistryConnectionError('lost'),
    new WebhookVerificationError('too_old', 'old'),
  ];
  for (const error of errors) assert.ok(error instanceof AppRegistryError && AppRegistryError.is(error), error.name);
  for (const other of [new Error('x'), new TypeError('x'), { mayHaveTakenEffect: true }, null, 'x']) {
    assert.equal(AppRegistryError.is(other), false);
  }
});

test('an error of another copy of the package is recognised, which instanceof does not', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'client-copy-'));
  t.after(() => rm(folder, { recursive: true }));
  await cp(fileURLToPath(new URL('..', import.meta.url)), folder, { recursive: true });
  const copy: typeof import('./errors.ts') = await import(pathToFileURL(join(folder, 'client/errors.ts')).href);
  const error: Error = copy.errorOf(response(409), problem('name_taken'));
  assert.equal(error instanceof AppRegistryError, false);
  assert.ok(AppRegistryError.is(error));
  assert.equal(error.code, 'name_taken');
});

const outcomes: [AppRegistryError, isRetryable: boolean][] = [
  [errorOf(response(409), problem('name_taken')), false],
  [errorOf(response(409), problem('request_in_progress')), true],
  [errorOf(response(429), problem('too_many_requests')), true],
  [errorOf(response(500), problem('internal_error')), true],
  [errorOf(response(503), problem('unavailable')), true],
  [errorOf(response(503), '<html>'), true],
  [new AppRegistryTimeoutError('late'), true],
  [new AppRegistryConnectionError('lost'), true],
  [new WebhookVerificationError('too_old', 'old'), false],
];
for (const [error, isRetryable] of outcomes) {
  const about = `${error.name} ${error.statusCode ?? ''} ${error.code ?? ''}`.trim();
  test(`${about}: the same request ${isRetryable ? 'may succeed later' : 'fails again'}`, () => {
    assert.equal(error.isRetryable, isRetryable);
  });
}

test('a 404 says that an app does not exist only if a registry says so about the app', () => {
  const named = (body?: string) => errorOf(response(404), body).name;
  assert.equal(named(problem('app_not_found')), 'NotFoundError');
  assert.equal(named(problem('path_not_found')), 'PathNotFoundError');
  assert.equal(named('<html>'), 'PathNotFoundError');
});

test('known problem codes are of the type of a code, and unknown ones compile', () => {
  const error = errorOf(response(409), problem('name_taken'));
  assert.ok(error instanceof ConflictError && error instanceof ResponseError);
  assert.equal(error.code === 'a_code_of_the_future', false);
});
