import { revertApp as revert } from '../../src/features/apps/revisions/revert-app.ts';
import { getAppRevision as get, listAppRevisions as list } from '../../src/features/apps/revisions/revisions.ts';
import { runOperation } from '../../src/kernel/operation.ts';
import { type Caller, commandLine, type Registry } from '../../src/kernel/registry.ts';
import type { RevisionCondition } from '../../src/kernel/revision.ts';

export function listAppRevisions(registry: Registry, id: string, query: Record<string, unknown>) {
  return runOperation(list, registry, { caller: commandLine, params: { id }, query });
}

export function getAppRevision(registry: Registry, { appId: id, revision }: { appId: string; revision: string }) {
  return runOperation(get, registry, { caller: commandLine, params: { id, revision } });
}

export function revertApp(
  registry: Registry,
  caller: Caller,
  { appId: id, revert: body, ...condition }: { appId: string; revert: unknown } & RevisionCondition,
) {
  return runOperation(revert, registry, { caller, params: { id }, body, ...condition });
}
