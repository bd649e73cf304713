import { useLayoutEffect } from 'preact/hooks';
import { HolderContext } from './holder.ts';
import { AppPage } from './pages/app/app.tsx';
import { AppsPage } from './pages/apps.tsx';
import { OverviewPage } from './pages/overview/overview.tsx';
import { removeStrangeDrafts } from './pages/review/drafts.ts';
import { ReviewPage } from './pages/review/review.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { TokensPage } from './pages/tokens/tokens.tsx';
import { WebhookPage } from './pages/webhooks/webhook.tsx';
import { WebhooksPage } from './pages/webhooks/webhooks.tsx';
import { ErrorBoundary } from './parts/error-boundary.tsx';
import { Layout } from './parts/layout.tsx';
import { Page } from './parts/page.tsx';
import { hrefOf, type Route, useRoute } from './route.ts';
import { ScopesContext } from './scopes.ts';
import { useSession } from './use-session.ts';

/** The page of the current URL, or the sign-in page without a session. */
export function Console() {
  const route = useRoute();
  const state = useSession();
  const { session, signOut, error } = state;
  const page = pageKeyOf(route);
  useFocusOnNewPage(page);
  useLayoutEffect(() => {
    if (session) removeStrangeDrafts(session);
  }, [session]);
  if (session === undefined) return <p class="loading">Loading…</p>;
  if (session === null) return <SignInPage state={state} />;
  return (
    <HolderContext.Provider value={session}>
      <ScopesContext.Provider value={session.scopes}>
        <Layout session={session} section={route.path[0] ?? 'apps'} signOut={signOut} error={error}>
          <ErrorBoundary key={page}>{pageOf(route)}</ErrorBoundary>
        </Layout>
      </ScopesContext.Provider>
    </HolderContext.Provider>
  );
}

/** The review leads from app to app by itself. */
function pageKeyOf({ path }: Route): string {
  return path[0] === 'review' ? 'review' : path.join('/');
}

function pageOf({ path, query }: Route) {
  const [section = 'apps', id, ...rest] = path;
  if (section === 'overview' && id === undefined) return <OverviewPage />;
  if (section === 'apps' && id === undefined) return <AppsPage query={query} />;
  if (section === 'apps' && id !== undefined && rest.length === 0) return <AppPage key={id} id={id} query={query} />;
  if (section === 'review' && rest.length === 0) return <ReviewPage id={id} query={query} />;
  if (section === 'tokens' && id === undefined) return <TokensPage query={query} />;
  if (section === 'webhooks' && id === undefined) return <WebhooksPage query={query} />;
  if (section === 'webhooks' && id !== undefined && rest.length === 0) {
    return <WebhookPage key={id} id={id} query={query} />;
  }
  return (
    <Page title="No such page">
      <p>
        The console has no page at this address. <a href={hrefOf(['apps'])}>All apps</a>
      </p>
    </Page>
  );
}

/** A screen reader starts where it would after loading a page. */
function useFocusOnNewPage(page: string): void {
  useLayoutEffect(() => {
    window.scrollTo(0, 0);
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }, [page]);
}
