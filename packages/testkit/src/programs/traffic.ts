import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeveloperApp, PlatformApp } from '../../../server/src/contract/app.ts';
import { getAppRequest, type HttpRequest, updateAppRequest } from '../http/http-request.ts';
import type { HttpResponse } from '../http/http-response.ts';
import { send } from '../http/send.ts';
import type { Serving } from './registry-program.ts';

const roundsMin = 10;
/** Leaves processor time to the programs that start meanwhile. */
const pauseMs = 30;

/** The updates of one app by its developer, each read by the platform. Every response must be a success. */
export class Traffic {
  readonly appId: string;
  /** The number of updates, each with a new name. */
  updates = 0;
  readonly #tokens: { developer: string; platform: string };
  readonly #sharesTags: boolean;
  #developerTag = '*';
  #platformTag = '"none"';

  /** Steadily updates and reads all apps through the servers in turn, until the work is done. */
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
    // A failure surfaces here, not in the next test.
    await Promise.allSettled([done, ...flows]);
    await Promise.all(flows);
    return done;
  }

  /** `sharesTags`: whether each server accepts the ETags of the others as If-Match. */
  constructor(appId: string, { sharesTags, ...tokens }: { developer: string; platform: string; sharesTags: boolean }) {
    this.appId = appId;
    this.#tokens = tokens;
    this.#sharesTags = sharesTags;
  }

  /** The next server must show what one server stores. */
  async #round(servers: readonly Serving[], round: number): Promise<void> {
    const [writer, reader] = [round, round + 1].map((at) => servers[at % servers.length]) as [Serving, Serving];
    const name = `${this.appId} ${this.updates}`;
    if (!this.#sharesTags) this.#developerTag = (await this.#update(writer, {})).etag;
    const updated = await this.#update(writer, { name }, this.#developerTag);
    assert.equal(updated.status, 200, `updated through ${writer.name}: ${updated.text}`);
    this.updates += 1;
    this.#developerTag = updated.etag;
    // The app was created with revision 1.
    assert.match(updated.etag, new RegExp(`^"${1 + this.updates}\\.`), `counted by ${writer.name}`);

    // With the ETag of the previous name: a stale response would be a 304.
    const read = await readApp(reader, { id: this.appId, token: this.#tokens.platform, known: this.#platformTag });
    assert.equal(read.status, 200, `read through ${reader.name}: ${read.text}`);
    assert.equal(read.view.name, name, `stored through ${writer.name}, read through ${reader.name}`);
    this.#platformTag = read.etag;
  }

  /** The tag may come from another server. */
  #update(server: Serving, update: object, tag = '*'): Promise<HttpResponse<DeveloperApp>> {
    const headers = { 'if-match': tag };
    return sendTo(server, updateAppRequest(this.#tokens.developer, { id: this.appId, update, headers }));
  }
}

/** Get App by the platform. */
export function readApp(
  server: Serving,
  { id, token, known }: { id: string; token: string; known?: string },
): Promise<HttpResponse<PlatformApp>> {
  return sendTo(server, getAppRequest(token, id, known === undefined ? {} : { 'if-none-match': known }));
}

async function sendTo<View>({ name, port }: Serving, request: HttpRequest): Promise<HttpResponse<View>> {
  try {
    return await send<View>(`http://127.0.0.1:${port}`, request);
  } catch (error) {
    throw new Error(`no response from ${name} to ${request.method} ${request.path}`, { cause: error });
  }
}
