import { cli, done, type ParityCase, refused } from '../parity-case.ts';
import { ids } from '../seed.ts';

export const settings: ParityCase[] = [
  done('getSettings', cli`settings get`),
  refused('updateSettings invalid_content', cli`settings update uniqueNames maybe`, { body: { uniqueNames: 'maybe' } }),
  refused('updateSettings precondition_failed', cli`settings update uniqueNames false --revision 2`, {
    body: { uniqueNames: false },
    revision: 2,
  }),
  done('updateSettings', cli`settings update uniqueNames false --revision 1`, {
    body: { uniqueNames: false },
    revision: 1,
  }),
  done('updateSettings', cli`settings update uniqueNames false`, { body: { uniqueNames: false } }),
  done('updateAppAsOperator', cli`app update ${ids.installedDraft} --name Changed`, {
    id: ids.installedDraft,
    body: { name: 'Changed' },
  }),
  refused('updateSettings names_shared', cli`settings update uniqueNames true`, { body: { uniqueNames: true } }),
  done('updateAppAsOperator', cli`app update ${ids.installedDraft} --name Apart`, {
    id: ids.installedDraft,
    body: { name: 'Apart' },
  }),
  done('updateSettings', cli`settings update uniqueNames true`, { body: { uniqueNames: true } }),
  refused('updateSettings changes_undecided', cli`settings update changesToApproved hold`, {
    body: { changesToApproved: 'hold' },
  }),
  done('updateSettings', cli`settings update changesToApproved hold --existing hold`, {
    body: { changesToApproved: 'hold', existing: 'hold' },
  }),
  done('updateSettings', cli`settings update changesToApproved live`, { body: { changesToApproved: 'live' } }),
  done('getSettings', cli`settings get`),
];
