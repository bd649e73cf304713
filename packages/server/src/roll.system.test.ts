import { previousVersions } from 'app-registry-testkit/programs/previous-program';
import { refuseNewerSchema, rollBeside, withPrograms } from 'app-registry-testkit/programs/roll-beside';
import { migrations } from './storage/migrations/index.ts';

const usableFrom = Math.max(...migrations.map((migration) => migration.usableFrom));
// The latest ones are in roll.slow.test.ts.
const versions = previousVersions.filter((version) => version < migrations.length - 1);

withPrograms(versions);
for (const version of versions.filter((version) => version >= usableFrom)) rollBeside(version);
refuseNewerSchema(versions);
