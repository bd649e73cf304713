import { SearchX } from 'lucide';
import { Empty } from '../../parts/empty.tsx';
import { TextField } from '../../parts/form/fields.tsx';
import { Filter } from '../../parts/form/filter.tsx';
import { Page } from '../../parts/page.tsx';
import { type HitGroup, hitGroups } from '../../parts/search/hits.ts';
import { searchedMax, useSearch } from '../../parts/search/use-search.ts';

/** As many as the operator API returns. */
const shownOfEachType = 20;

/** All that a text finds, by type. */
export function SearchPage({ query }: { query: URLSearchParams }) {
  const text = query.get('q') ?? '';
  const { data, error, isPending, reload } = useSearch(text, shownOfEachType);
  const groups = hitGroups(data?.items ?? []);
  const count = groups.reduce((sum, { hits }) => sum + hits.length, 0);
  return (
    <Page title="Search">
      <Filter path={['search']} query={query} submitLabel="Search" error={error} retry={reload}>
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
          <Group key={group.type} group={group} hasMore={data?.more.includes(group.type) === true} />
        ))}
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

function Group({ group: { type, name, hits }, hasMore }: { group: HitGroup; hasMore: boolean }) {
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
      {hasMore && <p class="faint">More results match. Add a word to narrow the search.</p>}
    </section>
  );
}
