import type { OperatorOperation } from '../../kernel/operation-declaration.ts';
import { Settings, SettingsUpdate } from './settings.ts';

const settings = '/operator/v1/settings';

/** The settings that all processes on a database share (decision 24b). */
export const settingOperations = {
  getSettings: {
    method: 'GET',
    path: settings,
    summary: 'Show the settings shared by all processes',
    scope: 'read',
    response: Settings,
  },
  updateSettings: {
    method: 'PATCH',
    path: settings,
    summary: 'Update settings',
    description:
      'Updates the given settings together, in every process at once. Enabling `uniqueNames` fails while several apps share a name, and the error lists these names. Setting `changesToApproved` to `hold` requires `existing`; without it, the error lists the apps with changes that await a decision.',
    scope: 'admin',
    body: SettingsUpdate,
    ifMatch: 'optional',
    response: Settings,
    refusals: ['names_shared', 'changes_undecided'],
  },
} as const satisfies Record<string, OperatorOperation>;
