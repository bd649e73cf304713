import { Failure } from '../../../../kernel/failure.ts';
import type { Caller, Registry } from '../../../../kernel/registry.ts';
import { isTypeId } from '../../../../kernel/type-id.ts';
import { appendEvent } from '../../../events/append-event.ts';
import type { ProtectedName } from './protected-name.ts';
import { deleteProtectedName as deleteRow, findProtectedNameForUpdate } from './protected-name-queries.ts';
import { protectedNameData, protectedNameView } from './protected-name-view.ts';

/** Stops protecting a name or a host, and returns it. Refuses with `protected_name_not_found`. */
export async function deleteProtectedName(registry: Registry, caller: Caller, id: string): Promise<ProtectedName> {
  if (!isTypeId(id, 'protected')) throw notFound(id);
  const row = await registry.storage.write(async (transaction) => {
    const found = await findProtectedNameForUpdate(transaction, { id });
    if (!found) throw notFound(id);
    await deleteRow(transaction, { id });
    const event = { type: 'protected_name.deleted', subjectId: id, before: protectedNameData(found) } as const;
    await appendEvent(transaction, { caller, at: registry.now(), ...event });
    return found;
  });
  return protectedNameView(row);
}

function notFound(id: string): Failure {
  return new Failure('protected_name_not_found', `No protected name or host has the id ${id}. Check the id.`);
}
