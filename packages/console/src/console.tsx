import { useLayoutEffect } from 'preact/hooks';
import { BrandContext, useWindowIcon } from './brand.ts';
import { AppPage } from './pages/app/app.tsx';
import { AppsPage } from './pages/apps.tsx';
import { NotFoundPage } from './pages/not-found.tsx';
import { OverviewPage } from './pages/overview/overview.tsx';
import { ReviewPage } from './pages/review.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { TokensPage } from './pages/tokens/tokens.tsx';
import { WebhookPage } from './pages/webhooks/webhook.tsx';
import { WebhooksPage } from './pages/webhooks/webhooks.tsx';
import { ErrorBoundary } from './parts/error-boundary.tsx';
import { Layout } from './parts/layout.tsx';
import { type Route, useRoute } from './route.ts';
import { ScopesContext } from './scopes.ts';
import { useSession } from './use-session.ts';

/** The page of the current URL, or the sign-in page without a session. */
export function Console() {
  const route = useRoute();
  const state = useSession();
  const { session, brand, signOut, error } = state;
  useFocusOnNewPage(route.path.join('/'));
  useWindowIcon(brand);
  if (session === undefined) return <p class="loading">Loading…</p>;
  return (
    <BrandContext.Provider value={brand}>
      {session === null ? (
        <SignInPage state={state} />
      ) : (
        <ScopesContext.Provider value={session.scopes}>
          <Layout session={session} section={route.path[0] ?? 'apps'} signOut={signOut} error={error}>
            <ErrorBoundary key={route.path.join('/')}>{pageOf(route)}</ErrorBoundary>
          </Layout>
        </ScopesContext.Provider>
      )}
    </BrandContext.Provider>
  );
}

function pageOf({ path, query }: Route) {
  const [section = 'apps', id, ...rest] = path;
  if (section === 'overview' && id === undefined) return <OverviewPage />;
  if (section === 'apps' && id === undefined) return <AppsPage query={query} />;
  if (section === 'apps' && id !== undefined && rest.length === 0) return <AppPage key={id} id={id} query={query} />;
  if (section === 'review' && id === undefined) return <ReviewPage query={query} />;
  if (section === 'tokens' && id === undefined) return <TokensPage query={query} />;
  if (section === 'webhooks' && id === undefined) return <WebhooksPage query={query} />;
  if (section === 'webhooks' && id !== undefined && rest.length === 0) {
    return <WebhookPage key={id} id={id} query={query} />;
  }
  return <NotFoundPage />;
}

/** A screen reader starts where it would after loading a page. */
function useFocusOnNewPage(page: string): void {
  useLayoutEffect(() => {
    window.scrollTo(0, 0);
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }, [page]);
}
