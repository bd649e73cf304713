import type { DecisionSummary } from '@appregistrar/client/operator';
import { Actor } from '../events/actor.tsx';
import { DateTime } from '../parts/date-time.tsx';

interface LastDecisionProps {
  decision: DecisionSummary;
  /** Whether the app was submitted again as it was. */
  isUnchanged: boolean;
}

/** What was decided against the app before this review. */
export function LastDecision({ decision, isUnchanged }: LastDecisionProps) {
  const { step, decidedAt, actor, actorName, code, message, note } = decision;
  return (
    <section class="last-decision" aria-label="Last decision">
      {isUnchanged && <p class="risky">Resubmitted without changes</p>}
      <p>
        <strong>{outcomes[step] ?? step}</strong> <DateTime at={decidedAt} /> by{' '}
        <Actor actor={actor} name={actorName} />
        {code && (
          <>
            {' '}
            <span class="badge">{code}</span>
          </>
        )}
      </p>
      {message && (
        <p class="value quoted" dir="auto">
          {message}
        </p>
      )}
      {note && (
        <p class="faint">
          Note for reviewers:{' '}
          <span class="value" dir="auto">
            {note}
          </span>
        </p>
      )}
    </section>
  );
}

/** Steps of later releases have their own names. */
const outcomes: Record<string, string> = {
  approve: 'Approved',
  reject: 'Rejected',
  'reject-change': 'Change rejected',
  revoke: 'Approval revoked',
};
