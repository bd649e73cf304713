import { SearchX } from 'lucide';
import { Empty } from '../../parts/empty.tsx';
import { TextField } from '../../parts/form/fields.tsx';
import { Filter } from '../../parts/form/filter.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { type HitGroup, hitGroups } from '../../parts/search/hits.ts';
import { searchedMax, useSearch } from '../../parts/search/use-search.ts';
import { hrefOf } from '../../route.ts';

const shownMax = 50;

/** All that a text finds, by type. */
export function SearchPage({ query }: { query: URLSearchParams }) {
  const text = query.get('q') ?? '';
  const { data, error, isPending, reload } = useSearch(text, {
    limit: shownMax,
    cursor: query.get('cursor') ?? undefined,
  });
  const groups = hitGroups(data?.items ?? []);
  const count = groups.reduce((sum, { hits }) => sum + hits.length, 0);
  return (
    <Page title="Search">
      <Filter path={['search']} query={query} error={error} retry={reload}>
        <TextField
          name="/q"
          label="Name, email address, host or id"
          type="search"
          defaultValue={text}
          maxLength={searchedMax}
        />
      </Filter>
      <div aria-busy={isPending} class="result">
        <p class="visually-hidden" role="status">
          {data && !isPending && `${count} results`}
        </p>
        {data && count === 0 && <NothingFound />}
        {groups.map((group) => (
          <Group key={group.type} group={group} />
        ))}
        {data && <Pager page={data} of="the results" hrefAt={(cursor) => hrefOf(['search'], { q: text, cursor })} />}
      </div>
    </Page>
  );
}

function NothingFound() {
  return (
    <Empty icon={SearchX} text="No results.">
      <p>Search by any part of a name, email address or host, or by a complete id.</p>
    </Empty>
  );
}

function Group({ group: { type, name, hits } }: { group: HitGroup }) {
  return (
    <section aria-labelledby={`hits-${type}`}>
      <h2 id={`hits-${type}`}>{name}</h2>
      <ul class="hits">
        {hits.map((hit) => (
          <li key={`${hit.href} ${hit.name}`}>
            <a href={hit.href} dir="auto">
              {hit.name}
            </a>{' '}
            {hit.detail !== hit.name && (
              <small class="faint" dir="auto">
                {hit.detail}
              </small>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
