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
  type Shards,
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
    const leases = await listLeases(this.#registry);
    this.#withoutKey = leases.webhooks.filter(({ canSign }) => !canSign).map(({ id }) => id);
    const dead = this.#watch(leases);
    const assigned = this.#assigned(leases, dead);
    const stopped = leases.processes.filter((process) => dead.has(processState(process)));
    const changes = { dead: stopped, ...this.#changes(leases, { assigned, dead, isIdle }) };
    const isRegistered = leases.processes.some(({ id }) => id === this.holder);
    let held = this.#heldIn(leases);
    if (this.#mustStore({ beganAt, isRegistered, hasWork: assigned.size > 0, changes })) {
      held = await changeLeases(this.#registry, { holder: this.holder, withoutKey: this.#withoutKey, ...changes });
      this.#renewedAt = beganAt;
      // One that was only suspended registers again in the state in which it was declared dead.
      for (const state of dead) this.#since.delete(state);
    }
    this.#served = new Map(
      held.flatMap(({ webhookId, shards }) => {
        const both = shards.filter((shard) => assigned.get(webhookId)?.includes(shard));
        return both.length > 0 ? [[webhookId, new Set(both)]] : [];
      }),
    );
    return this.#served;
  }

  /** Releases the leases, so that other processes need not wait for them to expire. */
  async release(): Promise<void> {
    await this.#registry.storage.write((transaction) => deleteProcess(transaction, { id: this.holder }));
  }

  /** The states of processes whose counters no longer change. */
  #watch({ processes }: Leases): Set<string> {
    const now = this.#elapsedMs();
    const states = processes.filter(({ id }) => id !== this.holder).map(processState);
    this.#since = new Map(states.map((state) => [state, this.#since.get(state) ?? now]));
    return new Set(states.filter((state) => now - (this.#since.get(state) ?? now) >= this.#leaseMs));
  }

  /** The shards that this process is to serve. */
  #assigned({ processes, webhooks }: Leases, dead: Set<string>): Map<string, number[]> {
    const alive = processes.filter((process) => process.id !== this.holder && !dead.has(processState(process)));
    const assigned = webhooks
      .filter((webhook) => webhook.canSign)
      .map(({ id }): [string, number[]] => {
        const others = alive.filter(({ withoutKey }) => !withoutKey.includes(id)).map((process) => process.id);
        return [id, assignedShards(this.holder, { webhookId: id, processes: [...others, this.holder] })];
      });
    return new Map(assigned.filter(([, shards]) => shards.length > 0));
  }

  #changes(
    { webhooks }: Leases,
    { assigned, dead, isIdle }: { assigned: Map<string, number[]>; dead: Set<string>; isIdle: IsIdle },
  ) {
    const isFree = (holder: string | undefined) =>
      holder === undefined || [...dead].some((state) => state.startsWith(`${holder} `));
    const take = webhooks.map(({ id, holders }) => ({
      webhookId: id,
      shards: (assigned.get(id) ?? []).filter((shard) => isFree(holders.get(shard))),
    }));
    const release = webhooks.map((webhook) => ({
      webhookId: webhook.id,
      shards: heldBy(this.holder, webhook).filter((shard) => this.#isLeft({ webhook, shard, assigned, isIdle })),
    }));
    return {
      take: take.filter(({ shards }) => shards.length > 0),
      release: release.filter(({ shards }) => shards.length > 0),
    };
  }

  /** Whether a shard now belongs to another process, and this one has no work in it. */
  #isLeft({
    webhook: { id },
    shard,
    assigned,
    isIdle,
  }: {
    webhook: LeasedWebhook;
    shard: number;
    assigned: Map<string, number[]>;
    isIdle: IsIdle;
  }): boolean {
    return !assigned.get(id)?.includes(shard) && !this.#served.get(id)?.has(shard) && isIdle(id, shard);
  }

  #mustStore({ beganAt, isRegistered, hasWork, changes }: StoreQuestion): boolean {
    if (changes.take.length > 0 || changes.release.length > 0) return true;
    if (!hasWork) return false;
    return !isRegistered || beganAt - this.#renewedAt >= this.#leaseMs / 3;
  }

  #heldIn({ webhooks }: Leases): Shards[] {
    return webhooks.map((webhook) => ({ webhookId: webhook.id, shards: heldBy(this.holder, webhook) }));
  }
}

interface StoreQuestion {
  beganAt: number;
  isRegistered: boolean;
  hasWork: boolean;
  changes: { take: Shards[]; release: Shards[] };
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
function processState({ id, beat }: Counting): string {
  return `${id} ${beat}`;
}

export type { Shards };

/** Each webhook has this many shards, so up to this many processes can share its work. */
export const shardsPerWebhook = 16;

/** The shard of a queue. Never changes: the processes of two releases must agree. */
export function queueShard(queue: string): number {
  return Number.parseInt(hash('sha256', queue).slice(0, 1), shardsPerWebhook);
}

/** A process that shows by a counter that it is alive. */
interface Counting {
  id: string;
  /** Changes with each renewal. */
  beat: number;
}

/** A process that delivers. */
interface DeliveringProcess extends Counting {
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

interface Leases {
  processes: DeliveringProcess[];
  webhooks: LeasedWebhook[];
}

async function listLeases({ storage: { reader }, secrets }: Registry): Promise<Leases> {
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
interface LeaseChanges {
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
function changeLeases({ storage }: Registry, changes: LeaseChanges): Promise<Shards[]> {
  const { holder, withoutKey, dead, take, release } = changes;
  return storage.write(async (transaction) => {
    for (const { id, beat } of dead) await deleteDeadProcess(transaction, { id, beat });
    const own = { id: holder, withoutKey: withoutKey.join(' ') };
    const isRenewed = (await renewProcess(transaction, own)) > 0;
    if (!isRenewed) await insertProcess(transaction, { id: holder, beat: 0, without_key: own.withoutKey });
    for (const shards of release) await releaseShards(transaction, { ...shards, holder });
    for (const shards of take) await takeShards(transaction, { ...shards, holder });
    const held = Map.groupBy(await listShardsOf(transaction, { holder }), ({ webhook_id }) => webhook_id);
    return [...held].map(([webhookId, rows]) => ({ webhookId, shards: rows.map(({ shard }) => shard) }));
  });
}
