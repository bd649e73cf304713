import type { VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { BrandContext, useWindowIcon } from './brand.ts';
import { HolderContext } from './holder.ts';
import { useLiveEvents } from './live/use-live-events.ts';
import { AppPage } from './pages/app/app.tsx';
import { appTab } from './pages/app/app-tabs.tsx';
import { AppsPage } from './pages/apps.tsx';
import { DeletedAppsPage } from './pages/deleted-apps/deleted-apps.tsx';
import { DeveloperPage } from './pages/developers/developer.tsx';
import { DevelopersPage } from './pages/developers/developers.tsx';
import { EventsPage } from './pages/events/events.tsx';
import { ImportPage } from './pages/import/import.tsx';
import { InstallationsPage } from './pages/installations/installations.tsx';
import { LogosPage } from './pages/logos/logos.tsx';
import { NotFoundPage } from './pages/not-found.tsx';
import { OverviewPage } from './pages/overview/overview.tsx';
import { ProtectedNamesPage } from './pages/protected-names/protected-names.tsx';
import { removeStrangeDrafts } from './pages/review/drafts.ts';
import { ReviewPage } from './pages/review/review.tsx';
import { SearchPage } from './pages/search/search.tsx';
import { SettingsPage } from './pages/settings/settings.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { TemplatesPage } from './pages/templates/templates.tsx';
import { TokenPage } from './pages/tokens/token.tsx';
import { TokensPage } from './pages/tokens/tokens.tsx';
import { DeliveryPage } from './pages/webhooks/delivery.tsx';
import { WebhookPage } from './pages/webhooks/webhook.tsx';
import { WebhooksPage } from './pages/webhooks/webhooks.tsx';
import { WorkspacePage } from './pages/workspaces/workspace.tsx';
import { WorkspacesPage } from './pages/workspaces/workspaces.tsx';
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
  const page = pageKey(route);
  useFocusOnNewPage(page);
  useWindowIcon(brand);
  useLiveEvents(Boolean(session));
  useLayoutEffect(() => {
    if (session) removeStrangeDrafts(session);
  }, [session]);
  if (session === undefined) return <p class="loading">Loading…</p>;
  return (
    <BrandContext.Provider value={brand}>
      {session === null ? (
        <SignInPage state={state} />
      ) : (
        <HolderContext.Provider value={session}>
          <ScopesContext.Provider value={session.scopes}>
            <Layout session={session} section={route.path[0] ?? 'apps'} signOut={signOut} error={error}>
              <ErrorBoundary key={page}>{pageOf(route)}</ErrorBoundary>
            </Layout>
          </ScopesContext.Provider>
        </HolderContext.Provider>
      )}
    </BrandContext.Provider>
  );
}

/** The pages of lists, and of single objects, by section. */
const lists = new Map<string, (query: URLSearchParams) => VNode>([
  ['deleted-apps', (query) => <DeletedAppsPage query={query} />],
  ['developers', (query) => <DevelopersPage query={query} />],
  ['events', (query) => <EventsPage query={query} />],
  ['import', () => <ImportPage />],
  ['installations', (query) => <InstallationsPage query={query} />],
  ['logos', (query) => <LogosPage query={query} />],
  ['protected-names', (query) => <ProtectedNamesPage query={query} />],
  ['search', (query) => <SearchPage query={query} />],
  ['settings', () => <SettingsPage />],
  ['templates', (query) => <TemplatesPage query={query} />],
  ['tokens', (query) => <TokensPage query={query} />],
  ['workspaces', () => <WorkspacesPage />],
]);
const objects = new Map<string, (id: string, query: URLSearchParams) => VNode>([
  ['developers', (id, query) => <DeveloperPage key={id} id={id} query={query} />],
  ['tokens', (id, query) => <TokenPage key={id} id={id} query={query} />],
  ['workspaces', (id, query) => <WorkspacePage key={id} id={id} query={query} />],
]);

function pageOf({ path, query }: Route) {
  const [section = 'apps', id, ...rest] = path;
  if (section === 'overview' && id === undefined) return <OverviewPage />;
  if (section === 'apps' && id === undefined) return <AppsPage query={query} />;
  const tab = section === 'apps' && id !== undefined && rest.length <= 1 ? appTab(rest[0]) : undefined;
  if (tab && id !== undefined) return <AppPage key={id} id={id} tab={tab} query={query} />;
  if (section === 'review' && rest.length === 0) return <ReviewPage id={id} query={query} />;
  if (id === undefined && lists.has(section)) return lists.get(section)?.(query);
  if (id !== undefined && rest.length === 0 && objects.has(section)) return objects.get(section)?.(id, query);
  if (section === 'webhooks' && id === undefined) return <WebhooksPage query={query} />;
  if (section === 'webhooks' && id !== undefined && rest.length === 0) {
    return <WebhookPage key={id} id={id} query={query} />;
  }
  if (section === 'webhooks' && id !== undefined && rest.length === 2 && rest[0] === 'deliveries') {
    return <DeliveryPage key={rest[1]} webhookId={id} id={rest[1] ?? ''} />;
  }
  return <NotFoundPage />;
}

/** The tabs of an app are one page, and so is the review, which leads from app to app. */
function pageKey({ path }: Route): string {
  if (path[0] === 'review') return 'review';
  return (path[0] === 'apps' ? path.slice(0, 2) : path).join('/');
}

/** A screen reader starts where it would after loading a page. */
function useFocusOnNewPage(page: string): void {
  useLayoutEffect(() => {
    window.scrollTo(0, 0);
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }, [page]);
}
