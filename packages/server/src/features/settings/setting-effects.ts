import type { Caller, Registry } from '../../kernel/registry.ts';
import type { Connection } from '../../storage/query.ts';
import { switchChangesToApproved } from '../apps/review/switch-changes-to-approved.ts';
import { applyUniqueNames } from '../apps/unique-names.ts';
import type { SettingName, SettingsUpdate, SettingValues } from './settings.ts';

/** A setting whose value has changed. */
export interface SettingChange<Name extends SettingName> {
  transaction: Connection;
  registry: Registry;
  caller: Caller;
  value: SettingValues[Name];
  /** What becomes of changes that await a decision. */
  existing: SettingsUpdate['existing'];
}

type Effects = { [Name in SettingName]?: (change: SettingChange<Name>) => Promise<void> };

/** What the change of a setting does to stored rows, in the transaction of the change. */
const effects: Effects = {
  uniqueNames: ({ transaction, value }) => applyUniqueNames(transaction, value),
  changesToApproved: ({ transaction, value, ...step }) => switchChangesToApproved(transaction, { ...step, to: value }),
};

export async function applySetting<Name extends SettingName>(name: Name, change: SettingChange<Name>): Promise<void> {
  await effects[name]?.(change);
}
