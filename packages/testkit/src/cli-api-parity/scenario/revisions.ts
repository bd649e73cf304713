import { cli, done, type ParityCase, refused } from '../parity-case.ts';
import { ids } from '../seed.ts';

const longAgo = '2020-01-01T00:00:00.000Z';
const future = '2999-01-01T00:00:00.000Z';
const reason = 'The account was taken over.';

export const revisions: ParityCase[] = [
  done('listRevisions', cli`app list-revisions ${ids.draft} --limit 2`, { id: ids.draft, query: { limit: '2' } }),
  done('listRevisions', cli`app list-revisions ${ids.draft} --cursor nextCursor`, {
    id: ids.draft,
    query: { cursor: 'nextCursor' },
  }),
  done('listRevisions', cli`app list-revisions ${ids.rejected} --actors`, {
    id: ids.rejected,
    query: { actors: 'true' },
  }),
  done('listRevisions', cli`app list-revisions ${ids.archived}`, { id: ids.archived }),
  refused('listRevisions invalid_content', cli`app list-revisions ${ids.draft} --limit 0`, {
    id: ids.draft,
    query: { limit: '0' },
  }),
  refused('listRevisions app_not_found', cli`app list-revisions ${ids.noApp}`, { id: ids.noApp }),

  done('getRevision', cli`app get ${ids.draft} --revision 1`, { id: ids.draft, item: '1' }),
  done('getRevision', cli`app get ${ids.draft} --at ${future}`, { id: ids.draft, item: future }),
  refused('getRevision revision_not_found', cli`app get ${ids.draft} --at ${longAgo}`, {
    id: ids.draft,
    item: longAgo,
  }),
  refused('getRevision revision_not_found', cli`app get ${ids.draft} --revision 9`, { id: ids.draft, item: '9' }),
  refused('getRevision revision_archived', cli`app get ${ids.archived} --revision 1`, {
    id: ids.archived,
    item: '1',
  }),
  refused('getRevision app_not_found', cli`app get ${ids.noApp} --revision 1`, { id: ids.noApp, item: '1' }),

  done('revertApp', cli`app revert ${ids.changed} --to-approved --reason ${reason} --revision 2`, {
    id: ids.changed,
    revision: 2,
    body: { toApproved: true, reason },
  }),
  done('revertApp', cli`app revert ${ids.changed} --to-approved`, { id: ids.changed, body: { toApproved: true } }),
  done('revertApp', cli`app revert ${ids.changed} --to-revision 2`, { id: ids.changed, body: { toRevision: 2 } }),
  refused('revertApp invalid_content', cli`app revert ${ids.changed} --to-time ${future}`, {
    id: ids.changed,
    body: { toTime: future },
  }),
  refused('revertApp invalid_content', cli`app revert ${ids.changed} --reason ${reason}`, {
    id: ids.changed,
    body: { reason },
  }),
  refused('revertApp invalid_content', cli`app revert ${ids.changed} --to-approved --to-revision 0 --to-time now`, {
    id: ids.changed,
    body: { toApproved: true, toRevision: 0, toTime: 'now' },
  }),
  refused('revertApp precondition_failed', cli`app revert ${ids.changed} --to-approved --revision 2`, {
    id: ids.changed,
    revision: 2,
    body: { toApproved: true },
  }),
  refused('revertApp revision_not_found', cli`app revert ${ids.changed} --to-time ${longAgo}`, {
    id: ids.changed,
    body: { toTime: longAgo },
  }),
  refused('revertApp revision_archived', cli`app revert ${ids.archived} --to-revision 1`, {
    id: ids.archived,
    body: { toRevision: 1 },
  }),
  refused('revertApp app_not_approved', cli`app revert ${ids.rejected} --to-approved`, {
    id: ids.rejected,
    body: { toApproved: true },
  }),
  refused('revertApp app_not_found', cli`app revert ${ids.noApp} --to-approved`, {
    id: ids.noApp,
    body: { toApproved: true },
  }),

  done('updateAppAsOperator', cli`app update ${ids.withdrawn} --name Elsewhere`, {
    id: ids.withdrawn,
    body: { name: 'Elsewhere' },
  }),
  done('submitApp', cli`app submit ${ids.withdrawn}`, { id: ids.withdrawn }),
  refused('revertApp app_under_review', cli`app revert ${ids.withdrawn} --to-revision 1`, {
    id: ids.withdrawn,
    body: { toRevision: 1 },
  }),
  done('withdrawApp', cli`app withdraw ${ids.withdrawn}`, { id: ids.withdrawn }),
  done('createApp', cli`app create --developer ${ids.ada} --name Withdrawn`, {
    body: { developerId: ids.ada, name: 'Withdrawn' },
  }),
  refused('revertApp name_taken', cli`app revert ${ids.withdrawn} --to-revision 1`, {
    id: ids.withdrawn,
    body: { toRevision: 1 },
  }),
];
