import type { VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { BrandContext, useAccent, useWindowIcon } from './brand.ts';
import { HolderContext } from './holder.ts';
import { useLiveEvents } from './live/use-live-events.ts';
import { movedTo } from './moved-pages.ts';
import { AppPage } from './pages/app/app.tsx';
import { appTab } from './pages/app/app-tabs.tsx';
import { AppsPage } from './pages/apps/app-lists.tsx';
import { DeveloperPage } from './pages/developers/developer.tsx';
import { DevelopersPage } from './pages/developers/developers.tsx';
import { EventsPage } from './pages/events/events.tsx';
import { ImportPage } from './pages/import/import.tsx';
import { NotFoundPage } from './pages/not-found.tsx';
import { OverviewPage } from './pages/overview/overview.tsx';
import { removeStrangeDrafts } from './pages/review/drafts.ts';
import { ReviewPage } from './pages/review/review.tsx';
import { SearchPage } from './pages/search/search.tsx';
import { SettingsPage, settingsTab } from './pages/settings/settings.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { TokenPage } from './pages/tokens/token.tsx';
import { TokensPage } from './pages/tokens/tokens.tsx';
import { DeliveryPage } from './pages/webhooks/delivery.tsx';
import { WebhookPage } from './pages/webhooks/webhook.tsx';
import { WebhooksPage } from './pages/webhooks/webhooks.tsx';
import { WorkspacePage } from './pages/workspaces/workspace.tsx';
import { WorkspacesPage } from './pages/workspaces/workspaces.tsx';
import { ErrorBoundary } from './parts/error-boundary.tsx';
import { Layout } from './parts/layout.tsx';
import { home, sectionOf } from './parts/sections.ts';
import { type Route, replaceRoute, useRoute } from './route.ts';
import { ScopesContext } from './scopes.ts';
import { useScrollPosition } from './use-scroll-position.ts';
import { useSession } from './use-session.ts';

/** The page of the current URL, or the sign-in page without a session. */
export function Console() {
  const route = useRoute();
  const state = useSession();
  const { session, brand, signOut, error } = state;
  const page = pageKey(route);
  const moved = movedTo(route);
  useLayoutEffect(() => {
    if (moved !== undefined) replaceRoute(moved);
  }, [moved]);
  useFocusOnNewPage(page);
  useScrollPosition(`${page} ${pageOfList(route)}`);
  useWindowIcon(brand);
  useAccent(brand);
  useLiveEvents(Boolean(session));
  useLayoutEffect(() => {
    if (session) removeStrangeDrafts(session);
  }, [session]);
  // The page itself has a frame, which shows until there is more.
  if (session === undefined) return null;
  return (
    <BrandContext.Provider value={brand}>
      {session === null ? (
        <SignInPage state={state} />
      ) : (
        <HolderContext.Provider value={session}>
          <ScopesContext.Provider value={session.scopes}>
            <Layout session={session} section={sectionOf(route.path)} signOut={signOut} error={error}>
              <ErrorBoundary key={page}>{moved === undefined && pageOf(route)}</ErrorBoundary>
            </Layout>
          </ScopesContext.Provider>
        </HolderContext.Provider>
      )}
    </BrandContext.Provider>
  );
}

/** The pages of lists, and of single objects, by section. */
const lists = new Map<string, (query: URLSearchParams) => VNode>([
  ['apps', (query) => <AppsPage query={query} />],
  ['developers', (query) => <DevelopersPage query={query} />],
  ['events', (query) => <EventsPage query={query} />],
  ['import', () => <ImportPage />],
  ['overview', () => <OverviewPage />],
  ['search', (query) => <SearchPage query={query} />],
  ['tokens', (query) => <TokensPage query={query} />],
  ['workspaces', (query) => <WorkspacesPage query={query} />],
]);
const objects = new Map<string, (id: string, query: URLSearchParams) => VNode>([
  ['developers', (id, query) => <DeveloperPage key={id} id={id} query={query} />],
  ['tokens', (id, query) => <TokenPage key={id} id={id} query={query} />],
  ['workspaces', (id, query) => <WorkspacePage key={id} id={id} query={query} />],
]);

function pageOf({ path, query }: Route) {
  const [section = home, id, ...rest] = path;
  const tab = section === 'apps' && id !== undefined && rest.length <= 1 ? appTab(rest[0]) : undefined;
  if (tab && id !== undefined) return <AppPage key={id} id={id} tab={tab} query={query} />;
  const setting = section === 'settings' && rest.length === 0 ? settingsTab(id) : undefined;
  if (setting) return <SettingsPage tab={setting} query={query} />;
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

/** The tabs of an app are one page, as are those of the settings, and so is the review, which leads from app to app. */
function pageKey({ path }: Route): string {
  if ((path[0] ?? home) === home) return home;
  if (path[0] === 'settings') return 'settings';
  return (path[0] === 'apps' ? path.slice(0, 2) : path).join('/');
}

/** The page of a list that is shown in parts, of which a page may have one by another name. */
function pageOfList({ query }: Route): string {
  return ['cursor', 'apps', 'installations'].map((name) => query.get(name)).join(' ');
}

/** A screen reader starts where it would after loading a page. */
function useFocusOnNewPage(page: string): void {
  useLayoutEffect(() => {
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }, [page]);
}
