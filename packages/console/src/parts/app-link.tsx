import { operator } from '../operator.ts';
import { hrefOf } from '../route.ts';
import { useRequest } from '../use-request.ts';

/** Loads the name of each app once while the page is open, however often it is listed. */
const names = new Map<string, Promise<string>>();

/** An app by name, with a link to its page; by id if loading fails, as for a deleted app. */
export function AppLink({ id }: { id: string }) {
  const { data, error } = useRequest(() => nameOf(id), [id]);
  return (
    <a href={hrefOf(['apps', id])} title={id}>
      <bdi>{data ?? (error ? id : '…')}</bdi>
    </a>
  );
}

function nameOf(id: string): Promise<string> {
  const cached = names.get(id);
  if (cached) return cached;
  const loading = operator.apps.get(id).then(({ name }) => name);
  names.set(id, loading);
  loading.catch(() => names.delete(id));
  return loading;
}
