import { type Connection, defineChange, defineFind, defineInsert, defineList } from '../../../storage/query.ts';

export const listEnabledWebhooks = defineList((db) =>
  db.selectFrom('webhooks').select(['id', 'secret']).where('disabled_at', 'is', null).orderBy('id'),
);

export const listProcesses = defineList((db) =>
  db.selectFrom('webhook_processes').select(['id', 'beat', 'without_key']).orderBy('id'),
);

/** The leases of the shards of enabled webhooks. A shard that no process has served yet has no row. */
export const listShardLeases = defineList((db) =>
  db
    .selectFrom('webhook_leases')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_id')
    .where('disabled_at', 'is', null)
    .select(['webhook_id', 'shard', 'holder']),
);

export const listShardsOf = defineList((db, { holder }: { holder: string }) =>
  db.selectFrom('webhook_leases').select(['webhook_id', 'shard']).where('holder', '=', holder),
);

export const insertProcess = defineInsert('webhook_processes');

/** Shows other processes that this one is alive. Changes nothing if they have declared it dead. */
export const renewProcess = defineChange((db, { id, withoutKey }: { id: string; withoutKey: string }) =>
  db
    .updateTable('webhook_processes')
    .set(({ eb }) => ({ beat: eb('beat', '+', 1), without_key: withoutKey }))
    .where('id', '=', id),
);

/** Removes a process, which frees its shards. */
export const deleteProcess = defineChange((db, { id }: { id: string }) =>
  db.deleteFrom('webhook_processes').where('id', '=', id),
);

/** The same for a process that has died. Changes nothing if it has shown since that it is alive. */
export const deleteDeadProcess = defineChange((db, { id, beat }: { id: string; beat: number }) =>
  db.deleteFrom('webhook_processes').where('id', '=', id).where('beat', '=', beat),
);

interface HeldShards {
  webhookId: string;
  shards: number[];
  holder: string;
}

const findUndeleted = defineFind((db, { webhookId }: { webhookId: string }) =>
  db.selectFrom('webhooks').select('id').where('id', '=', webhookId).forKeyShare(),
);

/** Takes those of the shards that are free. Takes none of a webhook that was deleted since it was read. */
export async function takeShards(connection: Connection, { webhookId, shards, holder }: HeldShards): Promise<void> {
  if (shards.length === 0 || !(await findUndeleted(connection, { webhookId }))) return;
  await connection.insertNew(
    'webhook_leases',
    shards.map((shard) => ({ webhook_id: webhookId, shard, holder: null })),
  );
  const free = connection.builder
    .updateTable('webhook_leases')
    .set({ holder })
    .where('webhook_id', '=', webhookId)
    .where('shard', 'in', shards)
    .where('holder', 'is', null);
  await connection.run(free.compile());
}

export async function releaseShards(connection: Connection, { webhookId, shards, holder }: HeldShards): Promise<void> {
  if (shards.length === 0) return;
  const own = connection.builder
    .updateTable('webhook_leases')
    .set({ holder: null })
    .where('webhook_id', '=', webhookId)
    .where('shard', 'in', shards)
    .where('holder', '=', holder);
  await connection.run(own.compile());
}
