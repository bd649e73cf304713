import { dateTime } from '../../kernel/date-time.ts';
import type { Registry } from '../../kernel/registry.ts';
import type { AppRow } from '../../storage/tables.ts';
import { listAppPage } from '../apps/app-queries.ts';
import { appOfDeleted, isRestorable } from '../apps/deleted-app.ts';
import { nameKey } from '../apps/name-key.ts';
import { findTexts, type Sought, wordsOf } from './find-texts.ts';
import { listFoundApps, listFoundDeletedApps } from './found-object-queries.ts';
import type { SearchHit } from './search-result.ts';

type AppHit = Extract<SearchHit, { type: 'app' }>;

/** Apps whose name is or starts with a text, in the order of their names, and then those whose name contains its words. */
export async function findAppsByName(registry: Registry, { text, wanted }: Sought): Promise<AppHit[]> {
  const key = nameKey(text);
  if (key === '') return [];
  const { rows } = await listAppPage(registry.storage.reader, { nameKeyPrefix: key }, { limit: wanted });
  if (rows.length === wanted) return rows.map(appHit);
  const found = await findTexts(registry, { column: 'name', words: wordsOf(key), wanted });
  const others = found.map(({ subject_id: id }) => id).filter((id) => !rows.some((row) => row.id === id));
  return [...rows.map(appHit), ...(await appHits(registry, others))];
}

/** The existing and the restorable ones of these apps, in their order. */
export async function appHits(registry: Registry, ids: string[]): Promise<AppHit[]> {
  const { reader } = registry.storage;
  const [apps, deleted] = await Promise.all([listFoundApps(reader, ids), listFoundDeletedApps(reader, ids)]);
  const restorable = deleted.filter(({ deleted_at: at }) => isRestorable(at, registry.now()));
  const hits = [
    ...apps.map(appHit),
    ...restorable.map((row) => ({ ...appHit(appOfDeleted(row)), deletedAt: dateTime(row.deleted_at) })),
  ];
  const hitOf = new Map(hits.map((hit) => [hit.id, hit]));
  return ids.flatMap((id) => hitOf.get(id) ?? []);
}

function appHit(app: Pick<AppRow, 'id' | 'name' | 'review_status' | 'developer_id'>): AppHit {
  return {
    type: 'app',
    id: app.id,
    name: app.name,
    reviewStatus: app.review_status,
    developerId: app.developer_id,
  };
}
