import { Settings, SettingsUpdate } from '../settings.ts';
import type { OperatorOperation } from './operation.ts';

const settings = '/operator/v1/settings';

/** The settings that all processes on a database share (decision 24b). */
export const settingOperations = {
  showSettings: {
    method: 'GET',
    path: settings,
    summary: 'Show the settings that all processes share',
    scope: 'read',
    response: Settings,
  },
  updateSettings: {
    method: 'PATCH',
    path: settings,
    summary: 'Change settings',
    description:
      'The given settings change together, in every process at once. Switching `uniqueNames` on is refused while several apps share a name, and lists these names. Switching `changesToApproved` to `hold` needs `existing`; without it, the refusal lists the apps with changes that await a decision.',
    scope: 'admin',
    body: SettingsUpdate,
    ifMatch: 'optional',
    response: Settings,
    refusals: ['names_shared', 'changes_undecided'],
  },
} as const satisfies Record<string, OperatorOperation>;
