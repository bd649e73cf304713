import { CreateApp } from '../../new-app/create-app.tsx';
import { Page } from '../../parts/page.tsx';
import { usePageCommands } from '../../parts/search/commands.ts';
import { hrefOf } from '../../route.ts';
import { useHasScope } from '../../scopes.ts';
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
  const canImport = useHasScope('admin');
  const show = query.get('show') ?? '';
  const current = show in lists ? (show as keyof typeof lists) : '';
  const { List } = lists[current];
  usePageCommands(
    Object.entries(lists).map(([key, { name }]) => ({
      name: `Show ${name.toLowerCase()}`,
      group: 'Apps',
      run: () => {
        location.hash = hrefOf(['apps'], { show: key });
      },
    })),
  );
  return (
    <Page
      title="Apps"
      actions={
        <>
          {canImport && <a href={hrefOf(['import'])}>Import</a>}
          <CreateApp />
        </>
      }
    >
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
