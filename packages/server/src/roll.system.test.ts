import { sqlite } from '@appregistrar/testkit/engines/engines';
import { previousVersions } from '@appregistrar/testkit/programs/previous-program';
import {
  refuseNewerSchema,
  rollBeside,
  usableVersions,
  withPrograms,
} from '@appregistrar/testkit/programs/roll-beside';

// The latest one on PostgreSQL is in roll.slow.test.ts, and those in between are in roll.long.test.ts.
const [oldest = 1] = usableVersions;
const latest = usableVersions.at(-1) ?? oldest;

withPrograms(previousVersions);
rollBeside(oldest);
rollBeside(latest, [sqlite]);
refuseNewerSchema(previousVersions.filter((version) => version !== latest));
