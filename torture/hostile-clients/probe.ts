import { setTimeout as sleep } from 'node:timers/promises';
import { spread } from '../frame/spread.ts';
import { RawConnection } from '../raw-http/raw-connection.ts';
import { rawRequest } from '../raw-http/raw-request.ts';

const pauseMs = 20;

export interface ProbeParts {
  port: number;
  appId: string;
  developer: string;
  platform: string;
}

/** A client with manners: it reads an app and updates it, by turns on a connection that it keeps and on new ones. */
export class Probe {
  readonly #parts: ProbeParts;
  #times: number[] = [];
  #faults: string[] = [];
  #turns = 0;
  #isOver = false;
  readonly #done: Promise<void>;

  constructor(parts: ProbeParts) {
    this.#parts = parts;
    this.#done = this.#run();
  }

  /** What it met since it was asked last. */
  take(): { count: number; p99: number; max: number; faults: string[] } {
    const { p99, max } = spread(this.#times);
    const taken = { count: this.#times.length, p99, max, faults: this.#faults };
    this.#times = [];
    this.#faults = [];
    return taken;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#done;
  }

  async #run(): Promise<void> {
    const kept = new RawConnection(this.#parts.port);
    while (!this.#isOver) {
      this.#turns += 1;
      const connection = this.#turns % 2 === 0 ? kept : new RawConnection(this.#parts.port);
      await this.#ask(connection);
      if (connection !== kept) connection.close();
      await sleep(pauseMs);
    }
    kept.close();
  }

  async #ask(connection: RawConnection): Promise<void> {
    const began = performance.now();
    try {
      const { status, body } = await connection.ask(this.#request());
      if (status !== 200) this.#faults.push(`${status} ${body}`);
    } catch (error) {
      this.#faults.push(String(error));
    }
    this.#times.push(performance.now() - began);
  }

  #request(): Buffer {
    const { port, appId, developer, platform } = this.#parts;
    const host = `127.0.0.1:${port}`;
    if (this.#turns % 4 < 3) {
      const headers = { host, authorization: `Bearer ${platform}` };
      return rawRequest({ method: 'GET', path: `/platform/apps/v1/${appId}`, headers });
    }
    const headers = { host, authorization: `Bearer ${developer}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ listingInfo: { shortDescription: `Turn ${this.#turns}` } });
    return rawRequest({ method: 'PATCH', path: `/developer/apps/v1/${appId}`, headers, body });
  }
}
