import type { OperatorOperation } from '../../../kernel/operation-declaration.ts';
import { OperatorApp } from '../operator-app.ts';
import { AppRevision, AppRevisionPage, AppRevisionQuery, Revert } from './revision.ts';

const app = '/operator/v1/apps/:id';

/** The history of an app's content (decision 24a). */
export const revisionOperations = {
  listRevisions: {
    method: 'GET',
    path: `${app}/revisions`,
    summary: "List the revisions of an app's content, newest first",
    description:
      'Lists who changed which fields and when. On the last page, `archived` shows whether earlier revisions are in archives.',
    scope: 'read',
    query: AppRevisionQuery,
    response: AppRevisionPage,
    refusals: ['app_not_found'],
  },
  getRevision: {
    method: 'GET',
    path: `${app}/revisions/:revision`,
    summary: "Show one revision of an app's content",
    description: 'The revision is given by its number, its `ETag`, or a UTC time at which it was current.',
    scope: 'read',
    response: AppRevision,
    refusals: ['app_not_found', 'revision_not_found', 'revision_archived'],
  },
  revertApp: {
    method: 'POST',
    path: `${app}/revert`,
    summary: 'Restore earlier content of an app as a new revision',
    description:
      'Restores the last approved content, a revision, or the content at a time, by the rules of an update. Approved content needs no further decision; any other content of an approved app is a change to review. Restoring the current content changes nothing.',
    scope: 'review',
    body: Revert,
    ifMatch: 'optional',
    response: OperatorApp,
    refusals: [
      'app_not_found',
      'revision_not_found',
      'revision_archived',
      'app_not_approved',
      'app_under_review',
      'name_taken',
    ],
  },
} as const satisfies Record<string, OperatorOperation>;
