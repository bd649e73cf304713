import { hrefOf } from '../../route.ts';

const names = { review: 'Review', listing: 'Listing', installations: 'Installations', activity: 'Activity' };
export type AppTab = keyof typeof names;

/** The lists of earlier releases, whose cursors are in the query of links to the page, and the tabs that have them now. */
const tabOfList: Record<string, AppTab> = {
  installations: 'installations',
  revisions: 'activity',
  changes: 'activity',
};

/** The tab of an address; undefined where there is none of this name. */
export function appTab(name: string | undefined, query: URLSearchParams): AppTab | undefined {
  if (name !== undefined) return name in names ? (name as AppTab) : undefined;
  const list = Object.keys(tabOfList).find((key) => query.has(key));
  return (list !== undefined && tabOfList[list]) || 'review';
}

/** Links to the parts of the page of an app. */
export function AppTabs({
  id,
  current,
  counts,
}: {
  id: string;
  current: AppTab;
  counts: Partial<Record<AppTab, number>>;
}) {
  return (
    <nav class="tabs" aria-label="Parts of the app">
      {Object.entries(names).map(([tab, name]) => (
        <a key={tab} href={hrefOf(['apps', id, tab])} aria-current={tab === current ? 'page' : undefined}>
          {name}
          {counts[tab as AppTab] !== undefined && <span class="count"> {counts[tab as AppTab]?.toLocaleString()}</span>}
        </a>
      ))}
    </nav>
  );
}
