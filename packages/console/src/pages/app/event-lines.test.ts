import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventLines } from './event-lines.ts';

const linesOf = (data: object) => eventLines({ data } as Parameters<typeof eventLines>[0]);

test('an update tells each value that it changed, gave or removed', () => {
  const data = {
    before: { name: 'Old', listingInfo: { shortDescription: null, backgroundColor: '#fff' }, logoId: 'logo_1' },
    after: { name: 'New', listingInfo: { shortDescription: 'Given', backgroundColor: '#000' }, logoId: null },
    changedSinceApproval: ['name', 'logoId'],
  };
  assert.deepEqual(linesOf(data), [
    { member: 'name', before: 'Old', after: 'New' },
    { member: 'listingInfo.shortDescription', before: undefined, after: 'Given' },
    { member: 'listingInfo.backgroundColor', before: '#fff', after: '#000' },
    { member: 'logoId', before: 'logo_1', after: undefined },
    { member: 'changedSinceApproval', before: undefined, after: 'name, logoId' },
  ]);
});

test('an event that tells nothing more has no lines, and one of an unknown type has what it tells', () => {
  assert.deepEqual(linesOf({}), []);
  const data = { after: { later: { deep: [1, 2], flag: true } } };
  assert.deepEqual(linesOf(data), [
    { member: 'later.deep', before: undefined, after: '1, 2' },
    { member: 'later.flag', before: undefined, after: 'true' },
  ]);
});
