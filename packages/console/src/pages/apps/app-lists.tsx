import { CreateApp } from '../../new-app/create-app.tsx';
import { Page } from '../../parts/page.tsx';
import { hrefOf } from '../../route.ts';
import { AppList } from './apps.tsx';
import { DeletedApps } from './deleted-apps.tsx';
import { Logos } from './logos.tsx';

/** What the page shows, by the parameter `show` of its address. */
const lists = {
  '': { name: 'Current', List: AppList },
  deleted: { name: 'Deleted', List: DeletedApps },
  logos: { name: 'Logos', List: Logos },
};

/** The apps of the registry: those that exist, those that can be restored, and their logos. */
export function AppsPage({ query }: { query: URLSearchParams }) {
  const show = query.get('show') ?? '';
  const current = show in lists ? (show as keyof typeof lists) : '';
  const { List } = lists[current];
  return (
    <Page title="Apps" actions={<CreateApp />}>
      <nav class="shown" aria-label="Show">
        {Object.entries(lists).map(([key, { name }]) => (
          <a key={key} href={hrefOf(['apps'], { show: key })} aria-current={key === current ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <List key={current} query={query} />
    </Page>
  );
}
