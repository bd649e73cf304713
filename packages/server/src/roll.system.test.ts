import { sqlite } from '@appregistrar/testkit/engines/engines';
import { previousVersions } from '@appregistrar/testkit/programs/previous-program';
import {
  refuseNewerSchema,
  rollBeside,
  usableVersions,
  withPrograms,
} from '@appregistrar/testkit/programs/roll-beside';

// The latest one on PostgreSQL is in roll.slow.test.ts, and those in between are in roll.long.test.ts.
const [oldest, latest] = [usableVersions[0], usableVersions.at(-1)];

withPrograms(previousVersions);
if (oldest !== undefined && oldest !== latest) rollBeside(oldest);
if (latest !== undefined) rollBeside(latest, [sqlite]);
refuseNewerSchema(previousVersions.filter((version) => version !== latest));
