import { change, find } from '../../storage/query.ts';
import { columns, type SettingsRow } from '../../storage/tables.ts';

export const findSettings = find((db) => db.selectFrom('settings').select(columns.settings));

/** Inside a write: the settings, which no other write changes until this one ends. */
export const findSettingsForShare = find((db) => db.selectFrom('settings').select(columns.settings).forShare());

/** Inside a write that changes them: waits for all writes that depend on them. */
export const findSettingsForUpdate = find((db) => db.selectFrom('settings').select(columns.settings).forUpdate());

/** The setting that `RequestLookups` and every change of an app read. */
export const findChangesToApproved = find((db) => db.selectFrom('settings').select('changes_to_approved'));

export const updateSettings = change((db, { revision, revision_nonce, content, changes_to_approved }: SettingsRow) =>
  db.updateTable('settings').set({ revision, revision_nonce, content, changes_to_approved }),
);
