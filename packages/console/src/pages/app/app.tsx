import type { OperatorApp } from 'app-registry-client/operator';
import { useState } from 'preact/hooks';
import { DeveloperRecord } from '../../evidence/developer-record.tsx';
import { Evidence } from '../../evidence/evidence.tsx';
import type { FieldMark } from '../../evidence/field-mark.tsx';
import { operator } from '../../operator.ts';
import { DateTime } from '../../parts/date-time.tsx';
import { Page } from '../../parts/page.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { ReviewStatus } from '../../parts/review-status.tsx';
import { hrefOf } from '../../route.ts';
import { useHasScope } from '../../scopes.ts';
import { useRequest } from '../../use-request.ts';
import { ChangeHistory } from './change-history.tsx';
import { Installations } from './installations.tsx';
import { LogoUpload } from './logo-upload.tsx';
import { ReviewSteps } from './review-steps.tsx';
import { Revisions } from './revisions.tsx';
import { TransferApp } from './transfer-app.tsx';

/** The lists of the page. The query has the cursor of each under its name. */
const lists = ['installations', 'revisions', 'changes'] as const;
type List = (typeof lists)[number];

/** Everything about one app. */
export function AppPage({ id, query }: { id: string; query: URLSearchParams }) {
  const { data: app, error, reload } = useRequest((signal) => operator.apps.get(id, { signal }), [id]);
  const canReview = useHasScope('review');
  const [marks, setMarks] = useState<FieldMark[]>([]);
  const finish = ({ isDecided }: { isDecided: boolean }) => {
    if (isDecided) setMarks([]);
    reload();
  };
  const cursors = Object.fromEntries(lists.map((list) => [list, query.get(list) ?? undefined]));
  const pagesOf = (list: List) => ({
    cursor: cursors[list],
    hrefAt: (cursor: string) => hrefOf(['apps', id], { ...cursors, [list]: cursor }),
  });
  if (error) {
    return (
      <Page title="App">
        <RequestError error={error} retry={reload} />
      </Page>
    );
  }
  if (!app) return <p class="loading">Loading…</p>;
  const canMark = canReview && app.reviewSteps.some((step) => step === 'reject' || step === 'reject-change');
  return (
    <Page title={app.name}>
      <Summary app={app} />
      <ReviewSteps app={app} marks={marks} onDone={finish} />
      <section aria-labelledby="content">
        <h2 id="content">Content</h2>
        <Evidence app={app} marks={marks} onMark={canMark ? setMarks : undefined} />
      </section>
      <LogoUpload app={app} onChange={reload} />
      <DeveloperRecord userId={app.developerId} />
      <TransferApp app={app} onDone={reload} />
      <Installations app={app} {...pagesOf('installations')} onChange={reload} />
      <Revisions app={app} {...pagesOf('revisions')} onChange={reload} />
      <ChangeHistory app={app} {...pagesOf('changes')} />
    </Page>
  );
}

function Summary({ app }: { app: OperatorApp }) {
  return (
    <>
      <ReviewStatus app={app} />
      <dl class="facts">
        <dt>Id</dt>
        <dd>
          <code>{app.id}</code>
        </dd>
        <dt>Created</dt>
        <dd>
          <DateTime at={app.createdAt} />
        </dd>
        <dt>Last change</dt>
        <dd>
          <DateTime at={app.updatedAt} />
        </dd>
        {app.rejectionReason && (
          <>
            <dt>Rejection reason</dt>
            <dd class="value" dir="auto">
              {app.rejectionReason}
            </dd>
          </>
        )}
      </dl>
    </>
  );
}
