import { runOrTry } from '../../../kernel/dry-run.ts';
import type { Call, Handlers } from '../../../kernel/handler.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { readsNotes } from '../../access/access-token.ts';
import { listDecisions } from './list-decisions.ts';
import { listReviewQueue } from './list-review-queue.ts';
import { reviewApp } from './review-app.ts';
import type { reviewOperations } from './review-operations.ts';
import type { ReviewStep } from './review-status.ts';

/** The review queue, the steps of review and their decisions (decision 28). */
export function reviewHandlers(registry: Registry): Handlers<typeof reviewOperations> {
  const take =
    (step: ReviewStep) =>
    ({ caller, params: { id: appId }, body: details, ifRevision, dryRun }: Call<{ id: string }>) =>
      runOrTry(registry, { dryRun, scope: { appId } }, (tried) =>
        reviewApp(tried, caller, { appId, step, details, ifRevision }),
      );
  return {
    listReviewQueue: ({ query, scopes }) => listReviewQueue(registry, { query, showsNotes: readsNotes(scopes) }),
    submitApp: take('submit'),
    withdrawApp: take('withdraw'),
    approveApp: take('approve'),
    rejectApp: take('reject'),
    rejectChange: take('reject-change'),
    revokeApp: take('revoke'),
    listDecisions: ({ params: { id: appId }, query, scopes }) =>
      listDecisions(registry, { appId, query, showsNotes: readsNotes(scopes) }),
  };
}
