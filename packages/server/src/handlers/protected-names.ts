import type { protectedNameOperations } from '../contract/operations/protected-names.ts';
import type { Registry } from '../registry/registry.ts';
import { addProtectedName } from '../registry/review/protected-names/add-protected-name.ts';
import { listProtectedNames } from '../registry/review/protected-names/list-protected-names.ts';
import { removeProtectedName } from '../registry/review/protected-names/remove-protected-name.ts';
import type { Handlers } from './handler.ts';

/** The names and hosts that only some developers may use (decision 28b). */
export function protectedNameHandlers(registry: Registry): Handlers<typeof protectedNameOperations> {
  return {
    listProtectedNames: ({ query }) => listProtectedNames(registry, query),
    addProtectedName: ({ caller, body }) => addProtectedName(registry, caller, body),
    removeProtectedName: ({ caller, params: { id } }) => removeProtectedName(registry, caller, id),
  };
}
