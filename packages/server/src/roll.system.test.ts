import { migrations } from './storage/migrations/index.ts';
import { previousVersions } from './testing/previous-program.ts';
import { rollBeside, withPrograms } from './testing/roll-beside.ts';

const usableFrom = Math.max(...migrations.map((migration) => migration.usableFrom));
// The latest of them: roll.test.ts.
const versions = previousVersions.filter((version) => version >= usableFrom && version < migrations.length - 1);

withPrograms(versions);
for (const version of versions) rollBeside(version);
