import type { protectedNameOperations } from '../contract/operations/protected-names.ts';
import type { Handlers } from '../kernel/handler.ts';
import type { Registry } from '../kernel/registry.ts';
import { createProtectedName } from '../registry/review/protected-names/create-protected-name.ts';
import { deleteProtectedName } from '../registry/review/protected-names/delete-protected-name.ts';
import { listProtectedNames } from '../registry/review/protected-names/list-protected-names.ts';

/** The names and hosts that only some developers may use (decision 28b). */
export function protectedNameHandlers(registry: Registry): Handlers<typeof protectedNameOperations> {
  return {
    listProtectedNames: ({ query }) => listProtectedNames(registry, query),
    createProtectedName: ({ caller, body }) => createProtectedName(registry, caller, body),
    deleteProtectedName: ({ caller, params: { id } }) => deleteProtectedName(registry, caller, id),
  };
}
