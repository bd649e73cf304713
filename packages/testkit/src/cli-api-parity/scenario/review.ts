import { cli, done, type ParityCase, refused } from '../parity-case.ts';
import { ids } from '../seed.ts';

const reason = 'It sends spam.';
const note = 'The same sender as last week.';

export const review: ParityCase[] = [
  done('listReviewQueue', cli`app list-review-queue --limit 1`, { query: { limit: '1' } }),
  done('listReviewQueue', cli`app list-review-queue --cursor nextCursor`, { query: { cursor: 'nextCursor' } }),
  refused('listReviewQueue invalid_content', cli`app list-review-queue --limit 0`, { query: { limit: '0' } }),

  refused('submitApp precondition_failed', cli`app submit ${ids.draft} --revision 1`, { id: ids.draft, revision: 1 }),
  done('submitApp', cli`app submit ${ids.draft} --revision 3`, { id: ids.draft, revision: 3 }),
  done('listReviewQueue', cli`app list-review-queue`),
  refused('submitApp review_status_conflict', cli`app submit ${ids.draft}`, { id: ids.draft }),
  refused('submitApp app_not_found', cli`app submit ${ids.noApp}`, { id: ids.noApp }),

  refused('withdrawApp precondition_failed', cli`app withdraw ${ids.withdrawn} --revision 99`, {
    id: ids.withdrawn,
    revision: 99,
  }),
  done('withdrawApp', cli`app withdraw ${ids.withdrawn}`, { id: ids.withdrawn }),
  refused('withdrawApp review_status_conflict', cli`app withdraw ${ids.withdrawn}`, { id: ids.withdrawn }),
  refused('withdrawApp app_not_found', cli`app withdraw ${ids.noApp}`, { id: ids.noApp }),

  refused('approveApp precondition_failed', cli`app approve ${ids.draft} --revision 2`, { id: ids.draft, revision: 2 }),
  refused('approveApp invalid_content', cli`app approve ${ids.draft} --revision 3 --code ${'Not so'}`, {
    id: ids.draft,
    revision: 3,
    body: { code: 'Not so' },
  }),
  done(
    'approveApp',
    cli`app approve ${ids.draft} --revision 3 --message Welcome. --code other --field ${'name=It fits.'} --note ${note}`,
    {
      id: ids.draft,
      revision: 3,
      body: { message: 'Welcome.', code: 'other', fields: [{ pointer: '/name', message: 'It fits.' }], note },
    },
  ),
  refused('approveApp review_status_conflict', cli`app approve ${ids.draft} --revision 3`, {
    id: ids.draft,
    revision: 3,
  }),
  refused('approveApp app_not_found', cli`app approve ${ids.noApp} --revision 1`, { id: ids.noApp, revision: 1 }),

  refused('rejectApp invalid_content', cli`app reject ${ids.awaiting} --message ${''} --revision 1`, {
    id: ids.awaiting,
    revision: 1,
    body: { message: '' },
  }),
  refused('rejectApp precondition_failed', cli`app reject ${ids.awaiting} --reason ${reason} --revision 2`, {
    id: ids.awaiting,
    revision: 2,
    body: { reason },
  }),
  done(
    'rejectApp',
    cli`app reject ${ids.awaiting} --reason ${reason} --message ${reason} --revision 1 --code spam --field ${'name=It is misleading.'} --note ${note}`,
    {
      id: ids.awaiting,
      revision: 1,
      body: { message: reason, code: 'spam', fields: [{ pointer: '/name', message: 'It is misleading.' }], note },
    },
  ),
  done('listDecisions', cli`app list-decisions ${ids.rejected} --actors`, {
    id: ids.rejected,
    query: { actors: 'true' },
  }),
  done('listDecisions', cli`app list-decisions ${ids.awaiting}`, { id: ids.awaiting }),
  done('listDecisions', cli`app list-decisions ${ids.awaiting} --limit 1`, { id: ids.awaiting, query: { limit: '1' } }),
  refused('listDecisions invalid_content', cli`app list-decisions ${ids.awaiting} --cursor no`, {
    id: ids.awaiting,
    query: { cursor: 'no' },
  }),
  refused('listDecisions app_not_found', cli`app list-decisions ${ids.noApp}`, { id: ids.noApp }),
  refused('rejectApp review_status_conflict', cli`app reject ${ids.awaiting} --reason ${reason} --revision 1`, {
    id: ids.awaiting,
    revision: 1,
    body: { reason },
  }),
  refused('rejectApp app_not_found', cli`app reject ${ids.noApp} --reason ${reason} --revision 1`, {
    id: ids.noApp,
    revision: 1,
    body: { reason },
  }),

  refused('revokeApp invalid_content', cli`app revoke ${ids.changed} --message ${' '}`, {
    id: ids.changed,
    body: { message: ' ' },
  }),
  refused('revokeApp precondition_failed', cli`app revoke ${ids.changed} --reason ${reason} --revision 99`, {
    id: ids.changed,
    revision: 99,
    body: { reason },
  }),
  done(
    'revokeApp',
    cli`app revoke ${ids.changed} --reason ${reason} --message ${reason} --disable-installations --code spam --field ${'name=It lies.'} --note ${note}`,
    {
      id: ids.changed,
      body: {
        message: reason,
        disableInstallations: true,
        code: 'spam',
        fields: [{ pointer: '/name', message: 'It lies.' }],
        note,
      },
    },
  ),
  refused('revokeApp review_status_conflict', cli`app revoke ${ids.changed} --reason ${reason}`, {
    id: ids.changed,
    body: { reason },
  }),
  refused('revokeApp app_not_found', cli`app revoke ${ids.noApp} --reason ${reason}`, {
    id: ids.noApp,
    body: { reason },
  }),
];
