import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeveloperApp, PlatformApp } from '../../../server/src/contract/app.ts';
import { bearer } from '../http/http-fixture.ts';
import { Answer } from '../http/response.ts';
import type { Serving } from './registry-program.ts';

const roundsMin = 10;
/** The machine has other work: the programs that start meanwhile. */
const pauseMs = 10;

/** The updates of one app by its developer, each read by the platform. Every answer must be a success. */
export class Traffic {
  readonly appId: string;
  /** How many there were, each with a name that the app never had. */
  updates = 0;
  readonly #tokens: { developer: string; platform: string };
  #developerTag = '*';
  #platformTag = '"none"';

  /** Updates and reads all apps at once, steadily until the work is done, through the servers in turn. */
  static async during<Result>(
    traffic: Traffic[],
    servers: readonly Serving[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    let isDone = false;
    const done = work().finally(() => {
      isDone = true;
    });
    const flow = async (app: Traffic) => {
      for (let round = 0; !isDone || round < roundsMin; round += 1) {
        await app.#round(servers, round);
        await sleep(pauseMs);
      }
    };
    const flows = traffic.map(flow);
    // A fault ends here, and not in what comes next.
    await Promise.allSettled([done, ...flows]);
    await Promise.all(flows);
    return done;
  }

  constructor(appId: string, tokens: { developer: string; platform: string }) {
    this.appId = appId;
    this.#tokens = tokens;
  }

  /** What one server stores shows in the next one. */
  async #round(servers: readonly Serving[], round: number): Promise<void> {
    const [writer, reader] = [round, round + 1].map((at) => servers[at % servers.length]) as [Serving, Serving];
    const name = `${this.appId} ${this.updates}`;
    const updated = await this.#update(writer, name);
    assert.equal(updated.status, 200, `updated through ${writer.name}: ${updated.text}`);
    this.updates += 1;
    this.#developerTag = updated.etag;
    // The first revision is that of the creation.
    assert.match(updated.etag, new RegExp(`^"${1 + this.updates}\\.`), `counted by ${writer.name}`);

    // With the tag of the name before: a stale answer would be a 304.
    const read = await readApp(reader, { id: this.appId, token: this.#tokens.platform, known: this.#platformTag });
    assert.equal(read.status, 200, `read through ${reader.name}: ${read.text}`);
    assert.equal(read.view.name, name, `stored through ${writer.name}, read through ${reader.name}`);
    this.#platformTag = read.etag;
  }

  #update(server: Serving, name: string): Promise<Answer<DeveloperApp>> {
    const headers = {
      ...bearer(this.#tokens.developer),
      'content-type': 'application/json',
      // Another server may have told it.
      'if-match': this.#developerTag,
    };
    const init = { method: 'PATCH', headers, body: JSON.stringify({ name }) };
    return send(server, `/developer/apps/v1/${this.appId}`, init);
  }
}

/** What the platform is answered. */
export function readApp(
  server: Serving,
  { id, token, known }: { id: string; token: string; known?: string },
): Promise<Answer<PlatformApp>> {
  const headers = { ...bearer(token), ...(known !== undefined && { 'if-none-match': known }) };
  return send(server, `/platform/apps/v1/${id}`, { headers });
}

async function send<View>({ name, port }: Serving, path: string, init: RequestInit): Promise<Answer<View>> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    return new Answer(response.status, Object.fromEntries(response.headers), await response.text());
  } catch (error) {
    throw new Error(`no answer from ${name} to ${init.method ?? 'GET'} ${path}`, { cause: error });
  }
}
