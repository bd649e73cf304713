import Type from 'typebox';
import { write } from '../../kernel/idempotency.ts';
import { byId, operation } from '../../kernel/operation.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { newRevisionNonce, requireRevision, revisionETag } from '../../kernel/revision.ts';
import { dateTime } from '../../kernel/text.ts';
import type { Connection } from '../../storage/query.ts';
import type { SettingsRow } from '../../storage/tables.ts';
import { applyUniqueNames, orNamesShared } from '../apps/change-app.ts';
import { switchChangesToApproved } from '../apps/review/switch-changes-to-approved.ts';
import { appendEvent } from '../events/append-event.ts';
import { updateSettings as storeSettings } from './setting-queries.ts';
import {
  ExistingChanges,
  lockSettings,
  readSettingsRow,
  type SettingName,
  Settings,
  SettingsUpdate,
  type SettingValues,
  settingDeclarations,
  settingNames,
  settingsOf,
  withSettings,
} from './settings.ts';

const path = '/operator/v1/settings';

export const getSettings = operation({
  id: 'getSettings',
  method: 'GET',
  path,
  summary: 'Get the settings shared by all processes',
  scope: 'read',
  response: Settings,
  command: {
    name: 'settings get',
    description: 'Show the settings and their revision.',
    notes: settingsHelp(),
    examples: ['app-registry settings get'],
  },
  async run({ registry }) {
    return settingsView(registry, await readSettingsRow(registry.storage.reader));
  },
});

/** Changes settings with their effects, in every process at the same time. Without a change there is no event. */
const updateSettings = operation({
  id: 'updateSettings',
  method: 'PATCH',
  path,
  summary: 'Update settings',
  description:
    'Updates the given settings together, in every process at once. Enabling `uniqueNames` fails while several apps share a name, and the error lists these names. While changes await a decision, setting `changesToApproved` to `hold` requires `existing`; without it, the error lists their apps.',
  scope: 'admin',
  query: Type.Object({ existing: Type.Optional(ExistingChanges) }, { additionalProperties: false }),
  body: SettingsUpdate,
  ifMatch: true,
  response: Settings,
  refusals: ['names_shared', 'changes_undecided'],
  command: { name: 'settings update' },
  async run({ registry, caller, query: { existing }, body: update, ifRevision, unlessRevision }) {
    const written = write(registry, caller, async (transaction) => {
      const stored = await lockSettings(transaction);
      const [before, after] = [settingsOf(stored), { ...settingsOf(stored), ...update }];
      requireRevision(registry, stored, { ifRevision, unlessRevision, what: 'settings' });
      const changed = settingNames.filter((name) => after[name] !== before[name]);
      if (changed.length === 0) return settingsView(registry, stored);
      const at = registry.now();

      const row = withSettings(
        { ...stored, revision: stored.revision + 1, revision_nonce: newRevisionNonce(), updated_at: at },
        update,
      );
      await storeSettings(transaction, row);
      for (const name of changed)
        await applySetting(name, transaction, { registry, caller, value: after[name], existing });
      await appendEvent(transaction, {
        caller,
        at,
        type: 'settings.updated',
        subjectId: 'settings',
        before: only(before, changed),
        after: only(after, changed),
      });
      return settingsView(registry, row);
    });
    return written.catch(async (error) => {
      throw await orNamesShared(registry, error);
    });
  },
});

/** The settings that all processes on a database share. */
export const settingOperations = byId(getSettings, updateSettings);

/** A setting whose value has changed. */
interface SettingChange<Name extends SettingName> {
  registry: Registry;
  caller: Caller;
  value: SettingValues[Name];
  /** What becomes of changes that await a decision. */
  existing: ExistingChanges | undefined;
}

type Effects = {
  [Name in SettingName]?: (transaction: Connection, change: SettingChange<Name>) => Promise<void>;
};

/** What the change of a setting does to stored rows, in the transaction of the change. */
const effects: Effects = {
  uniqueNames: (transaction, { value }) => applyUniqueNames(transaction, value),
  changesToApproved: (transaction, { value, ...step }) => switchChangesToApproved(transaction, { ...step, to: value }),
};

async function applySetting<Name extends SettingName>(
  name: Name,
  transaction: Connection,
  change: SettingChange<Name>,
): Promise<void> {
  await effects[name]?.(transaction, change);
}

/** Each setting with its meaning and its default, for the help of a command. */
export function settingsHelp(): string {
  const lines = settingNames.map((name) => {
    const { help, default: value } = settingDeclarations[name];
    return `  ${name}  ${help} (default: ${value})`;
  });
  return ['Settings:', ...lines].join('\n');
}

function settingsView(registry: Registry, row: SettingsRow): Settings {
  const { revision, updated_at: updatedAt } = row;
  const time = updatedAt === null ? {} : { updatedAt: dateTime(updatedAt) };
  return { ...settingsOf(row), revision, etag: revisionETag(registry, row), ...time };
}

function only(settings: SettingValues, names: SettingName[]): Partial<SettingValues> {
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}
