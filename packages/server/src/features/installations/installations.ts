import Type from 'typebox';
import { PlatformIds, requirePlatformId, throwIfInvalid } from '../../kernel/check.ts';
import { DryRunQuery, orDryRun } from '../../kernel/dry-run.ts';
import { appNotFound, Failure } from '../../kernel/failure.ts';
import { findFirstResult, write } from '../../kernel/idempotency.ts';
import { isTypeId, newId, requireAppId, WorkspaceId } from '../../kernel/ids.ts';
import { byId, operation } from '../../kernel/operation.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { entityTag, newRevisionNonce, type RevisionCondition, requireUnchanged } from '../../kernel/revision.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppRow, InstallationRow } from '../../storage/tables.ts';
import {
  findAppForUpdate,
  listAppIdsForUpdate,
  updateInstallationCount,
  updateInstallationCounts,
} from '../apps/app-queries.ts';
import { requireNotSuspended } from '../developers/suspended-developer.ts';
import { appendEventRow, appendEvents, type Change, readEventIds, toEventRow } from '../events/append-event.ts';
import {
  type CausesChange,
  causeColumns,
  type DisablingCause,
  NewInstallation,
  nextCauses,
  OperatorInstallation,
  operatorInstallationView,
  storedCauses,
} from './installation.ts';
import { changeCauses, installationDeleted } from './installation-changes.ts';
import {
  deleteInstallationsInWorkspace,
  deleteInstallation as deleteRow,
  findInstallation,
  findInstallationInWorkspace,
  insertInstallation,
  listAppsInWorkspace,
} from './installation-queries.ts';
import { listInstallations } from './list-installations.ts';

const path = '/operator/v1/installations';
const argumentsOfOne = { id: 'the installation id' };

const DeletedInstallations = Type.Object(
  { workspaceId: WorkspaceId, installationsDeleted: Type.Integer({ minimum: 0 }) },
  { $id: 'DeletedInstallations', description: 'The installations deleted with a workspace.' },
);

/** Installs an app enabled. */
export const createInstallation = operation({
  id: 'createInstallation',
  method: 'POST',
  path,
  summary: 'Install an app into a workspace',
  scope: 'install',
  body: NewInstallation,
  creates: true,
  response: OperatorInstallation,
  refusals: ['app_not_found', 'developer_suspended', 'app_not_approved', 'already_exists'],
  command: {
    name: 'installation create',
    description: 'Install an approved app in a workspace. Its developer may install it before approval.',
    options: {
      appId: '--app <id> the app id',
      workspaceId: '--workspace <id> the workspace id, as a TypeID or UUID',
      userId: '--user <id> the id of the user who installs it, as a TypeID or UUID',
    },
    examples: [
      'app-registry installation create --app app_01jq3v9y6ae0xv5m6b7k8c9d0e --workspace workspace_01jq3w2r5sfh8tn4m6b7k8c9d0 --user user_01jq3w2x9ge6ab5m6b7k8c9d0e',
    ],
  },
  async run({ registry, caller, body }) {
    const ids = new PlatformIds();
    const workspaceId = ids.read(body.workspaceId, registry.workspaceIdPrefix, '/workspaceId');
    const userId = ids.read(body.userId, registry.userIdPrefix, '/userId');
    throwIfInvalid(ids.errors);
    const { appId } = body;
    requireAppId(appId);

    const work = async (transaction: Connection) => {
      // In one round trip.
      const [app, installed, nextEventId] = await Promise.all([
        findAppForUpdate(transaction, { id: appId }),
        findInstallationInWorkspace(transaction, { appId, workspaceId }),
        readEventIds(transaction),
      ]);
      if (!app) throw appNotFound();
      requireInstallable(app, userId);
      if (installed) {
        throw new Failure('already_exists', `The app is already installed in ${workspaceId}.`);
      }
      const at = registry.now();
      const installation: InstallationRow = {
        id: newId('installation'),
        app_id: app.id,
        workspace_id: workspaceId,
        user_id: userId,
        enabled: 1,
        disabled_by: null,
        created_at: at,
        updated_at: null,
      };
      const event = toEventRow({ caller, at, ...installationCreated(installation) }, nextEventId);
      await Promise.all([
        insertInstallation(transaction, installation),
        updateInstallationCount(transaction, { id: app.id, by: 1, revisionNonce: newRevisionNonce() }),
        appendEventRow(transaction, event, caller),
      ]);
      return operatorInstallationView(installation);
    };
    return write(registry, caller, work, { groupKey: appId });
  },
});

const getInstallation = operation({
  id: 'getInstallation',
  method: 'GET',
  path: `${path}/:id`,
  summary: 'Get an installation',
  scope: 'read',
  orScope: 'install',
  response: OperatorInstallation,
  refusals: ['installation_not_found'],
  command: {
    name: 'installation get',
    arguments: argumentsOfOne,
    examples: ['app-registry installation get installation_01jq3w3k1hf5tr8z0v6n2m9c4d'],
  },
  async run({ registry, params: { id } }) {
    return operatorInstallationView(await requireInstallation(registry, id));
  },
});

