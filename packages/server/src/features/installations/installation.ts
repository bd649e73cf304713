import Type from 'typebox';
import { AppId, InstallationId, UserId, WorkspaceId } from '../../kernel/ids.ts';
import { idsParameter, pageParameters, totalParameter } from '../../kernel/page-parameters.ts';
import { openString } from '../../kernel/problem-details.ts';
import { DateTime } from '../../kernel/text.ts';

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

/** Why an installation is disabled, in the order in which causes are stored and shown (decision 28a). */
export const disablingCauses = ['workspace', 'revocation', 'suspension'] as const;
export type DisablingCause = (typeof disablingCauses)[number];

export const DisabledBy = Type.Array(openString(disablingCauses, {}), {
  description:
    'Why it is disabled; absent while it is enabled. `workspace`: by its workspace or an operator. `revocation`: the approval of its app was revoked, until the next approval. `suspension`: the developer of its app is suspended. Later releases may add causes. It is enabled when no cause is left.',
});

/** An installation as operators see it. */
export const OperatorInstallation = Type.Object(
  { ...Installation.properties, disabledBy: Type.Optional(DisabledBy) },
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

/** The number of installations deleted with a workspace. */
export const DeletedInstallations = Type.Object(
  { workspaceId: WorkspaceId, installationsDeleted: Type.Integer({ minimum: 0 }) },
  { $id: 'DeletedInstallations', description: 'The installations deleted with a workspace.' },
);
export type DeletedInstallations = Type.Static<typeof DeletedInstallations>;

const Id = Type.String({ minLength: 1, maxLength: 100 });

/** The query of a list of installations: all of them, those that meet every filter, or those with one of some ids. */
export const InstallationQuery = Type.Object(
  {
    appId: Type.Optional(Id),
    workspaceId: Type.Optional(Id),
    userId: Type.Optional(Id),
    enabled: Type.Optional(
      Type.Boolean({
        description:
          'Only enabled or only disabled installations. Each page searches a bounded number of installations and may have no items.',
      }),
    ),
    ...idsParameter,
    ...totalParameter,
    ...pageParameters,
  },
  { additionalProperties: false },
);
export type InstallationQuery = Type.Static<typeof InstallationQuery>;
