import type { Handlers } from '../../kernel/handler.ts';
import type { Registry } from '../../kernel/registry.ts';
import { getSettings } from './get-settings.ts';
import type { settingOperations } from './setting-operations.ts';
import { updateSettings } from './update-settings.ts';

/** The settings that all processes share. */
export function settingHandlers(registry: Registry): Handlers<typeof settingOperations> {
  return {
    getSettings: () => getSettings(registry),
    updateSettings: ({ caller, body: update, ifRevision }) => updateSettings(registry, caller, { update, ifRevision }),
  };
}
