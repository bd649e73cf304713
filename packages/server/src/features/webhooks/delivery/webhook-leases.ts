import { hash, randomUUID } from 'node:crypto';
import type { Registry } from '../../../kernel/registry.ts';
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
  takeShards,
} from '../deliveries/webhook-lease-queries.ts';

/** Whether this process has no attempt under way in a shard. */
type IsIdle = (webhookId: string, shard: number) => boolean;

/** The shards to serve, by webhook. */
type Served = Map<string, Set<number>>;

/**
 * The shards of webhooks that this process serves. All processes share those of each webhook evenly: every process
 * computes the same assignment from the processes that are alive, takes what is assigned to it once it is free, and
 * releases the rest once no attempt is under way in it.
 *
 * A process shows that it is alive by incrementing a counter. One whose counter has not changed for the duration of a
 * lease counts as dead. Each process measures that itself, so that clocks need not agree and may be set.
 */
export class WebhookLeases {
  readonly holder = randomUUID();
  readonly #registry: Registry;
  readonly #leaseMs: number;
  /** Never goes back. */
  readonly #elapsedMs: () => number;
  /** When this process first saw each counter in its present state. */
  #since = new Map<string, number>();
  #renewedAt = Number.NEGATIVE_INFINITY;
  #served: Served = new Map();
  #withoutKey: string[] = [];

  constructor(registry: Registry, leaseMs: number, elapsedMs: () => number = () => performance.now()) {
    this.#registry = registry;
    this.#leaseMs = leaseMs;
    this.#elapsedMs = elapsedMs;
  }

  /** The webhooks that this process leaves to others, because it does not have the key of their secrets. */
  get withoutKey(): readonly string[] {
    return this.#withoutKey;
  }

  /** Time during which no other process takes the leases. */
  get leftMs(): number {
    return this.#renewedAt + this.#leaseMs - this.#elapsedMs();
  }

