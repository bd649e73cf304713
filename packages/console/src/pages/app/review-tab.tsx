import type { OperatorApp } from 'app-registry-client/operator';
import { DeveloperRecord } from '../../evidence/developer-record.tsx';
import { Evidence } from '../../evidence/evidence.tsx';
import { DateTime } from '../../parts/date-time.tsx';
import type { AppTabProps } from './app-tab-props.ts';
import { Decisions } from './decisions.tsx';
import { ReviewSteps } from './review-steps.tsx';

/** The state of the app in review, what to decide on, and what was decided. */
export function ReviewTab({ app, query, reload }: AppTabProps) {
  return (
    <>
      <State app={app} />
      <ReviewSteps app={app} onDone={reload} />
      <Evidence app={app} />
      <Decisions app={app} query={query} />
      <DeveloperRecord userId={app.developerId} />
    </>
  );
}

function State({ app: { createdAt, updatedAt, submittedAt, rejectionReason } }: { app: OperatorApp }) {
  return (
    <dl class="facts">
      {submittedAt && (
        <>
          <dt>Submitted</dt>
          <dd>
            <DateTime at={submittedAt} />
          </dd>
        </>
      )}
      <dt>Last change</dt>
      <dd>
        <DateTime at={updatedAt} />
      </dd>
      <dt>Created</dt>
      <dd>
        <DateTime at={createdAt} />
      </dd>
      {rejectionReason && (
        <>
          <dt>Rejection reason</dt>
          <dd class="value" dir="auto">
            {rejectionReason}
          </dd>
        </>
      )}
    </dl>
  );
}