const enableInstallation = operation({
  id: 'enableInstallation',
  method: 'POST',
  path: `${path}/:id/enable`,
  summary: 'Enable an installation',
  description:
    'Removes the cause `workspace`. Other causes can keep the installation disabled: see `disabledBy` in the response.',
  scope: 'install',
  ifMatch: true,
  response: OperatorInstallation,
  refusals: ['installation_not_found', 'developer_suspended', 'app_not_approved'],
  command: {
    name: 'installation enable',
    arguments: argumentsOfOne,
    examples: ['app-registry installation enable installation_01jq3w3k1hf5tr8z0v6n2m9c4d'],
  },
  run: ({ registry, params: { id }, ...call }) => setInstallationEnabled(registry, call, { id, enabled: true }),
});

export const disableInstallation = operation({
  id: 'disableInstallation',
  method: 'POST',
  path: `${path}/:id/disable`,
  summary: 'Disable an installation',
  scope: 'install',
  ifMatch: true,
  response: OperatorInstallation,
  refusals: ['installation_not_found'],
  command: {
    name: 'installation disable',
    description: 'Disable an installation without deleting it.',
    arguments: argumentsOfOne,
    examples: ['app-registry installation disable installation_01jq3w3k1hf5tr8z0v6n2m9c4d'],
  },
  run: ({ registry, params: { id }, ...call }) => setInstallationEnabled(registry, call, { id, enabled: false }),
});

const deleteInstallation = operation({
  id: 'deleteInstallation',
  method: 'DELETE',
  path: `${path}/:id`,
  summary: 'Remove an app from a workspace',
  scope: 'install',
  query: DryRunQuery,
  ifMatch: true,
  response: orDryRun(OperatorInstallation, 'OperatorInstallation'),
  refusals: ['installation_not_found'],
  affects: ({ params }) => ({ installationId: params.id }),
  command: {
    name: 'installation delete',
    description: 'Remove an app from a workspace. Prints the deleted installation.',
    arguments: argumentsOfOne,
    examples: ['app-registry installation delete installation_01jq3w3k1hf5tr8z0v6n2m9c4d'],
  },
  async run({ registry, caller, params: { id }, ...call }) {
    const found = await requireInstallation(registry, id);
    const work = async (transaction: Connection) => {
      const [{ app, installation }, nextEventId] = await Promise.all([
        lockInstallation(transaction, found, call),
        readEventIds(transaction),
      ]);
      const event = toEventRow({ caller, at: registry.now(), ...installationDeleted(installation) }, nextEventId);
      await Promise.all([
        deleteRow(transaction, { id }),
        updateInstallationCount(transaction, { id: app.id, by: -1, revisionNonce: newRevisionNonce() }),
        appendEventRow(transaction, event, caller),
      ]);
      return installation;
    };
    return operatorInstallationView(await registry.storage.write(work, { groupKey: found.app_id }));
  },
});

/**
 * For a workspace that leaves the platform. It removes all or none; an app that is installed meanwhile may remain, so the
 * client repeats the request until it removes nothing.
 */
const deleteWorkspaceInstallations = operation({
  id: 'deleteWorkspaceInstallations',
  method: 'DELETE',
  path: '/operator/v1/workspaces/:workspaceId/installations',
  summary: 'Remove all apps from a workspace',
  scope: 'install',
  query: DryRunQuery,
  response: orDryRun(DeletedInstallations, 'DeletedInstallations'),
  affects: ({ params: { workspaceId } }) => ({ workspaceId }),
  command: {
    name: 'workspace delete-installations',
    description: 'Remove all apps from a workspace. Prints the number of deleted installations.',
    arguments: { workspaceId: '<id> the workspace id, as a TypeID or UUID' },
    examples: ['app-registry workspace delete-installations workspace_01jq3w2r5sfh8tn4m6b7k8c9d0'],
  },
  async run({ registry, caller, params }) {
    const workspaceId = requirePlatformId(params.workspaceId, registry.workspaceIdPrefix, '/workspaceId');
    const at = registry.now();
    const installationsDeleted = await registry.storage.write(async (transaction) => {
      let deleted = 0;
      let appId = '';
      // In batches, by app: a workspace has each app once, and a fixed order avoids deadlocks.
      for (;;) {
        const apps = await listAppsInWorkspace(transaction, { workspaceId, appId, limit: batchMax });
        const last = apps.at(-1);
        if (!last) return deleted;
        const appIds = apps.map(({ app_id }) => app_id);
        deleted += await deleteOfApps(transaction, { caller, at, workspaceId, appIds });
        appId = last.app_id;
      }
    });
    return { workspaceId, installationsDeleted };
  },
});

