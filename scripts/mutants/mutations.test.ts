import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kind } from './kinds.ts';
import { findMutations, mutate } from './mutations.ts';
import { identity } from './results.ts';

test('a removed condition is never true, has one operand less, or is a check less', () => {
  assertMutations('removed condition', 'if (isOpen && (isOld || isEmpty)) close();', [
    'if (false) close();',
    'if (isOpen) close();',
    'if ((isOld || isEmpty)) close();',
    'if (isOpen && (isOld)) close();',
    'if (isOpen && (isEmpty)) close();',
  ]);
  assertMutations('removed condition', 'requireAppId(id);', [';']);
});

test('a swapped comparison differs at its bound, or is the opposite', () => {
  assertMutations('swapped comparison', 'const isBelow = a < b;', ['const isBelow = a <= b;']);
  assertMutations('swapped comparison', 'const isSame = a === b;', ['const isSame = a !== b;']);
  assertMutations('swapped comparison', 'const sum = a + b;', []);
});

test('a dropped where leaves the rest of the query', () => {
  assertMutations('dropped where', "query.where('id', '=', id).where('hidden', '=', 0).execute();", [
    "query.where('id', '=', id).execute();",
    "query.where('hidden', '=', 0).execute();",
  ]);
});

test('an await is skipped only where the code still runs without it', () => {
  assertMutations('skipped await', 'await store(row);', ['store(row);']);
  assertMutations('skipped await', 'if (await isStored(row)) done();', ['if (isStored(row)) done();']);
  assertMutations('skipped await', 'async () => { try { return await get(); } catch {} };', [
    'async () => { try { return get(); } catch {} };',
  ]);
  assertMutations('skipped await', 'const { id } = await get(); async () => { return await get(); };', []);
});

test('a wrong code is the next code of its list, or the next status', () => {
  assertMutations('wrong code', "throw new Failure('app_not_found', detail);", [
    "throw new Failure('logo_not_found', detail);",
  ]);
  assertMutations('wrong code', "add({ code: 'wrong_type', pointer });", ["add({ code: 'too_short', pointer });"]);
  assertMutations('wrong code', 'reply.code(200);', ['reply.code(201);']);
  assertMutations('wrong code', "const refusals = ['app_not_found'];", []);
});

test('a missing event is not appended, or not in the list of those that are', () => {
  assertMutations('missing event', 'await appendEvent(transaction, event);', [';']);
  assertMutations('missing event', "const events = [{ type: 'app.deleted' }, other];", [
    'const events = [...[], other];',
  ]);
  assertMutations('missing event', 'Promise.all([insert(row), appendEvents(rows)]);', [
    'Promise.all([insert(row), ...[]]);',
  ]);
  assertMutations('missing event', 'append({ changes: [appDeleted(app), ...others] });', [
    'append({ changes: [...[], ...others] });',
  ]);
});

test('a missing authorisation accepts a lower scope or the other token, or checks nothing', () => {
  assertMutations('missing authorisation', "const operation = { scope: 'review', kind: 'developer' };", [
    "const operation = { scope: 'read', kind: 'developer' };",
    "const operation = { scope: 'review', kind: 'platform' };",
  ]);
  assertMutations('missing authorisation', 'requireAccess(principal, access);', [';']);
  assertMutations('missing authorisation', "const isAdmin = allows(scopes, 'admin');", [
    "const isAdmin = allows(scopes, 'read');",
  ]);
});

test('a mutation keeps its identity when its lines move, and loses it when its code changes', () => {
  const source = "function check() {\n  if (a < b) throw new Failure('app_not_found', '');\n}\n";
  const identities = identitiesIn(source);
  assert.equal(new Set(identities).size, 3);
  assert.deepEqual(identitiesIn(`const other = 1;\n\n${source}`), identities);
  assert.notDeepEqual(identitiesIn(source.replace('a < b', 'a < c')), identities);
  assert.notDeepEqual(identitiesIn(source.replace('check', 'checkAll')), identities);
});

test('the same change in two places of a function has two identities', () => {
  const identities = identitiesIn('function check() { if (a) b(); if (a) c(); }');
  assert.equal(new Set(identities).size, 2);
});

function assertMutations(kind: Kind, source: string, expected: string[]): void {
  const found = findMutations('features/example.ts', source);
  const texts = found.filter(({ place }) => place.kind === kind).map((mutation) => mutate(source, mutation));
  assert.deepEqual(texts, expected);
}

function identitiesIn(source: string): string[] {
  return findMutations('features/example.ts', source).map(({ place }) => identity(place));
}
