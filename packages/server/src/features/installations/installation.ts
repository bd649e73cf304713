import Type from 'typebox';
import { AppId, InstallationId, UserId, WorkspaceId } from '../../kernel/ids.ts';
import { openString } from '../../kernel/problem-details.ts';
import { entityTag } from '../../kernel/revision.ts';
import { DateTime, dateTime, EntityTag } from '../../kernel/text.ts';
import type { InstallationRow } from '../../storage/tables.ts';
import type { ShownInstallation } from './installation-queries.ts';

/** Interface 2.7. */
export const Installation = Type.Object(
  {
    id: InstallationId,
    appId: AppId,
    workspaceId: WorkspaceId,
    userId: Type.String({
      ...UserId,
      description: 'The user who installed the app.',
      examples: ['user_01jq3w2x9ge6ab5m6b7k8c9d0e'],
    }),
    createdAt: DateTime,
    enabled: Type.Boolean(),
  },
  { $id: 'Installation', description: 'The installation of an app in a workspace.' },
);
export type Installation = Type.Static<typeof Installation>;

/** Why an installation is disabled, in the order in which causes are stored and shown. */
export const disablingCauses = ['workspace', 'revocation', 'suspension'] as const;
export type DisablingCause = (typeof disablingCauses)[number];

export const DisabledBy = Type.Array(openString(disablingCauses, {}), {
  description:
    'Why it is disabled; absent while it is enabled. `workspace`: by its workspace or an operator. `revocation`: the approval of its app was revoked, until the next approval. `suspension`: the developer of its app is suspended. Later releases may add causes. It is enabled when no cause is left.',
});

/** An installation as operators see it. */
export const OperatorInstallation = Type.Object(
  {
    ...Installation.properties,
    disabledBy: Type.Optional(DisabledBy),
    updatedAt: Type.String({ ...DateTime, description: 'When it was created, or last enabled or disabled.' }),
    etag: EntityTag,
  },
  { $id: 'OperatorInstallation', description: 'The installation of an app in a workspace, as operators see it.' },
);
export type OperatorInstallation = Type.Static<typeof OperatorInstallation>;

/** The request to install an app into a workspace. */
export const NewInstallation = Type.Object(
  {
    appId: Type.String({ minLength: 1, maxLength: 100 }),
    workspaceId: Type.String({ minLength: 1, maxLength: 100 }),
    userId: Type.String({ minLength: 1, maxLength: 100 }),
  },
  { $id: 'NewInstallation', additionalProperties: false },
);
export type NewInstallation = Type.Static<typeof NewInstallation>;

/** An installation as platforms see it. */
export function installationView(installation: ShownInstallation): Installation {
  return {
    id: installation.id,
    appId: installation.app_id,
    workspaceId: installation.workspace_id,
    userId: installation.user_id,
    createdAt: dateTime(installation.created_at),
    enabled: installation.enabled === 1,
  };
}

/** An installation as operators see it. */
export function operatorInstallationView(row: InstallationRow): OperatorInstallation {
  const causes = storedCauses(row);
  return {
    ...installationView(row),
    ...(causes.length > 0 && { disabledBy: causes }),
    updatedAt: dateTime(row.updated_at ?? row.created_at),
    etag: entityTag(row),
  };
}

/** Why an installation is disabled; empty when it is enabled. */
export function storedCauses({ disabled_by: stored }: Pick<InstallationRow, 'disabled_by'>): DisablingCause[] {
  const names = new Set(stored?.split(' '));
  return disablingCauses.filter((cause) => names.has(cause));
}

/** An installation is enabled exactly when no cause is left. */
export function causeColumns(causes: readonly DisablingCause[]): Pick<InstallationRow, 'enabled' | 'disabled_by'> {
  return causes.length === 0 ? { enabled: 1, disabled_by: null } : { enabled: 0, disabled_by: causes.join(' ') };
}

export interface CausesChange {
  add?: DisablingCause;
  remove?: DisablingCause;
}

/** The causes of an installation after a change of them. */
export function nextCauses(causes: readonly DisablingCause[], { add, remove }: CausesChange): DisablingCause[] {
  return disablingCauses.filter((one) => one === add || (causes.includes(one) && one !== remove));
}

/** The state of an installation as its events report it. */
export function causeData(causes: readonly DisablingCause[]) {
  return {
    enabled: causes.length === 0,
    ...(causes.length > 0 && { disabledBy: [...causes] }),
    // The next approval enables it only if nothing else disables it.
    ...(causes.join() === 'revocation' && { untilApproved: true }),
  };
}
