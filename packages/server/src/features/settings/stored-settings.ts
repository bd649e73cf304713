import { checkValue } from '../../kernel/check.ts';
import type { Connection } from '../../storage/query.ts';
import type { Reader } from '../../storage/statement.ts';
import type { Storage } from '../../storage/storage.ts';
import type { SettingsRow } from '../../storage/tables.ts';
import { findSettings, findSettingsForShare, findSettingsForUpdate, updateSettings } from './setting-queries.ts';
import { type SettingValues, StoredSettings, settingDefaults, settingNames } from './settings.ts';

/** The settings as they are now. A write that depends on one uses `settingsDuring` instead. */
export async function readSettings(reader: Reader): Promise<SettingValues> {
  return settingsOf(await readSettingsRow(reader));
}

/** The same, with their revision. */
export function readSettingsRow(reader: Reader): Promise<SettingsRow> {
  return requireRow(findSettings(reader, {}));
}

/**
 * Inside a write: the settings, which stay the same until it ends. Call it before the write locks an app, because a
 * change of the settings locks them first and apps later.
 */
export async function settingsDuring(transaction: Connection): Promise<SettingValues> {
  return settingsOf(await requireRow(findSettingsForShare(transaction, {})));
}

/** Inside a write that changes settings: their row. Waits for writes that depend on them. */
export function lockSettings(transaction: Connection): Promise<SettingsRow> {
  return requireRow(findSettingsForUpdate(transaction, {}));
}

/** A setting that is not stored has its default. */
export function settingsOf(row: SettingsRow): SettingValues {
  return { ...settingDefaults, ...valuesIn(row) };
}

/** The row with other values. Settings that only a newer release knows stay. */
export function withSettings(row: SettingsRow, values: Partial<SettingValues>): SettingsRow {
  const content = { ...JSON.parse(row.content), ...values };
  return {
    ...row,
    content: JSON.stringify(content),
    changes_to_approved: content.changesToApproved ?? row.changes_to_approved,
  };
}

/** Stores the settings that the database does not have yet: it is new, or older than the setting. */
export async function storeInitialSettings(storage: Storage, initial: Partial<SettingValues>): Promise<void> {
  const { content } = await requireRow(findSettings(storage.reader, {}));
  // Also a value that only a newer release knows. Nothing is validated, which would take a tenth of a short command.
  const stored = JSON.parse(content);
  if (Object.keys(initial).every((name) => name in stored)) return;
  await storage.write(async (transaction) => {
    const row = await lockSettings(transaction);
    await updateSettings(transaction, withSettings(row, { ...initial, ...valuesIn(row) }));
  });
}

/** The stored values of the settings that this release knows. */
function valuesIn({ content }: SettingsRow): Partial<SettingValues> {
  const { value, errors } = checkValue(StoredSettings, JSON.parse(content));
  if (errors) throw new TypeError(`the database has invalid settings: ${content}`);
  const known = settingNames.filter((name) => name in value);
  return Object.fromEntries(known.map((name) => [name, value[name]]));
}

async function requireRow(found: Promise<SettingsRow | null>): Promise<SettingsRow> {
  const row = await found;
  if (!row) throw new Error('the database has no settings');
  return row;
}
