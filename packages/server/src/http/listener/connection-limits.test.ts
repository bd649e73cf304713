import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionLimits } from './connections.ts';

const limits = [
  { what: '512 descriptors are reserved', openFiles: 20_000, expected: { public: 19_488, operator: 128 } },
  { what: 'half of a few descriptors are reserved', openFiles: 200, expected: { public: 100, operator: 25 } },
  {
    what: 'without a limit of open files, public connections have none either',
    openFiles: Number.POSITIVE_INFINITY,
    expected: { public: Number.POSITIVE_INFINITY, operator: 128 },
  },
  {
    what: 'a setting lowers the limit of public connections',
    openFiles: 20_000,
    connectionsMax: 300,
    expected: { public: 300, operator: 128 },
  },
  {
    what: 'no setting takes what is reserved',
    openFiles: 1_024,
    connectionsMax: 1_000,
    expected: { public: 512, operator: 128 },
  },
];

for (const { what, openFiles, connectionsMax = 0, expected } of limits) {
  test(what, () => assert.deepEqual(connectionLimits(connectionsMax, openFiles), expected));
}
