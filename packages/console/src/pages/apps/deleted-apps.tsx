import type { AppQuery, AppSummary } from '@appregistrar/client/operator';
import { ArchiveRestore } from 'lucide';
import { useState } from 'preact/hooks';
import { ofTypes } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { AppLogo, logoIdIn } from '../../parts/app-logo.tsx';
import { DateTime } from '../../parts/date-time.tsx';
import { DeveloperLink } from '../../parts/developer-name.tsx';
import { Empty } from '../../parts/empty.tsx';
import { DeveloperField } from '../../parts/form/developer-field.tsx';
import { Filter } from '../../parts/form/filter.tsx';
import { SortHeader } from '../../parts/list/sort-header.tsx';
import { TotalCount } from '../../parts/list/total-count.tsx';
import { Pager, pageSize } from '../../parts/pager.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useHasScope } from '../../scopes.ts';
import { useAction } from '../../use-action.ts';
import { useRequest } from '../../use-request.ts';

const shown = { show: 'deleted' };

/** The deleted apps that can be restored. */
export function DeletedApps({ query }: { query: URLSearchParams }) {
  const filter = { developerId: query.get('developerId') ?? undefined };
  const cursor = query.get('cursor') ?? undefined;
  const sort = (query.get('sort') ?? undefined) as AppQuery['sort'];
  const [restored, setRestored] = useState<{ id: string; name: string }>();
  const { data, error, isPending, reload } = useRequest(
    (signal) =>
      operator.apps
        .list({ deleted: true, ...filter, sort, cursor, limit: pageSize, withTotal: true }, { signal })
        .page(),
    [filter.developerId, sort, cursor],
    { follows: ofTypes('app.') },
  );
  const onRestored = (app: AppSummary) => {
    setRestored(app);
    reload();
  };
  return (
    <>
      <p>A deleted app can be restored for 30 days, without its installations. Then it is deleted permanently.</p>
      <p role="status">
        {restored && (
          <>
            <a href={hrefOf(['apps', restored.id])}>
              <bdi>{restored.name}</bdi>
            </a>{' '}
            is restored.
          </>
        )}
      </p>
      <Filter path={['apps']} query={query} error={error} retry={reload}>
        <input type="hidden" name="/show" value="deleted" />
        <DeveloperField name="/developerId" label="Developer" defaultValue={filter.developerId} submits />
      </Filter>
      <div aria-busy={isPending}>
        {data?.items.length === 0 && <NoDeletedApps isFiltered={filter.developerId !== undefined} />}
        {data && <TotalCount page={data} of="deleted apps" />}
        {data && data.items.length > 0 && <DeletedAppTable apps={data.items} query={query} onRestored={onRestored} />}
        {data && (
          <Pager
            page={data}
            of="the deleted apps"
            hrefAt={(at) => hrefOf(['apps'], { ...shown, ...filter, sort, cursor: at })}
          />
        )}
      </div>
    </>
  );
}

function NoDeletedApps({ isFiltered }: { isFiltered: boolean }) {
  return (
    <Empty icon={ArchiveRestore} text="No deleted apps can be restored.">
      {isFiltered && <a href={hrefOf(['apps'], shown)}>Show the deleted apps of all developers</a>}
    </Empty>
  );
}

interface DeletedAppTableProps {
  apps: AppSummary[];
  query: URLSearchParams;
  onRestored: (app: AppSummary) => void;
}

function DeletedAppTable({ apps, query, onRestored }: DeletedAppTableProps) {
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">App</th>
          <th scope="col">Developer</th>
          <SortHeader name="deletedAt" label="Deleted" path={['apps']} query={query} />
          <th scope="col">Permanent deletion</th>
        </tr>
      </thead>
      <tbody>
        {apps.map((app) => (
          <DeletedAppRow key={app.id} app={app} onRestored={onRestored} />
        ))}
      </tbody>
    </table>
  );
}

function DeletedAppRow({ app, onRestored }: { app: AppSummary; onRestored: (app: AppSummary) => void }) {
  const { id, name, logoUrl, developerId, deletedAt, restorableUntil } = app;
  const { isPending, error, run } = useAction();
  const canRestore = useHasScope('admin');
  const restore = () =>
    run(async () => {
      await operator.apps.restore(id);
      onRestored(app);
    });
  return (
    <tr>
      <th scope="row">
        <div class="app">
          <AppLogo name={name} logoId={logoIdIn(logoUrl)} size={24} />
          <bdi>{name}</bdi>
        </div>
      </th>
      <td data-label="Developer">
        <DeveloperLink userId={developerId} />
      </td>
      <td data-label="Deleted">{deletedAt && <DateTime at={deletedAt} />}</td>
      <td data-label="Permanent deletion">
        {restorableUntil && <DateTime at={restorableUntil} />}{' '}
        {canRestore && (
          <button type="button" aria-label={`Restore ${name}`} disabled={isPending} onClick={restore}>
            Restore
          </button>
        )}
        {error && <RequestError error={error} />}
      </td>
    </tr>
  );
}
