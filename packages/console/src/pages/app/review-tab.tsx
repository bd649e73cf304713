import type { OperatorApp } from '@appregistrar/client/operator';
import { useState } from 'preact/hooks';
import { DeveloperRecord } from '../../evidence/developer-record.tsx';
import { Evidence } from '../../evidence/evidence.tsx';
import type { FieldMark } from '../../evidence/field-mark.tsx';
import { ReviewNotes } from '../../evidence/review-notes.tsx';
import { DateTime } from '../../parts/date-time.tsx';
import { useHasScope } from '../../scopes.ts';
import type { AppTabProps } from './app-tab-props.ts';
import { Decisions } from './decisions.tsx';
import { ReviewSteps } from './review-steps.tsx';

/** The state of the app in review, what to decide on, and what was decided. */
export function ReviewTab({ app, query, reload }: AppTabProps) {
  const [marks, setMarks] = useState<FieldMark[]>([]);
  const canReview = useHasScope('review');
  const canMark = canReview && app.reviewSteps.some((step) => step === 'reject' || step === 'reject-change');
  const finish = ({ isDecided }: { isDecided: boolean }) => {
    if (isDecided) setMarks([]);
    reload();
  };
  return (
    <>
      <State key={`${app.etag} ${app.reviewStatus} ${app.updatedAt}`} app={app} />
      <ReviewSteps app={app} marks={marks} onDone={finish} />
      <section aria-labelledby="content">
        <h2 id="content">Content</h2>
        <Evidence app={app} marks={marks} onMark={canMark ? setMarks : undefined} />
      </section>
      <Decisions app={app} query={query} />
      <DeveloperRecord key={app.developerId} userId={app.developerId} />
      <ReviewNotes appId={app.id} />
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
