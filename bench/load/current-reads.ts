import type { Answered } from './http-connection.ts';
import { bytesOf } from './http-request.ts';
import { type Question, require200 } from './load.ts';

interface CheckedApp {
  id: string;
  read: Buffer;
  /** The number in the name that was sent last, and in the one that was acknowledged last. */
  sent: number;
  acknowledged: number;
}

const updateEvery = 10;
const counted = /"name":"[^"]* (\d+)"/;

/**
 * Nine reads and then an update, each of an app by chance. Every update gives an app a name with a higher number, so a
 * read tells by its name how current it is: it must show what was acknowledged before the read was asked for.
 */
export class CurrentReads {
  reads = 0;
  updates = 0;
  /** Reads of an app that had been updated before. */
  telling = 0;
  readonly stale: string[] = [];
  readonly #apps: CheckedApp[];
  readonly #tokens: { developer: string; platform: string };
  #asked = 0;
  #updatesDue = 0;

  constructor(appIds: string[], tokens: { developer: string; platform: string }) {
    this.#tokens = tokens;
    this.#apps = appIds.map((id) => ({
      id,
      read: bytesOf({ method: 'GET', path: `/platform/apps/v1/${id}`, token: tokens.platform }),
      sent: 0,
      acknowledged: 0,
    }));
  }

  readonly next = (): Question => {
    this.#asked += 1;
    if (this.#asked % updateEvery === 0) this.#updatesDue += 1;
    const app = this.#apps[Math.floor(Math.random() * this.#apps.length)] as CheckedApp;
    // Of two updates of an app at once nobody could say which one must be shown.
    if (this.#updatesDue === 0 || app.sent > app.acknowledged) return this.#read(app);
    this.#updatesDue -= 1;
    return this.#update(app);
  };

  #read(app: CheckedApp): Question {
    const least = app.acknowledged;
    return {
      bytes: app.read,
      onAnswer: (answer) => {
        require200(answer);
        this.reads += 1;
        if (least > 0) this.#judge(app, answer, least);
      },
    };
  }

  #judge(app: CheckedApp, { body }: Answered, least: number): void {
    this.telling += 1;
    const shown = Number(counted.exec(body.subarray(0, 400).toString())?.[1] ?? 0);
    if (shown < least) this.stale.push(`${app.id} showed ${shown} after ${least} was acknowledged`);
  }

  #update(app: CheckedApp): Question {
    const number = ++app.sent;
    const body = JSON.stringify({ name: `measured ${app.id} ${number}` });
    const path = `/developer/apps/v1/${app.id}`;
    return {
      bytes: bytesOf({ method: 'PATCH', path, token: this.#tokens.developer, body }),
      onAnswer: (answer) => {
        require200(answer);
        this.updates += 1;
        app.acknowledged = number;
      },
    };
  }
}
