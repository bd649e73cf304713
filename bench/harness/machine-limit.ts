import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from './case.ts';
import { type Contestant, startReplay } from './contestants.ts';
import { warmUp } from './warm-up.ts';
import { writeRequests, wrkFor } from './wrk.ts';

const request = { method: 'GET', path: '/' };
const body = JSON.stringify('x'.repeat(2_000));
const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
const seconds = 1;

/** Bare `node:http`, measured in the rounds of several cases, so that runs compare although the machine was busier in one. */
export class MachineLimit {
  #server: Promise<{ contestant: Contestant; requests: string }> | undefined;

  /** Requests per second. */
  async measure(bench: Bench): Promise<number> {
    this.#server ??= this.#start(bench);
    const { contestant, requests } = await this.#server;
    return wrkFor(bench, { port: contestant.port, requests }, seconds);
  }

  async close(): Promise<void> {
    await (await this.#server)?.contestant.stop();
  }

  async #start(bench: Bench): Promise<{ contestant: Contestant; requests: string }> {
    const file = join(bench.folder, 'response-of-the-limit.json');
    await writeFile(file, JSON.stringify({ status: 200, headers, body, echoes: false }));
    const contestant = await startReplay(bench, file);
    await warmUp(bench, contestant.port, [request]);
    return { contestant, requests: await writeRequests(bench.folder, [request]) };
  }
}
