import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const heldMs = 1_500;
const restMs = 1_000;

/** Reads apps in long transactions with pauses between them, as a list that a slow client reads. */
export class LongReader {
  readonly #client: pg.Client;
  readonly #reading: Promise<void>;
  #isStopped = false;

  static async start(url: string): Promise<LongReader> {
    const client = new pg.Client({ connectionString: url, application_name: 'long-reader' });
    await client.connect();
    return new LongReader(client);
  }

  private constructor(client: pg.Client) {
    this.#client = client;
    this.#reading = this.#read();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#reading;
    await this.#client.end();
  }

  async #read(): Promise<void> {
    while (!this.#isStopped) {
      await this.#client.query('begin');
      await this.#client.query('select id from apps limit 1');
      await sleep(heldMs);
      await this.#client.query('commit');
      await sleep(restMs);
    }
  }
}
