import { cli, done, type ParityCase, refused } from '../parity-case.ts';
import { ids } from '../seed.ts';

export const settings: ParityCase[] = [
  done('showSettings', cli`settings list`),
  refused('updateSettings invalid_content', cli`settings set uniqueNames maybe`, { body: { uniqueNames: 'maybe' } }),
  refused('updateSettings precondition_failed', cli`settings set uniqueNames false --revision 2`, {
    body: { uniqueNames: false },
    revision: 2,
  }),
  done('updateSettings', cli`settings set uniqueNames false --revision 1`, {
    body: { uniqueNames: false },
    revision: 1,
  }),
  done('updateSettings', cli`settings set uniqueNames false`, { body: { uniqueNames: false } }),
  done('updateAppAsOperator', cli`app update ${ids.installedDraft} --name Changed`, {
    id: ids.installedDraft,
    body: { name: 'Changed' },
  }),
  refused('updateSettings names_shared', cli`settings set uniqueNames true`, { body: { uniqueNames: true } }),
  done('updateAppAsOperator', cli`app update ${ids.installedDraft} --name Apart`, {
    id: ids.installedDraft,
    body: { name: 'Apart' },
  }),
  done('updateSettings', cli`settings set uniqueNames true`, { body: { uniqueNames: true } }),
  refused('updateSettings changes_undecided', cli`settings set changesToApproved hold`, {
    body: { changesToApproved: 'hold' },
  }),
  done('updateSettings', cli`settings set changesToApproved hold --existing hold`, {
    body: { changesToApproved: 'hold', existing: 'hold' },
  }),
  done('updateSettings', cli`settings set changesToApproved live`, { body: { changesToApproved: 'live' } }),
  done('showSettings', cli`settings list`),
];
