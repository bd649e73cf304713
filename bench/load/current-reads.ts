import { getAppRequest, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import type { LoadResponse } from './http-connection.ts';
import { bytesOf, type LoadRequest, require200 } from './load.ts';

interface CheckedApp {
  id: string;
  read: Buffer;
  /** The numbers in the last sent and in the last acknowledged name. */
  sent: number;
  acknowledged: number;
}

const updateEvery = 10;
const numberedName = /"name":"[^"]* (\d+)"/;

/**
 * Nine reads and then an update, each of a random app. Every update gives an app a name with a higher number, so that a
 * name shows how current a read is: it must include every update acknowledged before the read was sent.
 */
export class CurrentReads {
  reads = 0;
  updates = 0;
  /** Reads of apps that had an update before. */
  readsAfterUpdate = 0;
  readonly stale: string[] = [];
  readonly #apps: CheckedApp[];
  readonly #tokens: { developer: string; platform: string };
  #requests = 0;
  #updatesDue = 0;

  constructor(appIds: string[], tokens: { developer: string; platform: string }) {
    this.#tokens = tokens;
    this.#apps = appIds.map((id) => ({
      id,
      read: bytesOf(getAppRequest(tokens.platform, id)),
      sent: 0,
      acknowledged: 0,
    }));
  }

  readonly next = (): LoadRequest => {
    this.#requests += 1;
    if (this.#requests % updateEvery === 0) this.#updatesDue += 1;
    const app = this.#apps[Math.floor(Math.random() * this.#apps.length)] as CheckedApp;
    // Of two concurrent updates of an app, it is unknown which one must be shown.
    if (this.#updatesDue === 0 || app.sent > app.acknowledged) return this.#read(app);
    this.#updatesDue -= 1;
    return this.#update(app);
  };

  #read(app: CheckedApp): LoadRequest {
    const least = app.acknowledged;
    return {
      bytes: app.read,
      onResponse: (response) => {
        require200(response);
        this.reads += 1;
        if (least > 0) this.#check(app, response, least);
      },
    };
  }

  #check(app: CheckedApp, { body }: LoadResponse, least: number): void {
    this.readsAfterUpdate += 1;
    const shown = Number(numberedName.exec(body.subarray(0, 400).toString())?.[1] ?? 0);
    if (shown < least) this.stale.push(`${app.id} showed ${shown} after ${least} was acknowledged`);
  }

  #update(app: CheckedApp): LoadRequest {
    const number = ++app.sent;
    const update = { name: `measured ${app.id} ${number}` };
    return {
      bytes: bytesOf(updateAppRequest(this.#tokens.developer, { id: app.id, update })),
      onResponse: (response) => {
        require200(response);
        this.updates += 1;
        app.acknowledged = number;
      },
    };
  }
}
