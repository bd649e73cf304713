import type { ChangedObject } from '@appregistrar/client/operator';
import { Activity } from 'lucide';
import type { ComponentChildren } from 'preact';
import { operator } from '../../operator.ts';
import { DateTime } from '../../parts/date-time.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Pager } from '../../parts/pager.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useRequest } from '../../use-request.ts';

type ChangedApp = Extract<ChangedObject, { type: 'app' }>;

interface Row {
  key: string;
  object: ComponentChildren;
  kind: string;
  count: ChangedObject;
}

/** A summary of what was changed with a token, oldest first. */
export function TokenChangesSection({ id, query }: { id: string; query: URLSearchParams }) {
  const cursor = query.get('cursor') ?? undefined;
  const { data, error, isPending, reload } = useRequest(
    (signal) => operator.tokens.listChanges(id, { cursor, limit: 100 }, { signal }).page(),
    [id, cursor],
  );
  const rows = data?.items.map(rowOf);
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">Changes made</h2>
      {error && <RequestError error={error} retry={reload} />}
      <div aria-busy={isPending}>
        {data?.archived && <p class="hint">Earlier events are archived, and are not counted here.</p>}
        {rows?.length === 0 && <Empty icon={Activity} text={cursor ? 'No further changes.' : 'No changes.'} />}
        {rows && rows.length > 0 && <ChangeTable rows={rows} />}
        {data && (
          <Pager page={data} of="the changes" next="Later" hrefAt={(at) => hrefOf(['tokens', id], { cursor: at })} />
        )}
      </div>
    </section>
  );
}

function ChangeTable({ rows }: { rows: Row[] }) {
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Object</th>
          <th scope="col">Changes</th>
          <th scope="col">First</th>
          <th scope="col">Last</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, object, kind, count }) => (
          <tr key={key}>
            <th scope="row">
              {object} <span class="faint">{kind}</span>
            </th>
            <td data-label="Changes">{count.types.map(({ type, changes }) => `${type} (${changes})`).join(', ')}</td>
            <td data-label="First">
              <DateTime at={count.firstAt} />
            </td>
            <td data-label="Last">
              <DateTime at={count.lastAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function rowOf(count: ChangedObject): Row {
  if (count.type === 'app') return { key: count.appId, object: appOf(count), kind: 'App', count };
  if (count.type === 'other') return { key: count.subjectId, object: otherOf(count.subjectId), kind: '', count };
  const { workspaceId } = count;
  const object = <a href={hrefOf(['workspaces', workspaceId])}>{workspaceId}</a>;
  return { key: workspaceId, object, kind: 'Workspace', count };
}

function appOf({ appId, name }: ChangedApp): ComponentChildren {
  if (name === undefined) return <code>{appId}</code>;
  return (
    <a href={hrefOf(['apps', appId])} title={appId}>
      <bdi>{name}</bdi>
    </a>
  );
}

/** The pages of other objects, by the prefix of their ids. */
const pages: Record<string, string> = { user: 'developers', token: 'tokens', webhook: 'webhooks' };

function otherOf(id: string): ComponentChildren {
  const page = pages[id.split('_')[0] ?? ''];
  return page === undefined ? <code>{id}</code> : <a href={hrefOf([page, id])}>{id}</a>;
}
