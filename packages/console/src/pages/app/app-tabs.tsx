import { hrefOf } from '../../route.ts';

const names = { review: 'Review', listing: 'Listing', installations: 'Installations', activity: 'Activity' };
export type AppTab = keyof typeof names;

/** The tab of an address, by default the first; undefined where there is none of this name. */
export function appTab(name = 'review'): AppTab | undefined {
  return name in names ? (name as AppTab) : undefined;
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
