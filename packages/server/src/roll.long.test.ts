import { rollBeside, usableVersions, withPrograms } from '@appregistrar/testkit/programs/roll-beside';

// The oldest one and the latest one are in roll.system.test.ts and roll.slow.test.ts.
const between = usableVersions.slice(1, -1);

withPrograms(between);
for (const version of between) rollBeside(version);
