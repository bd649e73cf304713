import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postgres } from '@appregistrar/testkit/engines/engines';
import { previousVersions } from '@appregistrar/testkit/programs/previous-program';
import { refuseNewerSchema, rollBeside, usableFrom, withPrograms } from '@appregistrar/testkit/programs/roll-beside';
import { migrations } from './storage/migrations/index.ts';

const currentVersion = migrations.length;

// SQLite, where one process serves at a time, is in roll.system.test.ts, as is the oldest one.
const previousVersion = currentVersion - 1;
withPrograms([previousVersion]);

test('every schema version whose programs may use this schema has a test program', () => {
  const usable = Array.from({ length: currentVersion - usableFrom }, (_, at) => usableFrom + at);
  const missing = usable.filter((version) => !previousVersions.includes(version));
  assert.deepEqual(missing, [], 'name the last commit of each in packages/testkit/src/programs/previous-program.ts');
});

rollBeside(previousVersion, [postgres]);
refuseNewerSchema([previousVersion, currentVersion]);
