import { useLayoutEffect } from 'preact/hooks';
import { operator } from '../../operator.ts';
import { AppLogo, logoIdIn } from '../../parts/app-logo.tsx';
import { CopyableId } from '../../parts/copy-button.tsx';
import { DeveloperLink } from '../../parts/developer-name.tsx';
import { ErrorBoundary } from '../../parts/error-boundary.tsx';
import { Page } from '../../parts/page.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { ReviewStatus } from '../../parts/review-status.tsx';
import { hrefOf } from '../../route.ts';
import { useRequest } from '../../use-request.ts';
import { RefusalNote } from '../review/refusal.tsx';
import { useAppNews } from '../review/use-app-news.ts';
import { ActivityTab } from './activity-tab.tsx';
import { type AppTab, AppTabs } from './app-tabs.tsx';
import { Deleted } from './deleted.tsx';
import { InstallationsTab } from './installations-tab.tsx';
import { ListingTab } from './listing-tab.tsx';
import { ReviewTab } from './review-tab.tsx';
import { useUndoKey } from './use-undo-key.ts';

const contents = {
  review: ReviewTab,
  listing: ListingTab,
  installations: InstallationsTab,
  activity: ActivityTab,
} satisfies Record<AppTab, unknown>;

const breadcrumbs = [{ name: 'Apps', href: hrefOf(['apps']) }];

function workspacesText(count: number): string {
  return count === 1 ? '1 workspace' : `${count.toLocaleString()} workspaces`;
}

/** Everything about one app, in tabs. */
export function AppPage({ id, tab, query }: { id: string; tab: AppTab; query: URLSearchParams }) {
  const { data: app, error, reload } = useRequest((signal) => operator.apps.get(id, { signal }), [id]);
  const { news, showNow, wasWriting } = useAppNews(app && { app }, reload);
  useUndoKey(id);
  // A link inside a tab is gone once another tab shows.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('main')?.focus();
  }, [tab]);
  if (error) {
    return (
      <Page title="App" breadcrumbs={breadcrumbs}>
        <RequestError error={error} retry={reload} />
      </Page>
    );
  }
  if (!app) return <p class="loading">Loading…</p>;
  if (app.deletedAt) return <Deleted app={app} onRestored={reload} />;
  const Content = contents[tab];
  return (
    <Page title={app.name} breadcrumbs={breadcrumbs}>
      <div class="about-app">
        <AppLogo name={app.name} logoId={logoIdIn(app.logoUrl)} size={40} />
        <ReviewStatus app={app} />
        <span>
          by <DeveloperLink userId={app.developerId} />
        </span>
        <a href={hrefOf(['apps', id, 'installations'])}>{workspacesText(app.installationCount)}</a>
        <CopyableId id={app.id} />
      </div>
      <div role="status">
        {news && (
          <RefusalNote
            key={`${news.what} ${news.app?.etag} ${showNow === undefined}`}
            refusal={news}
            keepsText={wasWriting}
            showNow={showNow}
          />
        )}
      </div>
      <AppTabs id={id} current={tab} counts={{ installations: app.installationCount }} />
      <ErrorBoundary key={tab}>
        <Content app={app} query={query} reload={reload} />
      </ErrorBoundary>
    </Page>
  );
}
