import { operatorOperations } from '../../../server/src/features/operations.ts';
import { runOperation } from '../../../server/src/kernel/operation.ts';
import { type Caller, commandLine, type Registry } from '../../../server/src/kernel/registry.ts';
import type { RevisionCondition } from '../../../server/src/kernel/revision.ts';

const {
  deleteApp: deletion,
  restoreApp: restoration,
  listApps: appList,
  createApp: creation,
  getApp: operatorRead,
  updateApp: operatorUpdate,
  transferApp: transferral,
} = operatorOperations;

/** The operations of apps as functions, called by someone who may do everything. */
export const listApps = (registry: Registry, query: unknown) =>
  runOperation(appList, registry, { caller: commandLine, query: { ...Object(query) } });

export const createApp = (registry: Registry, caller: Caller, body: unknown) =>
  runOperation(creation, registry, { caller, body });

export const getAppAsOperator = (registry: Registry, id: string, { showsNotes = true } = {}) =>
  runOperation(operatorRead, registry, {
    caller: commandLine,
    params: { id },
    scopes: showsNotes ? ['admin'] : ['portal'],
  });

export const updateAppAsOperator = (
  registry: Registry,
  caller: Caller,
  { appId, update, ...condition }: { appId: string; update: unknown } & RevisionCondition,
) => runOperation(operatorUpdate, registry, { caller, params: { id: appId }, body: update, ...condition });

export const deleteApp = (
  registry: Registry,
  caller: Caller,
  { appId, ...query }: { appId: string; force?: boolean | undefined; dryRun?: boolean },
) => runOperation(deletion, registry, { caller, params: { id: appId }, query });

export const listDeletedApps = (registry: Registry, query: unknown) =>
  runOperation(appList, registry, { caller: commandLine, query: { deleted: true, ...Object(query) } });

export const restoreApp = (registry: Registry, caller: Caller, id: string) =>
  runOperation(restoration, registry, { caller, params: { id } });

export const transferApp = (
  registry: Registry,
  caller: Caller,
  { appId, transfer }: { appId: string; transfer: unknown },
) => runOperation(transferral, registry, { caller, params: { id: appId }, body: transfer });
