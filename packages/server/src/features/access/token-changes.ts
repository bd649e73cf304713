import Type from 'typebox';
import { AppId, UserId, WorkspaceId } from '../../kernel/ids.ts';
import { pageParameters } from '../../kernel/page-parameters.ts';
import { DateTime } from '../../kernel/text.ts';
import { Since, searchFields } from '../events/event-query.ts';

const { cursor } = pageParameters;

/** The query of a page of what a token changed. */
export const TokenChangesQuery = Type.Object({ since: Type.Optional(Since), cursor }, { additionalProperties: false });
export type TokenChangesQuery = Type.Static<typeof TokenChangesQuery>;

/** How often something was changed, how and when. */
const ChangeCount = Type.Object(
  {
    changes: Type.Integer({ minimum: 1 }),
    types: Type.Array(Type.Object({ type: Type.String(), changes: Type.Integer({ minimum: 1 }) }), {
      description: 'The number of events of each type.',
      examples: [[{ type: 'app.updated', changes: 2 }]],
    }),
    firstAt: DateTime,
    lastAt: DateTime,
  },
  { $id: 'ChangeCount', description: 'How often an object was changed, how and when.' },
);
export type ChangeCount = Type.Static<typeof ChangeCount>;

/** An app that a token changed, by itself or by its installations. */
const ChangedApp = Type.Object(
  {
    appId: AppId,
    name: Type.Optional(Type.String({ description: 'Its current name; absent when the app is deleted.' })),
    developerId: Type.Optional(
      Type.String({ ...UserId, description: 'Its current developer; absent when the app is deleted.' }),
    ),
    installationCount: Type.Integer({
      minimum: 0,
      description: 'The number of its current installations; 0 for a deleted app.',
    }),
    ...ChangeCount.properties,
  },
  { $id: 'ChangedApp', description: 'An app that was changed, or whose installations were changed.' },
);
export type ChangedApp = Type.Static<typeof ChangedApp>;

const ChangedWorkspace = Type.Object(
  { workspaceId: WorkspaceId, ...ChangeCount.properties },
  { $id: 'ChangedWorkspace', description: 'A workspace whose installations were changed.' },
);
export type ChangedWorkspace = Type.Static<typeof ChangedWorkspace>;

const ChangedObject = Type.Object(
  {
    subjectId: Type.String({ description: 'The id of a developer, token, webhook, logo or other object.' }),
    appId: Type.Optional(Type.String({ ...AppId, description: 'The app of an installation.' })),
    ...ChangeCount.properties,
  },
  {
    $id: 'ChangedObject',
    description:
      'Any other changed object: a developer, token, webhook, logo or setting; or an installation that was enabled or disabled and has since been deleted, so that its workspace is unknown.',
  },
);
export type ChangedObject = Type.Static<typeof ChangedObject>;

/** What a token changed, by the objects. */
export const TokenChanges = Type.Object(
  {
    apps: Type.Array(ChangedApp),
    workspaces: Type.Array(ChangedWorkspace),
    others: Type.Array(ChangedObject),
    ...searchFields,
    nextCursor: cursor,
  },
  {
    $id: 'TokenChanges',
    description:
      'A summary of the changes made with a token, oldest first. The next page summarises later changes: an object that was changed again appears again, with counts to add.',
  },
);
export type TokenChanges = Type.Static<typeof TokenChanges>;
