import type { Registry } from '../../kernel/registry.ts';
import { revisionETag } from '../../kernel/revision.ts';
import type { SettingsRow } from '../../storage/tables.ts';
import type { Settings } from './settings.ts';
import { readSettingsRow, settingsOf } from './stored-settings.ts';

/** The settings that all processes share. */
export async function getSettings(registry: Registry): Promise<Settings> {
  return settingsView(registry, await readSettingsRow(registry.storage.reader));
}

export function settingsView(registry: Registry, row: SettingsRow): Settings {
  return { ...settingsOf(row), revision: row.revision, etag: revisionETag(registry, row) };
}
