import { randomUUID } from 'node:crypto';
import type { Registry } from '../registry/registry.ts';
import { holdWebhooks, type Lease, listLeases, releaseWebhooks } from '../registry/webhooks/webhook-lease.ts';

/**
 * The webhooks that this process serves. It renews its leases by incrementing a counter in their rows. A process whose
 * counter has not changed for the duration of a lease counts as dead. Each process measures that itself, so that
 * clocks need not agree and may be set.
 */
export class WebhookLeases {
  readonly holder = randomUUID();
  readonly #registry: Registry;
  readonly #leaseMs: number;
  /** When this process first saw each lease in its present state. */
  #since = new Map<string, number>();
  #heldAt = Number.NEGATIVE_INFINITY;
  #withoutKey: string[] = [];

  constructor(registry: Registry, leaseMs: number) {
    this.#registry = registry;
    this.#leaseMs = leaseMs;
  }

  /** The webhooks that this process leaves to others, because it does not have the key of their secrets. */
  get withoutKey(): readonly string[] {
    return this.#withoutKey;
  }

  /** How long no other process takes the leases. */
  get leftMs(): number {
    return this.#heldAt + this.#leaseMs - performance.now();
  }

  /** Renews the leases and takes those that are free or expired. Returns the ids of the webhooks. */
  async renew(): Promise<string[]> {
    // Before storing: other processes start to measure later.
    const beganAt = performance.now();
    const { usable = [], unusable = [] } = Object.groupBy(await listLeases(this.#registry), usability);
    this.#withoutKey = unusable.map(({ webhookId }) => webhookId);
    const held = usable.filter(({ holder }) => holder === this.holder).map(({ webhookId }) => webhookId);
    const take = this.#available(usable);
    const release = unusable.filter(({ holder }) => holder === this.holder);
    const renews = held.length > 0 && beganAt - this.#heldAt >= this.#leaseMs / 3;
    if (!renews && take.length === 0 && release.length === 0) return held;
    const all = await holdWebhooks(this.#registry, { holder: this.holder, take, release });
    this.#heldAt = beganAt;
    return all;
  }

  /** Releases the leases, so that other processes need not wait for them to expire. */
  release(): Promise<void> {
    return releaseWebhooks(this.#registry, this);
  }

  /** The leases that are free or belong to a dead process. */
  #available(leases: Lease[]): Lease[] {
    const now = performance.now();
    const since = new Map(leases.map(stateOf).map((lease) => [lease, this.#since.get(lease) ?? now]));
    this.#since = since;
    const isDead = (lease: Lease) => now - (since.get(stateOf(lease)) ?? now) >= this.#leaseMs;
    return leases.filter((lease) => lease.holder === null || (lease.holder !== this.holder && isDead(lease)));
  }
}

function usability({ canSign }: Lease): 'usable' | 'unusable' {
  return canSign ? 'usable' : 'unusable';
}

/** Changes whenever the lease is renewed or taken. */
function stateOf({ webhookId, beat }: Lease): string {
  return `${webhookId} ${beat}`;
}
