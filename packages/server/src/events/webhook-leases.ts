import { randomUUID } from 'node:crypto';
import type { Registry } from '../registry/registry.ts';
import { holdWebhooks, type Lease, listLeases, releaseWebhooks } from '../registry/webhooks/webhook-lease.ts';

/**
 * The webhooks that this process works for. It counts on in their rows to keep them; a process that has not
 * counted for as long as a lease is taken for dead by those that watch it. Each of them measures that by itself,
 * so no clock need agree with another one, and one that is set changes nothing.
 */
export class WebhookLeases {
  readonly holder = randomUUID();
  readonly #registry: Registry;
  readonly #leaseMs: number;
  /** Since when leases have been as they are, as far as this process has seen. */
  #since = new Map<string, number>();
  #heldAt = Number.NEGATIVE_INFINITY;

  constructor(registry: Registry, leaseMs: number) {
    this.#registry = registry;
    this.#leaseMs = leaseMs;
  }

  /** For how long nobody else takes them. */
  get leftMs(): number {
    return this.#heldAt + this.#leaseMs - performance.now();
  }

  /** Keeps them, and takes those that nobody works for. Answers their ids. */
  async hold(): Promise<string[]> {
    // Others begin to measure once it is stored, hence later.
    const beganAt = performance.now();
    const leases = await listLeases(this.#registry);
    const held = leases.filter(({ holder }) => holder === this.holder).map(({ webhookId }) => webhookId);
    const take = this.#over(leases);
    const renews = held.length > 0 && beganAt - this.#heldAt >= this.#leaseMs / 3;
    if (!renews && take.length === 0) return held;
    const all = await holdWebhooks(this.#registry, { holder: this.holder, take });
    this.#heldAt = beganAt;
    return all;
  }

  /** Gives them to other processes, which else wait until the lease is over. */
  release(): Promise<void> {
    return releaseWebhooks(this.#registry, this);
  }

  /** Those that nobody works for, or a process that has died. */
  #over(leases: Lease[]): Lease[] {
    const now = performance.now();
    const since = new Map(leases.map(asSeen).map((lease) => [lease, this.#since.get(lease) ?? now]));
    this.#since = since;
    const isDead = (lease: Lease) => now - (since.get(asSeen(lease)) ?? now) >= this.#leaseMs;
    return leases.filter((lease) => lease.holder === null || (lease.holder !== this.holder && isDead(lease)));
  }
}

/** Another text once the lease was renewed or taken. */
function asSeen({ webhookId, beat }: Lease): string {
  return `${webhookId} ${beat}`;
}
