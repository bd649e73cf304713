import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventLines } from './event-lines.ts';

const linesOf = (data: object) => eventLines({ data } as Parameters<typeof eventLines>[0]);

test('an update has one line per value that it changed, added or removed', () => {
  const data = {
    before: { name: 'Old', listingInfo: { shortDescription: null, backgroundColor: '#fff' }, logoId: 'logo_1' },
    after: {
      name: 'New',
      revisionNonce: 'q5L-YRbWlS84',
      listingInfo: { shortDescription: 'Given', backgroundColor: '#000' },
      logoId: null,
    },
    changedSinceApproval: ['name', 'logoId'],
  };
  assert.deepEqual(linesOf(data), [
    { field: 'name', before: 'Old', after: 'New' },
    { field: 'listingInfo.shortDescription', before: null, after: 'Given' },
    { field: 'listingInfo.backgroundColor', before: '#fff', after: '#000' },
    { field: 'logoId', before: 'logo_1', after: null },
    { field: 'changedSinceApproval', before: undefined, after: 'name, logoId' },
  ]);
});

test('the change of what is in effect is one line that names the fields', () => {
  const line = (effective: object | null) => linesOf({ before: {}, after: {}, effective }).map(({ after }) => after);
  assert.deepEqual(line({ name: 'New', oauthInfo: { callbackUrl: null } }), ['name, oauthInfo.callbackUrl']);
  assert.deepEqual(line(null), ['nothing']);
});

test('a field that was never filled in is empty, not removed', () => {
  assert.deepEqual(linesOf({ after: { name: 'New', logoId: null } }), [
    { field: 'name', before: undefined, after: 'New' },
    { field: 'logoId', before: undefined, after: null },
  ]);
});

test('an event without data has no lines, and one of an unknown type has a line per value', () => {
  assert.deepEqual(linesOf({}), []);
  const data = { after: { later: { deep: [1, 2], flag: true }, fields: [{ pointer: '/name', message: 'Misleads.' }] } };
  assert.deepEqual(linesOf(data), [
    { field: 'later.deep', before: undefined, after: '1, 2' },
    { field: 'later.flag', before: undefined, after: 'true' },
    { field: 'fields', before: undefined, after: '/name: Misleads.' },
  ]);
});

test('an empty list has no value', () => {
  const data = { before: { developerIds: ['user_1'] }, after: { developerIds: [] } };
  assert.deepEqual(linesOf(data), [{ field: 'developerIds', before: 'user_1', after: null }]);
});
