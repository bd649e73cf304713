import { cli, done, type ParityCase, refused } from '../parity-case.ts';
import { ids } from '../seed.ts';

const id = ids.archivedChange;
const reason = 'It is the name of another product.';
const note = 'Ask the other developer.';
const body = { reason };
const later = '2099-01-01T00:00:00.000Z';

/** Decisions about a change to an approved app. */
export const changes: ParityCase[] = [
  done('updateAppAsOperator', cli`app update ${id} --name Third`, { id, body: { name: 'Third' } }),
  refused('rejectChange review_status_conflict', cli`app reject-change ${id} --reason ${reason} --revision 4`, {
    id,
    revision: 4,
    body,
  }),
  done('updateSettings', cli`settings update changesToApproved hold --existing hold`, {
    body: { changesToApproved: 'hold', existing: 'hold' },
  }),
  done('updateAppAsOperator', cli`app update ${id} --name Fourth`, { id, body: { name: 'Fourth' } }),
  done('createApp', cli`app create --developer ${ids.grace} --name Third`, {
    body: { developerId: ids.grace, name: 'Third' },
  }),
  done('listReviewQueue', cli`app list-review-queue`),
  done('listReviewQueue', cli`app list-review-queue --kind change --developer ${ids.ada} --newest-first`, {
    query: { kind: 'change', developerId: ids.ada, newestFirst: 'true' },
  }),
  done('listReviewQueue', cli`app list-review-queue --waiting-before ${later} --with-total --limit 1`, {
    query: { waitingBefore: later, withTotal: 'true', limit: '1' },
  }),
  done('listReviewQueue', cli`app list-review-queue --waiting-before ${later} --cursor nextCursor`, {
    query: { waitingBefore: later, cursor: 'nextCursor' },
  }),
  done('listReviewQueue', cli`app list-review-queue --warnings --with-total`, {
    query: { hasWarnings: 'true', withTotal: 'true' },
  }),
  done('listReviewQueue', cli`app list-review-queue --no-warnings`, { query: { hasWarnings: 'false' } }),
  refused('approveApp name_taken', cli`app approve ${id} --revision 4`, { id, revision: 4 }),
  refused('approveApp revision_archived', cli`app approve ${id} --revision 2`, { id, revision: 2 }),
  refused('rejectChange revision_archived', cli`app reject-change ${id} --reason ${reason} --revision 2`, {
    id,
    revision: 2,
    body,
  }),
  refused('rejectChange invalid_content', cli`app reject-change ${id} --message ${''} --revision 5`, {
    id,
    revision: 5,
    body: { message: '' },
  }),
  refused('rejectChange precondition_failed', cli`app reject-change ${id} --reason ${reason} --revision 9`, {
    id,
    revision: 9,
    body,
  }),
  refused('rejectChange app_not_found', cli`app reject-change ${ids.noApp} --reason ${reason} --revision 2`, {
    id: ids.noApp,
    revision: 2,
    body,
  }),
  done('rejectChange', cli`app reject-change ${id} --reason ${reason} --revision 4`, { id, revision: 4, body }),
  done(
    'rejectChange',
    cli`app reject-change ${id} --reason ${reason} --message ${reason} --revision 5 --code misleading --field ${'name=It misleads.'} --note ${note}`,
    {
      id,
      revision: 5,
      body: { message: reason, code: 'misleading', fields: [{ pointer: '/name', message: 'It misleads.' }], note },
    },
  ),
  done('listDecisions', cli`app list-decisions ${id}`, { id }),
  done('getDeveloperRecord', cli`developer get-record ${ids.ada}`, { id: ids.ada }),
  done('getDeveloperRecord', cli`developer get-record ${ids.hostile}`, { id: ids.hostile }),
  refused('getDeveloperRecord developer_not_found', cli`developer get-record ${ids.noDeveloper}`, {
    id: ids.noDeveloper,
  }),
  done('updateSettings', cli`settings update changesToApproved live`, { body: { changesToApproved: 'live' } }),
];
