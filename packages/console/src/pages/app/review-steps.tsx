import { useRef, useState } from 'preact/hooks';
import type { ProblemError } from '../../api/http-request.ts';
import { type ReviewStep as RegistryStep, type ReviewDetails, reviewApp, type SeenApp } from '../../api/operations.ts';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useHasScope } from '../../scopes.ts';
import { asProblemError } from '../../use-request.ts';
import { ReasonForm } from './reason-form.tsx';

/** A change is rejected on the command line or through the operator API. */
type ReviewStep = Exclude<RegistryStep, 'reject-change'>;

interface Step {
  name: string;
  /** The message after the step. */
  done: string;
  scope: 'portal' | 'review';
  from: SeenApp['app']['reviewStatus'][];
  /** Whether it is also possible for the changed content of an approved app. */
  isForChanges?: true;
  needsReason?: true;
}

const steps: Record<ReviewStep, Step> = {
  submit: { name: 'Submit for review', done: 'The app awaits review.', scope: 'portal', from: ['DRAFT', 'REJECTED'] },
  withdraw: { name: 'Withdraw', done: 'The submission is withdrawn.', scope: 'portal', from: ['AWAITING_REVIEW'] },
  approve: {
    name: 'Approve',
    done: 'The app is approved.',
    scope: 'review',
    from: ['AWAITING_REVIEW'],
    isForChanges: true,
  },
  reject: {
    name: 'Reject',
    done: 'The app is rejected.',
    scope: 'review',
    from: ['AWAITING_REVIEW'],
    needsReason: true,
  },
  revoke: {
    name: 'Revoke',
    done: 'The approval is revoked.',
    scope: 'review',
    from: ['APPROVED'],
    needsReason: true,
  },
};

/**
 * The review steps that are possible for an app and permitted to the user. They apply to the content that is shown: if it
 * was decided or changed meanwhile, the registry refuses, and the page shows the error and the current content.
 */
export function ReviewSteps({ seen, onDone }: { seen: SeenApp; onDone: () => void }) {
  const [outcome, setOutcome] = useState<{ done?: string; error?: ProblemError }>({});
  const [reasonFor, setReasonFor] = useState<'reject' | 'revoke'>();
  const reason = useRef('');
  const [isPending, setPending] = useState(false);
  const hasScope = { portal: useHasScope('portal'), review: useHasScope('review') };
  const { reviewStatus, changedSinceApproval } = seen.app;
  const isChanged = reviewStatus === 'APPROVED' && changedSinceApproval;
  const possible = Object.entries(steps).filter(
    ([, { scope, from, isForChanges }]) =>
      hasScope[scope] && (from.includes(reviewStatus) || (isForChanges && isChanged)),
  );

  const take = async (step: ReviewStep, details?: ReviewDetails) => {
    setPending(true);
    try {
      await reviewApp(seen, step, details);
      setOutcome({ done: steps[step].done });
      setReasonFor(undefined);
      reason.current = '';
    } catch (error) {
      setOutcome({ error: asProblemError(error) });
    }
    setPending(false);
    onDone();
  };
  const choose = (step: ReviewStep) => {
    setOutcome({});
    if (step === 'reject' || step === 'revoke') setReasonFor(step);
    else void take(step);
  };
  const needsReasonNow = reasonFor !== undefined && steps[reasonFor].from.includes(reviewStatus);
  return (
    <div class="steps">
      <p role="status">
        {outcome.done && (
          <>
            {outcome.done} <a href={hrefOf(['review'])}>Continue with the review queue</a>
          </>
        )}
      </p>
      {outcome.error && <RequestError error={outcome.error} />}
      {possible.map(([step, { name, needsReason }]) => (
        <button
          type="button"
          key={step}
          class={step === 'approve' ? 'primary' : undefined}
          disabled={isPending}
          aria-expanded={needsReason && step === reasonFor}
          onClick={() => choose(step as ReviewStep)}
        >
          {name}
        </button>
      ))}
      {needsReasonNow && (
        <ReasonForm
          key={reasonFor}
          step={reasonFor}
          typed={reason}
          isPending={isPending}
          send={(details) => take(reasonFor, details)}
          cancel={() => setReasonFor(undefined)}
        />
      )}
    </div>
  );
}
