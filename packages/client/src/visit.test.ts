import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppRegistryEvent, EventOf, UnknownEvent } from './event.ts';
import { visit } from './visit.ts';

const envelope = {
  id: 'event_01jq3w3k1hf5tr8z0v6n2m9c4d',
  timestamp: '2026-11-21T12:00:00.000Z',
  actor: 'command-line:demo',
  subjectId: 'app_01jq3w7q5nf9yr2d4z0s6r3g8h',
};
const updated: EventOf<'app.updated'> = {
  ...envelope,
  type: 'app.updated',
  data: { before: { name: 'Old' }, after: { name: 'New' }, changedSinceApproval: ['name'] },
};
const purged: AppRegistryEvent = { ...envelope, type: 'app.purged', data: {} };

test('an event goes to the handler of its type, whose result is returned', () => {
  const visitor = {
    'app.updated': (event: EventOf<'app.updated'>) => event.data.after.name,
    'app.purged': () => assert.fail('another type'),
    _other: () => assert.fail('another type'),
  };
  assert.equal(visit(updated, visitor), 'New');
});

test('a type without a handler, or unknown to this version, goes to _other', () => {
  const unknown: UnknownEvent = { ...envelope, type: 'app.praised', data: { stars: 5 } };
  const types = [purged, unknown].map((event) => visit(event, { 'app.updated': () => 'updated', _other: typeOf }));
  assert.deepEqual(types, ['app.purged', 'app.praised']);
  assert.equal(visit(updated, { 'app.updated': undefined, _other: typeOf }), 'app.updated');
});

test('a type named like an inherited property goes to _other', () => {
  for (const type of ['constructor', 'toString', '__proto__', 'hasOwnProperty', '_other', '']) {
    assert.equal(visit({ ...envelope, type, data: {} }, { _other: typeOf }), type);
  }
});

test('handlers may be asynchronous while _other is not', async () => {
  const seen: string[] = [];
  const record = async ({ type }: { type: string }) => void seen.push(type);
  for (const event of [updated, purged]) await visit(event, { 'app.updated': record, _other: () => {} });
  assert.deepEqual(seen, ['app.updated']);
});

test('the compiler knows the event of each handler, requires _other, and rejects a misspelt type', () => {
  const event: AppRegistryEvent = updated;
  const result = visit(event, {
    'app.updated': ({ data }) => data.after.oauthInfo?.callbackUrl ?? null,
    'installation.created': ({ data }) => data.after.workspaceId,
    // @ts-expect-error: the event has no version
    'app.approved': ({ data }) => data.after.version,
    _other: () => undefined,
  }) satisfies string | null | undefined;
  assert.equal(result, null);
  // @ts-expect-error: _other is missing
  assert.throws(() => visit(purged, { 'app.updated': () => 1 }), TypeError);
  // @ts-expect-error: there is no such type
  assert.equal(visit(event, { 'app.updatd': () => 1, _other: () => 2 }), 2);
});

function typeOf({ type }: { type: string }): string {
  return type;
}
