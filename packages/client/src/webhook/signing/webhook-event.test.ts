import assert from 'node:assert/strict';
import { test } from 'node:test';
import Value from 'typebox/value';
import { Event, eventTypes } from '../../../../server/src/features/events/event.ts';
import { webhookEvent } from './webhook-event.ts';

test('the event of every type matches the contract of the server', () => {
  assert.ok(eventTypes.length > 30);
  for (const type of eventTypes) {
    const event = webhookEvent(type);
    assert.equal(event.type, type);
    assert.deepEqual(Value.Errors(Event, event), [], type);
  }
});

test('each event has its own ID, in the format of the registry, and the current time', () => {
  const before = Date.now();
  const [one, other] = [webhookEvent('app.approved'), webhookEvent('app.approved')];
  assert.match(one.id, /^event_0[0-9a-hjkmnp-tv-z]{25}$/);
  assert.notEqual(one.id, other.id);
  assert.notEqual(one.subjectId, other.subjectId);
  assert.ok(Date.parse(one.timestamp) >= before && Date.parse(one.timestamp) <= Date.now());
});

test('an app event is about that app, and an installation event about one of its installations', () => {
  const appId = 'app_01jq3w7q5nf9yr2d4z0s6r3g8h';
  assert.deepEqual(subjectOf(webhookEvent('app.approved', { appId })), [appId, appId]);
  const [ofApp, installation] = subjectOf(webhookEvent('installation.created', { appId }));
  assert.equal(ofApp, appId);
  assert.match(installation, /^installation_/);
  const [noApp, name] = subjectOf(webhookEvent('token.created'));
  assert.equal(noApp, undefined);
  assert.match(name, /^token_/);
});

test('given fields replace the defaults, and no event shares its data with another', () => {
  const data = { before: { name: 'Old' }, after: { name: 'New' } };
  const fields = { id: 'event_1', actor: 'maintenance', reason: 'Cleaning', subjectId: 'app_1', data };
  assert.partialDeepStrictEqual(webhookEvent('app.updated', fields), { type: 'app.updated', ...fields });
  webhookEvent('app.updated').data.before.name = 'changed';
  assert.equal(webhookEvent('app.updated').data.before.name, 'Invoices');
});

test('the compiler knows the data of each type', () => {
  const { data } = webhookEvent('installation.created');
  assert.equal(data.after.enabled, true);
  // @ts-expect-error: an installation has no review status
  assert.equal(data.after.reviewStatus, undefined);
  // @ts-expect-error: the data is that of another type
  webhookEvent('app.approved', { data: { before: {}, after: { name: 'New' } } });
});

function subjectOf({ appId, subjectId }: { appId?: string; subjectId: string }): [string | undefined, string] {
  return [appId, subjectId];
}
