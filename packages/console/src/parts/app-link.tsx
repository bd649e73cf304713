import { operator } from '../operator.ts';
import { hrefOf } from '../route.ts';
import { useRequest } from '../use-request.ts';

const idsMax = 100;

/** Loads the name of each app once while the page is open, however often it is listed. */
const names = new Map<string, Promise<string>>();
/** The apps of one page, which are rendered together: their names are one request. */
let together: { ids: string[]; names: Promise<Map<string, string>> } | undefined;

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
  const loading = nameTogether(id);
  names.set(id, loading);
  loading.catch(() => names.delete(id));
  return loading;
}

async function nameTogether(id: string): Promise<string> {
  if (!together || together.ids.length === idsMax) {
    const ids: string[] = [];
    together = { ids, names: loadNames(ids) };
  }
  together.ids.push(id);
  const name = (await together.names).get(id);
  if (name === undefined) throw new Error(`There is no app ${id}.`);
  return name;
}

async function loadNames(ids: string[]): Promise<Map<string, string>> {
  // All effects of a rendering run in one task.
  await new Promise((resolve) => setTimeout(resolve));
  if (together?.ids === ids) together = undefined;
  const { items } = await operator.apps.list({ ids, limit: idsMax }).page();
  return new Map(items.map(({ id, name }) => [id, name]));
}
