import { defineChange, defineFind } from '../../storage/query.ts';
import { columns, type SettingsRow } from '../../storage/tables.ts';

export const findSettings = defineFind((db) => db.selectFrom('settings').select(columns.settings));

/** Inside a write: the settings, which no other write changes until this one ends. */
export const findSettingsForShare = defineFind((db) => db.selectFrom('settings').select(columns.settings).forShare());

/** Inside a write that changes them: waits for all writes that depend on them. */
export const findSettingsForUpdate = defineFind((db) => db.selectFrom('settings').select(columns.settings).forUpdate());

/** The setting that `RequestLookups` and every change of an app read. */
export const findChangesToApproved = defineFind((db) => db.selectFrom('settings').select('changes_to_approved'));

export const updateSettings = defineChange(
  (db, { revision, revision_nonce, content, changes_to_approved, updated_at }: SettingsRow) =>
    db.updateTable('settings').set({ revision, revision_nonce, content, changes_to_approved, updated_at }),
);
