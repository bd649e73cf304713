import { operatorOperations } from '../../../server/src/features/operations.ts';
import { runOperation } from '../../../server/src/kernel/operation.ts';
import { type Caller, commandLine, type Registry } from '../../../server/src/kernel/registry.ts';
import type { RevisionName } from '../../../server/src/kernel/revision.ts';

const { getSettings: get, updateSettings: update } = operatorOperations;

export function getSettings(registry: Registry) {
  return runOperation(get, registry, { caller: commandLine });
}

export function updateSettings(
  registry: Registry,
  caller: Caller,
  {
    update: body,
    existing,
    ifRevision,
  }: { update: unknown; existing?: 'approve' | 'hold'; ifRevision?: readonly RevisionName[] | undefined },
) {
  return runOperation(update, registry, { caller, query: existing ? { existing } : {}, body, ifRevision });
}
