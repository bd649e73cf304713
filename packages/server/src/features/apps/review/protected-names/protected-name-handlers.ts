import type { Handlers } from '../../../../kernel/handler.ts';
import type { Registry } from '../../../../kernel/registry.ts';
import { createProtectedName } from './create-protected-name.ts';
import { deleteProtectedName } from './delete-protected-name.ts';
import { listProtectedNames } from './list-protected-names.ts';
import type { protectedNameOperations } from './protected-name-operations.ts';

/** The names and hosts that only some developers may use (decision 28b). */
export function protectedNameHandlers(registry: Registry): Handlers<typeof protectedNameOperations> {
  return {
    listProtectedNames: ({ query }) => listProtectedNames(registry, query),
    createProtectedName: ({ caller, body }) => createProtectedName(registry, caller, body),
    deleteProtectedName: ({ caller, params: { id } }) => deleteProtectedName(registry, caller, id),
  };
}
