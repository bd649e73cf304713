import { Failure, requireValid } from '../../kernel/failure.ts';
import { writeIdempotently } from '../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { isNamed, newStamp, type RevisionName } from '../../kernel/revision.ts';
import type { Connection } from '../../storage/query.ts';
import type { SettingsRow } from '../../storage/tables.ts';
import { orNamesShared } from '../apps/unique-names.ts';
import { appendEvent } from '../events/append-event.ts';
import { settingsView } from './get-settings.ts';
import { applySetting } from './setting-effects.ts';
import { updateSettings as storeSettings } from './setting-queries.ts';
import { type SettingName, type Settings, SettingsUpdate, type SettingValues, settingNames } from './settings.ts';
import { lockSettings, settingsOf, withSettings } from './stored-settings.ts';

export interface SettingsUpdateInput {
  update: unknown;
  /** The revisions that the operator may have seen; absent: any. */
  ifRevision?: readonly RevisionName[] | undefined;
}

/**
 * Changes the given settings together, with their effects, in one transaction: in every process at once. Without a
 * change there is no event. Refuses with `invalid_content`, `precondition_failed`, `names_shared` or
 * `changes_undecided`.
 */
export async function updateSettings(
  registry: Registry,
  caller: Caller,
  input: SettingsUpdateInput,
): Promise<Settings> {
  const { existing, ...update } = requireValid(SettingsUpdate, input.update);
  const { ifRevision } = input;
  try {
    return await writeIdempotently(registry, caller, {
      content: ['updateSettings', update, existing, ifRevision],
      work: (transaction) => updateSettingsIn(transaction, { registry, caller, update, existing, ifRevision }),
    });
  } catch (error) {
    throw await orNamesShared(registry, error);
  }
}

interface Change {
  registry: Registry;
  caller: Caller;
  update: Partial<SettingValues>;
  existing: SettingsUpdate['existing'];
  ifRevision: readonly RevisionName[] | undefined;
}

async function updateSettingsIn(
  transaction: Connection,
  { registry, caller, update, existing, ifRevision }: Change,
): Promise<Settings> {
  const stored = await lockSettings(transaction);
  const [before, after] = [settingsOf(stored), { ...settingsOf(stored), ...update }];
  requireRevision(registry, stored, ifRevision);
  const changed = settingNames.filter((name) => after[name] !== before[name]);
  if (changed.length === 0) return settingsView(registry, stored);

  const row = withSettings({ ...stored, revision: stored.revision + 1, revision_stamp: newStamp() }, update);
  await storeSettings(transaction, row);
  for (const name of changed) {
    await applySetting(name, { transaction, registry, caller, value: after[name], existing });
  }
  await appendEvent(transaction, {
    caller,
    at: registry.now(),
    type: 'settings.updated',
    subjectId: 'settings',
    before: only(before, changed),
    after: only(after, changed),
  });
  return settingsView(registry, row);
}

function requireRevision(registry: Registry, row: SettingsRow, ifRevision: readonly RevisionName[] | undefined): void {
  if (!ifRevision || isNamed(registry, row, ifRevision)) return;
  throw new Failure(
    'precondition_failed',
    'The settings have changed since they were read. Read them again, and apply the update to the current settings.',
  );
}

function only(settings: SettingValues, names: SettingName[]): Partial<SettingValues> {
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}