/** Apps in workspaces. */
export const installationOperations = byId(
  listInstallations,
  createInstallation,
  getInstallation,
  enableInstallation,
  disableInstallation,
  deleteInstallation,
);

/** All apps of a workspace. */
export const workspaceOperations = byId(deleteWorkspaceInstallations);

const batchMax = 1_000;

/**
 * Enables or disables an installation as its workspace wants it; repeating it changes nothing. What else disables it stays:
 * then it is returned still disabled, with the causes that are left. Refuses with `installation_not_found`, and when
 * enabling also with `developer_suspended` or `app_not_approved`.
 */
async function setInstallationEnabled(
  registry: Registry,
  { caller, ...condition }: RevisionCondition & { caller: Caller },
  { id, enabled }: { id: string; enabled: boolean },
): Promise<OperatorInstallation> {
  const content = caller.idempotency?.content ?? [];
  const first = await findFirstResult<OperatorInstallation>(registry, caller, { content });
  if (first) return first;
  const found = await requireInstallation(registry, id);
  const work = async (transaction: Connection) => {
    const { app, installation } = await lockInstallation(transaction, found, condition);
    const causes = storedCauses(installation);
    if (enabled && causes.length > 0) {
      requireInstallable(app, installation.user_id);
      requireWorkspaceCause(causes);
    }
    const change: CausesChange = enabled ? { remove: 'workspace' } : { add: 'workspace' };
    const context = { caller, at: registry.now() };
    const changed = await changeCauses(transaction, context, { rows: [installation], ...change });
    if (changed.length === 0) return operatorInstallationView(installation);
    await updateInstallationCount(transaction, { id: app.id, by: 0, revisionNonce: newRevisionNonce() });
    const columns = { ...causeColumns(nextCauses(causes, change)), updated_at: context.at };
    return operatorInstallationView({ ...installation, ...columns });
  };
  return write(registry, caller, work, { groupKey: found.app_id });
}

/** Before a write: an installation, whose app never changes. Refuses with `installation_not_found`. */
async function requireInstallation({ storage }: Registry, id: string): Promise<InstallationRow> {
  const found = isTypeId(id, 'installation') ? await findInstallation(storage.reader, { id }) : null;
  if (!found) throw installationNotFound(id);
  return found;
}

/**
 * An installation, locked until the write ends. Every change of an installation locks its app, which stores their
 * number; so this locks the app, and reads the installation after that.
 */
async function lockInstallation(
  transaction: Connection,
  { id, app_id: appId }: Pick<InstallationRow, 'id' | 'app_id'>,
  condition: RevisionCondition,
): Promise<{ app: AppRow; installation: InstallationRow }> {
  // In one round trip.
  const [app, installation] = await Promise.all([
    findAppForUpdate(transaction, { id: appId }),
    findInstallation(transaction, { id }),
  ]);
  if (!app || !installation) throw installationNotFound(id);
  requireUnchanged('installation', entityTag(installation), condition);
  return { app, installation };
}

function installationNotFound(id: string): Failure {
  return new Failure('installation_not_found', `No installation has the id ${id}. Check the id.`);
}

/** No one may install an app of a suspended developer, and only its own developer one that is not approved, to test it. */
function requireInstallable(app: AppRow, userId: string): void {
  requireNotSuspended(app);
  if (app.review_status === 'APPROVED' || app.developer_id === userId) return;
  throw new Failure(
    'app_not_approved',
    `The app is ${app.review_status}. Until it is APPROVED, only its own developer can install and enable it.`,
  );
}

/** Only the registry ends a revocation. */
function requireWorkspaceCause(causes: DisablingCause[]): void {
  if (causes.includes('workspace')) return;
  throw new Failure(
    'app_not_approved',
    'The installation was disabled by the revocation of its app, not by its workspace. The next approval of the app enables it: submit the app for review.',
  );
}

async function deleteOfApps(
  transaction: Connection,
  { workspaceId, appIds: ids, ...context }: { caller: Caller; at: number; workspaceId: string; appIds: string[] },
): Promise<number> {
  // The apps are locked first, because their counts change. Apps deleted by then are skipped.
  const appIds = await listAppIdsForUpdate(transaction, ids);
  if (appIds.length === 0) return 0;
  const installations = await deleteInstallationsInWorkspace(transaction, { workspaceId, appIds });
  if (installations.length === 0) return 0;
  const changed = installations.map(({ app_id }) => app_id);
  await updateInstallationCounts(transaction, { ids: changed, by: -1, revisionNonce: newRevisionNonce() });
  await appendEvents(transaction, { ...context, changes: installations.map(installationDeleted) });
  return installations.length;
}

function installationCreated({
  id,
  app_id: appId,
  workspace_id: workspaceId,
  user_id: userId,
}: InstallationRow): Change {
  return { type: 'installation.created', appId, subjectId: id, after: { workspaceId, userId, enabled: true } };
}
