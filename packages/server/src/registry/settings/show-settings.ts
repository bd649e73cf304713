import type { Settings } from '../../contract/settings.ts';
import type { Registry } from '../registry.ts';
import { readSettings } from '../stored-settings.ts';

/** The settings that all processes share. */
export function showSettings({ storage }: Registry): Promise<Settings> {
  return readSettings(storage.reader);
}
