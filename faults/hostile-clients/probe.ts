import { setTimeout as sleep } from 'node:timers/promises';
import { getAppRequest, requestBytes, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import { RawConnection } from '@appregistrar/testkit/http/raw-connection';
import { distributionOf } from '../harness/distribution.ts';

const pauseMs = 20;

export interface ProbeParts {
  port: number;
  appId: string;
  developer: string;
  platform: string;
}

/** A well-behaved client: reads and updates an app, alternately on a persistent connection and on new ones. */
export class Probe {
  readonly #parts: ProbeParts;
  #times: number[] = [];
  #failures: string[] = [];
  #turns = 0;
  #isOver = false;
  readonly #ended: Promise<void>;

  constructor(parts: ProbeParts) {
    this.#parts = parts;
    this.#ended = this.#run();
  }

  /** The response times and failures since the last call. */
  take(): { count: number; p99: number; max: number; failures: string[] } {
    const { p99, max } = distributionOf(this.#times);
    const taken = { count: this.#times.length, p99, max, failures: this.#failures };
    this.#times = [];
    this.#failures = [];
    return taken;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#ended;
  }

  async #run(): Promise<void> {
    const persistent = new RawConnection(this.#parts.port);
    while (!this.#isOver) {
      this.#turns += 1;
      const connection = this.#turns % 2 === 0 ? persistent : new RawConnection(this.#parts.port);
      await this.#send(connection);
      if (connection !== persistent) connection.close();
      await sleep(pauseMs);
    }
    persistent.close();
  }

  async #send(connection: RawConnection): Promise<void> {
    const startedAt = performance.now();
    try {
      const { status, text } = await connection.send(this.#request());
      if (status !== 200) this.#failures.push(`${status} ${text}`);
    } catch (error) {
      this.#failures.push(String(error));
    }
    this.#times.push(performance.now() - startedAt);
  }

  #request(): Buffer {
    const { port, appId, developer, platform } = this.#parts;
    const headers = { host: `127.0.0.1:${port}` };
    if (this.#turns % 4 < 3) return requestBytes(getAppRequest(platform, appId, headers));
    const update = { listingInfo: { shortDescription: `Turn ${this.#turns}` } };
    return requestBytes(updateAppRequest(developer, { id: appId, update, headers }));
  }
}
