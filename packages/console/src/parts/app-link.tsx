import { operator } from '../operator.ts';
import { hrefOf } from '../route.ts';
import { useRequest } from '../use-request.ts';
import { LoadedTogether } from './loaded-together.ts';

const names = new LoadedTogether(async (ids: string[]) => {
  const { items } = await operator.apps.list({ ids, limit: ids.length }).page();
  return items.map(({ id, name }): [string, string] => [id, name]);
});

/** An app by name, with a link to its page; by id if loading fails, as for a deleted app. */
export function AppLink({ id }: { id: string }) {
  const { data, error } = useRequest(() => names.get(id), [id]);
  return (
    <a href={hrefOf(['apps', id])} title={id}>
      <bdi>{data ?? (error ? id : '…')}</bdi>
    </a>
  );
}
