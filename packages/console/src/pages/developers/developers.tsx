import type { DeveloperQuery, OperatorDeveloper } from '@appregistrar/client/operator';
import { Users } from 'lucide';
import { ofTypes } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { nameOf } from '../../parts/developer-name.tsx';
import { Empty } from '../../parts/empty.tsx';
import { SortHeader } from '../../parts/list/sort-header.tsx';
import { TotalCount } from '../../parts/list/total-count.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager, pageSize } from '../../parts/pager.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useHasScope } from '../../scopes.ts';
import { useRequest } from '../../use-request.ts';
import { CreateDeveloper } from './create-developer.tsx';
import { Suspended } from './suspended.tsx';

/** All developers, with a form to add one. */
export function DevelopersPage({ query }: { query: URLSearchParams }) {
  const cursor = query.get('cursor') ?? undefined;
  const sort = (query.get('sort') ?? undefined) as DeveloperQuery['sort'];
  const { data, error, isPending, reload } = useRequest(
    (signal) => operator.developers.list({ sort, cursor, limit: pageSize, withTotal: true }, { signal }).page(),
    [sort, cursor],
    { follows: ofTypes('developer.') },
  );
  const canAdd = useHasScope('portal');
  return (
    <Page title="Developers">
      <CreateDeveloper />
      {error && <RequestError error={error} retry={reload} />}
      <div aria-busy={isPending}>
        {data?.items.length === 0 && (
          <Empty icon={Users} text="No developers yet.">
            {canAdd && <p>Add one, then create their first app.</p>}
          </Empty>
        )}
        {data && <TotalCount page={data} of="developers" />}
        {data && data.items.length > 0 && <DeveloperTable developers={data.items} query={query} />}
        {data && (
          <Pager page={data} of="the developers" hrefAt={(at) => hrefOf(['developers'], { sort, cursor: at })} />
        )}
      </div>
    </Page>
  );
}

function DeveloperTable({ developers, query }: { developers: OperatorDeveloper[]; query: URLSearchParams }) {
  const list = { path: ['developers'], query };
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Developer</th>
          <SortHeader name="email" label="Email address" {...list} />
          <SortHeader name="createdAt" label="User id (by creation time)" {...list} />
        </tr>
      </thead>
      <tbody>
        {developers.map((developer) => (
          <tr key={developer.id}>
            <th scope="row">
              <a href={hrefOf(['developers', developer.id])} dir="auto">
                {nameOf(developer)}
              </a>{' '}
              <Suspended developer={developer} />
            </th>
            <td data-label="Email address">
              <bdi>{developer.email}</bdi>
            </td>
            <td data-label="User id">
              <code>{developer.id}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
