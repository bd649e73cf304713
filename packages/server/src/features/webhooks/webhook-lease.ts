import { hash } from 'node:crypto';
import type { Registry } from '../../kernel/registry.ts';
import type { Connection } from '../../storage/query.ts';
import {
  deleteDeadProcess,
  deleteProcess,
  insertProcess,
  listEnabledWebhooks,
  listProcesses,
  listShardLeases,
  listShardsOf,
  releaseShards,
  renewProcess,
  type Shards,
  takeShards,
} from './deliveries/webhook-lease-queries.ts';

export type { Shards };

/** Each webhook has this many shards, so up to this many processes can share its work. */
export const shardsPerWebhook = 16;

/** The shard of a queue. Never changes: the processes of two releases must agree. */
export function shardOf(queue: string): number {
  return Number.parseInt(hash('sha256', queue).slice(0, 1), shardsPerWebhook);
}

/** A process that shows by a counter that it is alive. */
export interface Counting {
  id: string;
  /** Changes with each renewal. */
  beat: number;
}

/** A process that delivers. */
export interface DeliveringProcess extends Counting {
  /** The webhooks that it cannot sign for. */
  withoutKey: string[];
}

/** An enabled webhook, and who serves it. */
export interface LeasedWebhook {
  id: string;
  /** Whether this process has the key of the secret that signs its deliveries. */
  canSign: boolean;
  /** The process that serves each shard. */
  holders: Map<number, string>;
}

export interface Leases {
  processes: DeliveringProcess[];
  webhooks: LeasedWebhook[];
}

export async function listLeases({ storage: { reader }, secrets }: Registry): Promise<Leases> {
  const [processes, webhooks, shards] = await Promise.all([
    listProcesses(reader, {}),
    listEnabledWebhooks(reader, {}),
    listShardLeases(reader, {}),
  ]);
  const held = Map.groupBy(shards, ({ webhook_id }) => webhook_id);
  return {
    processes: processes.map(({ id, beat, without_key }) => ({ id, beat, withoutKey: without_key.split(' ') })),
    webhooks: webhooks.map(({ id, secret }) => ({
      id,
      canSign: secrets.open(secret, id) !== null,
      holders: new Map((held.get(id) ?? []).flatMap(({ shard, holder }) => (holder ? [[shard, holder]] : []))),
    })),
  };
}

/** The changes that a process makes to the leases. */
export interface LeaseChanges {
  holder: string;
  /** The webhooks that it cannot sign for. */
  withoutKey: string[];
  /** Processes that have stopped counting: their shards are free. */
  dead: Counting[];
  take: Shards[];
  release: Shards[];
}

/**
 * Renews the leases of a process and changes some. Takes only what is still free. Returns the shards that the process
 * holds then.
 */
export function changeLeases({ storage }: Registry, changes: LeaseChanges): Promise<Shards[]> {
  const { holder, withoutKey, dead, take, release } = changes;
  return storage.write(async (transaction) => {
    for (const { id, beat } of dead) await deleteDeadProcess(transaction, { id, beat });
    await keepAlive(transaction, { id: holder, withoutKey: withoutKey.join(' ') });
    for (const shards of release) await releaseShards(transaction, { ...shards, holder });
    for (const shards of take) await takeShards(transaction, { ...shards, holder });
    const held = Map.groupBy(await listShardsOf(transaction, { holder }), ({ webhook_id }) => webhook_id);
    return [...held].map(([webhookId, rows]) => ({ webhookId, shards: rows.map(({ shard }) => shard) }));
  });
}

async function keepAlive(
  transaction: Connection,
  { id, withoutKey }: { id: string; withoutKey: string },
): Promise<void> {
  if ((await renewProcess(transaction, { id, withoutKey })) > 0) return;
  await insertProcess(transaction, { id, beat: 0, without_key: withoutKey });
}

/** Releases all leases of a process, so that others can take them at once. */
export async function releaseLeases({ storage }: Registry, { holder }: { holder: string }): Promise<void> {
  await storage.write((transaction) => deleteProcess(transaction, { id: holder }));
}
