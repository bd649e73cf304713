import type { AppWithWarnings, Revocation } from '@appregistrar/client/operator';
import { useRef, useState } from 'preact/hooks';
import type { FieldMark } from '../../evidence/field-mark.tsx';
import { operator } from '../../operator.ts';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useHasScope } from '../../scopes.ts';
import { type ShownError, shownError } from '../../shown-error.ts';
import { findRefusal, type Refusal, RefusalNote } from '../review/refusal.tsx';
import { ReasonForm } from './reason-form.tsx';

interface Step {
  name: string;
  /** The message after the step. */
  done: string;
  scope: 'portal' | 'review';
  /** The label of the button that sends the reason, if the step needs one. */
  withReason?: string;
  /** The step is refused unless the content is still the one that was shown. */
  send: (app: AppWithWarnings, details: Revocation) => Promise<unknown>;
}

const steps: Record<string, Step> = {
  approve: {
    name: 'Approve',
    done: 'App approved.',
    scope: 'review',
    send: ({ id, etag }) => operator.apps.approve(id, { revision: etag }),
  },
  reject: {
    name: 'Reject',
    done: 'App rejected.',
    scope: 'review',
    withReason: 'Reject the app',
    send: ({ id, etag }, details) => operator.apps.reject(id, { revision: etag, ...details }),
  },
  'reject-change': {
    name: 'Reject',
    done: 'Change rejected. The approved version stays in effect.',
    scope: 'review',
    withReason: 'Reject the change',
    send: ({ id, etag }, details) => operator.apps.rejectChange(id, { revision: etag, ...details }),
  },
  revoke: {
    name: 'Revoke',
    done: 'Approval revoked.',
    scope: 'review',
    withReason: 'Revoke the approval',
    send: ({ id, etag }, details) => operator.apps.revoke(id, details, { ifMatch: etag }),
  },
  submit: {
    name: 'Submit for review',
    done: 'The app awaits review.',
    scope: 'portal',
    send: ({ id, etag }) => operator.apps.submit(id, { ifMatch: etag }),
  },
  withdraw: {
    name: 'Withdraw',
    done: 'Submission withdrawn.',
    scope: 'portal',
    send: ({ id, etag }) => operator.apps.withdraw(id, { ifMatch: etag }),
  },
};

interface ReviewStepsProps {
  app: AppWithWarnings;
  /** The messages about single fields, which a rejection sends. */
  marks: FieldMark[];
  onDone: (outcome: { isDecided: boolean }) => void;
}

/**
 * The review steps that the app allows and that are permitted to the user. They apply to the content that is shown: if it
 * was decided or changed meanwhile, the registry refuses, and the page shows the error and the current content.
 */
export function ReviewSteps({ app, marks, onDone }: ReviewStepsProps) {
  const [outcome, setOutcome] = useState<{ done?: string; refusal?: Refusal; error?: ShownError }>({});
  const [chosen, setChosen] = useState<string>();
  const reason = useRef('');
  const [isPending, setPending] = useState(false);
  const hasScope = { portal: useHasScope('portal'), review: useHasScope('review') };
  const possible = Object.entries(steps).filter(
    ([step, { scope }]) => hasScope[scope] && app.reviewSteps.includes(step),
  );
  const awaited = possible.find(([step]) => step === chosen)?.[1];

  const fields = chosen === 'revoke' ? [] : marks;

  const take = async ({ send, done }: Step, details: Revocation = { message: '' }) => {
    setPending(true);
    let isDecided = false;
    try {
      await send(app, details);
      isDecided = true;
      setOutcome({ done });
      setChosen(undefined);
      reason.current = '';
    } catch (error) {
      const refusal = await findRefusal(error, { app }).catch(() => undefined);
      setOutcome(refusal ? { refusal } : { error: shownError(error) });
    }
    setPending(false);
    onDone({ isDecided });
  };
  const choose = (step: string, taken: Step) => {
    setOutcome({});
    if (taken.withReason) setChosen(step);
    else void take(taken);
  };
  return (
    <div class="steps">
      <p role="status">
        {outcome.done && (
          <>
            <span key={outcome.done}>{outcome.done}</span>{' '}
            <a href={hrefOf(['review'])}>Continue with the review queue</a>
          </>
        )}
      </p>
      <div role="alert">
        {outcome.refusal && (
          <RefusalNote key={outcome.refusal.what} refusal={outcome.refusal} keepsText={reason.current !== ''}>
            <a href={hrefOf(['review'])}>Continue with the review queue</a>
          </RefusalNote>
        )}
      </div>
      {outcome.error && <RequestError error={outcome.error} />}
      {possible.map(([step, taken]) => (
        <button
          type="button"
          key={step}
          class={step === 'approve' ? 'primary' : undefined}
          disabled={isPending}
          aria-expanded={taken.withReason === undefined ? undefined : step === chosen}
          onClick={() => choose(step, taken)}
        >
          {taken.name}
        </button>
      ))}
      {awaited?.withReason && (
        <ReasonForm
          key={chosen}
          label={awaited.withReason}
          canDisable={chosen === 'revoke'}
          typed={reason}
          isPending={isPending}
          send={(details) => take(awaited, { ...details, ...(fields.length > 0 && { fields }) })}
          cancel={() => setChosen(undefined)}
        />
      )}
    </div>
  );
}
