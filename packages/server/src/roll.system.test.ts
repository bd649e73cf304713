import { sqlite } from '@appregistrar/testkit/engines/engines';
import { previousVersions } from '@appregistrar/testkit/programs/previous-program';
import { refuseNewerSchema, rollBeside, withPrograms } from '@appregistrar/testkit/programs/roll-beside';
import { migrations } from './storage/migrations/index.ts';

const usableFrom = Math.max(...migrations.map((migration) => migration.usableFrom));
// The latest one on PostgreSQL is in roll.slow.test.ts.
const latest = migrations.length - 1;
const older = previousVersions.filter((version) => version < latest);

withPrograms([...older, latest]);
rollBeside(latest, [sqlite]);
for (const version of older.filter((version) => version >= usableFrom)) rollBeside(version);
refuseNewerSchema(older);
