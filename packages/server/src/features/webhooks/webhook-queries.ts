import { type RawBuilder, sql } from 'kysely';
import { type Connection, defineChange, defineFind, defineInsert, defineList } from '../../storage/query.ts';
import { listPage, type PageOfRows, type PageRequest, type Sorting } from '../../storage/row-pages.ts';
import { columns, type WebhookRow } from '../../storage/tables.ts';

export const findWebhook = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('webhooks').select(columns.webhooks).where('id', '=', id),
);

/** Inside a write: the webhook, locked until the write ends. Events can still be queued for it. */
export const findWebhookForUpdate = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('webhooks').select(columns.webhooks).where('id', '=', id).forNoKeyUpdate(),
);

/** Inside a write: the enabled webhooks, which no other write deletes until this one ends. */
export const listEnabledWebhooks = defineList((db) =>
  db
    .selectFrom('webhooks')
    .select(['id', 'types', 'effective_only'])
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .forKeyShare(),
);

/** The webhooks that are disabled since a time or longer. */
export const listDisabledWebhooks = defineList((db, { until }: { until: number }) =>
  db.selectFrom('webhooks').select('id').where('disabled_at', '<=', until).orderBy('id'),
);

export const listWebhookSecrets = defineList((db) =>
  db.selectFrom('webhooks').select(['id', 'secret', 'previous_secret']).orderBy('id'),
);

export const insertWebhook = defineInsert('webhooks');

const changing = columns.webhooks.filter((name) => !['id', 'created_at'].includes(name));

/** Updates a webhook, except its lease. */
export const updateWebhookRow = defineChange((db, row: WebhookRow) =>
  db
    .updateTable('webhooks')
    .set(Object.fromEntries(changing.map((name) => [name, row[name]])))
    .where('id', '=', row.id),
);

/** Also deletes its deliveries. */
export const deleteWebhookRow = defineChange((db, { id }: { id: string }) =>
  db.deleteFrom('webhooks').where('id', '=', id),
);

/** A page of the webhooks. Throws `ForeignPosition`. */
export function listWebhookPage(
  connection: Connection,
  { sorting, ...request }: PageRequest & { sorting: Sorting<'id'> },
): Promise<PageOfRows<WebhookRow>> {
  const query = connection.builder.selectFrom('webhooks').select(columns.webhooks);
  return listPage(connection, { query, ...sorting }, request);
}

/** Selects the ids of webhooks, up to a limit. */
export function someWebhookIds(limit: number): RawBuilder<string> {
  return sql`select id from webhooks limit ${limit}`;
}

/**
 * Records that a delivery failed. Changes nothing if an earlier failure is recorded, unless by a clock that was ahead.
 */
export const markFailing = defineChange((db, { id, at }: { id: string; at: number }) =>
  db
    .updateTable('webhooks')
    .set({ failing_since: at })
    .where('id', '=', id)
    .where(({ eb, or }) => or([eb('failing_since', 'is', null), eb('failing_since', '>', at)])),
);

/** A delivery has succeeded. Changes nothing if none had failed. */
export const clearFailing = defineChange((db, { id }: { id: string }) =>
  db.updateTable('webhooks').set({ failing_since: null }).where('id', '=', id).where('failing_since', 'is not', null),
);

/** Changes nothing if it is already disabled. */
export const disableWebhook = defineChange((db, { id, at, reason }: { id: string; at: number; reason: string }) =>
  db
    .updateTable('webhooks')
    .set({ disabled_at: at, disabled_reason: reason, updated_at: at })
    .where('id', '=', id)
    .where('disabled_at', 'is', null),
);

/** Number of failing webhooks, and of those that the registry disabled for failing. */
export const countTroubledWebhooks = defineFind((db) =>
  db
    .selectFrom('webhooks')
    .select([
      sql<number>`count(case when disabled_at is null and failing_since is not null then 1 end)`.as('failing'),
      sql<number>`count(case when disabled_reason is not null then 1 end)`.as('disabled'),
    ]),
);
