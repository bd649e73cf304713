import type { PostgresHost } from '../connection-settings.ts';

/** Time for which a host that failed is tried last. */
const retryAfterMs = 10_000;

/**
 * The order in which to try hosts: as configured, but those that failed lately last. Otherwise every new connection would
 * wait for a host that is down before it tries the next.
 */
export class HostOrder {
  readonly #hosts: readonly PostgresHost[];
  readonly #failedAt = new Map<PostgresHost, number>();

  constructor(hosts: readonly PostgresHost[]) {
    this.#hosts = hosts;
  }

  next(): PostgresHost[] {
    return this.#hosts.toSorted((one, other) => Number(this.#failedLately(one)) - Number(this.#failedLately(other)));
  }

  failed(host: PostgresHost): void {
    this.#failedAt.set(host, performance.now());
  }

  connected(host: PostgresHost): void {
    this.#failedAt.delete(host);
  }

  #failedLately(host: PostgresHost): boolean {
    return performance.now() - (this.#failedAt.get(host) ?? Number.NEGATIVE_INFINITY) < retryAfterMs;
  }
}
