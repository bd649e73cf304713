import type { DecisionSummary } from '@appregistrar/client/operator';
import { labelOf } from '../content.ts';
import { Actor } from '../events/actor.tsx';
import { DateTime } from '../parts/date-time.tsx';

interface LastDecisionProps {
  decision: DecisionSummary;
  /** Who decided, if that is known. */
  actorName: string | undefined;
  /** The fields that have changed since; undefined where that is not known. */
  changed: readonly string[] | undefined;
}

/** What was decided on the app before, and what has changed since then. */
export function LastDecision({ decision, actorName, changed }: LastDecisionProps) {
  const { step, decidedAt, actor, code, message, note } = decision;
  return (
    <section class="last-decision" aria-label="Last decision">
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
        <p class="value" dir="auto">
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
      {changed?.length === 0 && (
        <p>
          <span class="badge changed">Nothing has changed since then</span>
        </p>
      )}
      {changed && changed.length > 0 && <p>Changed since then: {changed.map(labelOf).join(', ')}</p>}
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
