import { useRef, useState } from 'preact/hooks';
import type { Refusal } from '../../api/http-request.ts';
import { type ReviewDetails, type ReviewStep, reviewApp, type SeenApp } from '../../api/operations.ts';
import { Refused } from '../../parts/refused.tsx';
import { addressOf } from '../../route.ts';
import { useMay } from '../../scopes.ts';
import { asRefusal } from '../../use-request.ts';
import { ReasonForm } from './reason-form.tsx';

interface Step {
  name: string;
  /** What is said once it is done. */
  done: string;
  scope: 'portal' | 'review';
  from: SeenApp['app']['reviewStatus'][];
  needsReason?: true;
}

const steps: Record<ReviewStep, Step> = {
  submit: { name: 'Submit for review', done: 'The app awaits review.', scope: 'portal', from: ['DRAFT', 'REJECTED'] },
  withdraw: { name: 'Withdraw', done: 'The app is a draft again.', scope: 'portal', from: ['AWAITING_REVIEW'] },
  approve: { name: 'Approve', done: 'The app is approved.', scope: 'review', from: ['AWAITING_REVIEW'] },
  reject: {
    name: 'Reject',
    done: 'The app is rejected.',
    scope: 'review',
    from: ['AWAITING_REVIEW'],
    needsReason: true,
  },
  revoke: {
    name: 'Revoke',
    done: 'The approval is taken back.',
    scope: 'review',
    from: ['APPROVED'],
    needsReason: true,
  },
};

/**
 * The steps of review that an app can take and that this person may. They are about what is shown: when that was
 * decided about or has changed meanwhile, the registry refuses, the page says so and shows what is there now.
 */
export function ReviewSteps({ seen, onDone }: { seen: SeenApp; onDone: () => void }) {
  const [told, setTold] = useState<{ done?: string; refusal?: Refusal }>({});
  const [reasonFor, setReasonFor] = useState<'reject' | 'revoke'>();
  const reason = useRef('');
  const [isAsking, setAsking] = useState(false);
  const may = { portal: useMay('portal'), review: useMay('review') };
  const { reviewStatus } = seen.app;
  const possible = Object.entries(steps).filter(([, { scope, from }]) => may[scope] && from.includes(reviewStatus));

  const take = async (step: ReviewStep, details?: ReviewDetails) => {
    setAsking(true);
    try {
      await reviewApp(seen, step, details);
      setTold({ done: steps[step].done });
      setReasonFor(undefined);
      reason.current = '';
    } catch (error) {
      setTold({ refusal: asRefusal(error) });
    }
    setAsking(false);
    onDone();
  };
  const choose = (step: ReviewStep) => {
    setTold({});
    if (step === 'reject' || step === 'revoke') setReasonFor(step);
    else void take(step);
  };
  const isAskedForReason = reasonFor !== undefined && steps[reasonFor].from.includes(reviewStatus);
  return (
    <div class="steps">
      <p role="status">
        {told.done && (
          <>
            {told.done} <a href={addressOf(['review'])}>What else awaits review</a>
          </>
        )}
      </p>
      {told.refusal && <Refused refusal={told.refusal} />}
      {possible.map(([step, { name, needsReason }]) => (
        <button
          type="button"
          key={step}
          class={step === 'approve' ? 'first' : undefined}
          disabled={isAsking}
          aria-expanded={needsReason && step === reasonFor}
          onClick={() => choose(step as ReviewStep)}
        >
          {name}
        </button>
      ))}
      {isAskedForReason && (
        <ReasonForm
          key={reasonFor}
          step={reasonFor}
          typed={reason}
          isAsking={isAsking}
          send={(details) => take(reasonFor, details)}
          cancel={() => setReasonFor(undefined)}
        />
      )}
    </div>
  );
}
