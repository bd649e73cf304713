import { type OperatorApp, showApp } from '../../api/operations.ts';
import { contentRows } from '../../content.ts';
import { DateTime } from '../../parts/date-time.tsx';
import { Page } from '../../parts/page.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { ReviewStatus } from '../../parts/review-status.tsx';
import { hrefOf } from '../../route.ts';
import { useRequest } from '../../use-request.ts';
import { ChangeHistory } from './change-history.tsx';
import { DeveloperRecord } from './developer-record.tsx';
import { Installations } from './installations.tsx';
import { LogoUpload } from './logo-upload.tsx';
import { MarketplaceCard } from './marketplace-card.tsx';
import { ReviewSteps } from './review-steps.tsx';

/** Everything about one app. */
export function AppPage({ id, query }: { id: string; query: URLSearchParams }) {
  const { data: seen, error, reload } = useRequest((signal) => showApp(id, signal), [id]);
  const cursors = { installations: query.get('installations'), changes: query.get('changes') };
  const hrefAt = (list: keyof typeof cursors) => (cursor: string) =>
    hrefOf(['apps', id], { ...present(cursors), [list]: cursor });
  if (error) {
    return (
      <Page title="App">
        <RequestError error={error} retry={reload} />
      </Page>
    );
  }
  if (!seen) return <p class="loading">Loading…</p>;
  const { app } = seen;
  return (
    <Page title={app.name}>
      <div class="glance">
        <div>
          <Summary app={app} />
          <ReviewSteps seen={seen} onDone={reload} />
        </div>
        <div>
          <MarketplaceCard app={app} />
        </div>
      </div>
      <Content app={app} />
      <LogoUpload seen={seen} onChange={reload} />
      <DeveloperRecord userId={app.developerId} />
      <Installations
        app={app}
        cursor={cursors.installations ?? undefined}
        hrefAt={hrefAt('installations')}
        onChange={reload}
      />
      <ChangeHistory app={app} cursor={cursors.changes ?? undefined} hrefAt={hrefAt('changes')} />
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

/** The content of an app, beside the approved content if the two differ. */
function Content({ app }: { app: OperatorApp }) {
  const rows = contentRows(app);
  const showsApproved = rows.some(({ hasChanged }) => hasChanged);
  return (
    <section aria-labelledby="content">
      <h2 id="content">Content</h2>
      <table class="content">
        <thead>
          <tr>
            <th scope="col">
              <span class="visually-hidden">Field</span>
            </th>
            {showsApproved && <th scope="col">Approved</th>}
            <th scope="col">{app.approved && !showsApproved ? 'Current (as approved)' : 'Current'}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, now, approved, hasChanged }) => (
            <tr key={label} class={hasChanged ? 'changed' : undefined}>
              <th scope="row">{label}</th>
              {showsApproved && (
                <td data-label="Approved">
                  <Value text={approved} />
                </td>
              )}
              <td data-label={showsApproved ? 'Current' : undefined}>
                <Value text={now} /> {hasChanged && <span class="badge changed">Changed</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Value({ text }: { text: string | undefined }) {
  if (text === undefined) return <span class="faint">None</span>;
  return (
    <span class="value" dir="auto">
      {text}
    </span>
  );
}

function present(cursors: Record<string, string | null>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(cursors).map(([name, cursor]) => [name, cursor ?? undefined]));
}
