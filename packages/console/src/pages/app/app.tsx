import { type OperatorApp, showApp } from '../../api/operations.ts';
import { contentRows } from '../../content.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { Refused } from '../../parts/refused.tsx';
import { ReviewStatus } from '../../parts/review-status.tsx';
import { addressOf } from '../../route.ts';
import { useRequest } from '../../use-request.ts';
import { DeveloperRecord } from './developer-record.tsx';
import { Installations } from './installations.tsx';
import { LogoUpload } from './logo-upload.tsx';
import { MarketplaceCard } from './marketplace-card.tsx';
import { ReviewSteps } from './review-steps.tsx';
import { Trail } from './trail.tsx';

/** All that the registry knows of one app. */
export function AppPage({ id, query }: { id: string; query: URLSearchParams }) {
  const { answer: seen, refusal, askAgain } = useRequest((signal) => showApp(id, signal), [id]);
  const cursors = { installations: query.get('installations'), changes: query.get('changes') };
  const addressAt = (list: keyof typeof cursors) => (cursor: string) =>
    addressOf(['apps', id], { ...present(cursors), [list]: cursor });
  if (refusal) {
    return (
      <Page title="App">
        <Refused refusal={refusal} retry={askAgain} />
      </Page>
    );
  }
  if (!seen) return <p class="waiting">Loading…</p>;
  const { app } = seen;
  return (
    <Page title={app.name}>
      <div class="glance">
        <div>
          <Summary app={app} />
          <ReviewSteps seen={seen} onDone={askAgain} />
        </div>
        <div>
          <MarketplaceCard app={app} />
        </div>
      </div>
      <Content app={app} />
      <LogoUpload seen={seen} onChange={askAgain} />
      <DeveloperRecord userId={app.developerId} />
      <Installations
        app={app}
        cursor={cursors.installations ?? undefined}
        addressAt={addressAt('installations')}
        onChange={askAgain}
      />
      <Trail app={app} cursor={cursors.changes ?? undefined} addressAt={addressAt('changes')} />
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
          <Moment at={app.createdAt} />
        </dd>
        <dt>Last change</dt>
        <dd>
          <Moment at={app.updatedAt} />
        </dd>
        {app.rejectionReason && (
          <>
            <dt>Reason of the rejection</dt>
            <dd class="value" dir="auto">
              {app.rejectionReason}
            </dd>
          </>
        )}
      </dl>
    </>
  );
}

/** What the developer edits, approved beside current where the app was ever approved. */
function Content({ app }: { app: OperatorApp }) {
  const rows = contentRows(app);
  const isBeside = rows.some(({ hasChanged }) => hasChanged);
  return (
    <section aria-labelledby="content">
      <h2 id="content">Content</h2>
      <table class="content">
        <thead>
          <tr>
            <th scope="col">
              <span class="visually-hidden">Member</span>
            </th>
            {isBeside && <th scope="col">Approved</th>}
            <th scope="col">{app.approved && !isBeside ? 'Now, as it was approved' : 'Now'}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, now, approved, hasChanged }) => (
            <tr key={label} class={hasChanged ? 'changed' : undefined}>
              <th scope="row">{label}</th>
              {isBeside && (
                <td data-label="Approved">
                  <Value text={approved} />
                </td>
              )}
              <td data-label={isBeside ? 'Now' : undefined}>
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