  /** Renews the leases, and takes and releases some. Returns what to serve from now on. */
  async renew(isIdle: IsIdle): Promise<Served> {
    // Before storing: other processes start to measure later.
    const beganAt = this.#elapsedMs();
    const { processes, webhooks } = await listLeases(this.#registry);
    this.#withoutKey = webhooks.filter(({ canSign }) => !canSign).map(({ id }) => id);
    const dead = this.#findDead(processes);
    const alive = processes.filter((process) => process.id !== this.holder && !dead.includes(process));
    const assigned = this.#assigned(webhooks, alive);
    const changes = this.#changes(webhooks, { assigned, dead, isIdle });
    const isRegistered = processes.some(({ id }) => id === this.holder);
    const isDue = !isRegistered || beganAt - this.#renewedAt >= this.#leaseMs / 3;
    let held = new Map(webhooks.map((webhook) => [webhook.id, heldBy(this.holder, webhook)]));
    if (changes.length > 0 || (assigned.size > 0 && isDue)) {
      held = await changeLeases(this.#registry, { id: this.holder, withoutKey: this.#withoutKey, dead, changes });
      this.#renewedAt = beganAt;
      // One that was only suspended registers again in the state in which it was declared dead.
      for (const process of dead) this.#since.delete(processState(process));
    }
    this.#served = new Map();
    for (const [webhookId, shards] of held) {
      const both = shards.filter((shard) => assigned.get(webhookId)?.includes(shard));
      if (both.length > 0) this.#served.set(webhookId, new Set(both));
    }
    return this.#served;
  }

  /** Releases the leases, so that other processes need not wait for them to expire. */
  async release(): Promise<void> {
    await this.#registry.storage.write((transaction) => deleteProcess(transaction, { id: this.holder }));
  }

  /** The processes whose counters no longer change. */
  #findDead(processes: DeliveringProcess[]): DeliveringProcess[] {
    const now = this.#elapsedMs();
    const others = processes.filter(({ id }) => id !== this.holder);
    this.#since = new Map(others.map(processState).map((state) => [state, this.#since.get(state) ?? now]));
    return others.filter((process) => now - (this.#since.get(processState(process)) ?? now) >= this.#leaseMs);
  }

  /** The shards that this process is to serve, by webhook. */
  #assigned(webhooks: LeasedWebhook[], alive: DeliveringProcess[]): Map<string, number[]> {
    const assigned = new Map<string, number[]>();
    for (const { id: webhookId, canSign } of webhooks) {
      if (!canSign) continue;
      const others = alive.filter(({ withoutKey }) => !withoutKey.includes(webhookId)).map(({ id }) => id);
      const shards = assignedShards(this.holder, { webhookId, processes: [...others, this.holder] });
      if (shards.length > 0) assigned.set(webhookId, shards);
    }
    return assigned;
  }

  /** Takes what is assigned and free. Releases what now belongs to another process, and in which this one has no work. */
  #changes(
    webhooks: LeasedWebhook[],
    { assigned, dead, isIdle }: { assigned: Map<string, number[]>; dead: DeliveringProcess[]; isIdle: IsIdle },
  ): ShardChange[] {
    const isFree = (holder?: string) => holder === undefined || dead.some(({ id }) => id === holder);
    const changes = webhooks.map((webhook) => {
      const { id: webhookId, holders } = webhook;
      const wanted = assigned.get(webhookId) ?? [];
      const isLeft = (shard: number) =>
        !wanted.includes(shard) && !this.#served.get(webhookId)?.has(shard) && isIdle(webhookId, shard);
      const take = wanted.filter((shard) => isFree(holders.get(shard)));
      return { webhookId, take, release: heldBy(this.holder, webhook).filter(isLeft) };
    });
    return changes.filter(({ take, release }) => take.length > 0 || release.length > 0);
  }
}

/** The shards of a webhook that are assigned to a process. Every process computes the same assignment. */
function assignedShards(
  process: string,
  { webhookId, processes }: { webhookId: string; processes: string[] },
): number[] {
  const sorted = processes.toSorted();
  // Rotates the remainder of an uneven division, so that it falls to a different process for each webhook.
  const first = queueShard(webhookId);
  return Array.from({ length: shardsPerWebhook }, (_, shard) => shard).filter(
    (shard) => sorted[(first + shard) % sorted.length] === process,
  );
}

function heldBy(process: string, { holders }: LeasedWebhook): number[] {
  return [...holders].filter(([, holder]) => holder === process).map(([shard]) => shard);
}

/** Changes whenever the counter does. */
function processState({ id, beat }: DeliveringProcess): string {
  return `${id} ${beat}`;
}

/** Each webhook has this many shards, so up to this many processes can share its work. */
export const shardsPerWebhook = 16;

/** The shard of a queue. Never changes: the processes of two releases must agree. */
export function queueShard(queue: string): number {
  return Number.parseInt(hash('sha256', queue).slice(0, 1), shardsPerWebhook);
}

/** A process that delivers. */
interface DeliveringProcess {
  id: string;
  /** A counter that changes with each renewal, which shows that the process is alive. */
  beat: number;
  /** The webhooks that it cannot sign for. */
  withoutKey: string[];
}

/** An enabled webhook, and who serves it. */
interface LeasedWebhook {
  id: string;
  /** Whether this process has the key of the secret that signs its deliveries. */
  canSign: boolean;
  /** The process that serves each shard. */
  holders: Map<number, string>;
}

async function listLeases({ storage: { reader }, secrets }: Registry) {
  const [processes, webhooks, shards] = await Promise.all([
    listProcesses(reader, {}),
    listEnabledWebhooks(reader, {}),
    listShardLeases(reader, {}),
  ]);
  const held = Map.groupBy(shards, ({ webhook_id }) => webhook_id);
  return {
    processes: processes.map(
      ({ id, beat, without_key }): DeliveringProcess => ({ id, beat, withoutKey: without_key.split(' ') }),
    ),
    webhooks: webhooks.map(
      ({ id, secret }): LeasedWebhook => ({
        id,
        canSign: secrets.open(secret, id) !== null,
        holders: new Map((held.get(id) ?? []).flatMap(({ shard, holder }) => (holder ? [[shard, holder]] : []))),
      }),
    ),
  };
}

interface ShardChange {
  webhookId: string;
  take: number[];
  release: number[];
}

interface LeaseChanges {
  /** The process that makes them. */
  id: string;
  withoutKey: string[];
  /** Processes that have stopped counting: their shards are free. */
  dead: DeliveringProcess[];
  changes: ShardChange[];
}

/**
 * Renews the leases of a process and changes some. Takes only what is still free. Returns the shards that the process
 * holds then, by webhook.
 */
function changeLeases(
  { storage }: Registry,
  { id, withoutKey, dead, changes }: LeaseChanges,
): Promise<Map<string, number[]>> {
  return storage.write(async (transaction) => {
    for (const { id, beat } of dead) await deleteDeadProcess(transaction, { id, beat });
    const without_key = withoutKey.join(' ');
    const isRenewed = (await renewProcess(transaction, { id, withoutKey: without_key })) > 0;
    if (!isRenewed) await insertProcess(transaction, { id, beat: 0, without_key });
    for (const { webhookId, take, release } of changes) {
      await releaseShards(transaction, { webhookId, shards: release, holder: id });
      await takeShards(transaction, { webhookId, shards: take, holder: id });
    }
    const held = Map.groupBy(await listShardsOf(transaction, { holder: id }), ({ webhook_id }) => webhook_id);
    return new Map([...held].map(([webhookId, rows]) => [webhookId, rows.map(({ shard }) => shard)]));
  });
}
