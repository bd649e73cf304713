import { getAppRequest, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import { send } from '@appregistrar/testkit/http/send';
import type { Credentials } from '../harness/credentials.ts';
import { guarantee } from '../harness/fault-injection.ts';

interface Parts {
  publicUrl: string;
  appId: string;
  credentials: Credentials;
}

/** A client that changes an app and reads it, again and again: each read must show the latest change. */
export class CurrentReads {
  /** The duration of each read in milliseconds. */
  readonly ms: number[] = [];
  readonly #parts: Parts;
  readonly #work: Promise<void>;
  #isStopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#work = this.#repeat();
    this.#work.catch(() => {});
  }

  /** Rejects with `BrokenGuarantee` if a read was not current. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#work;
  }

  async #repeat(): Promise<void> {
    const { publicUrl, appId, credentials } = this.#parts;
    for (let turn = 0; !this.#isStopped; turn += 1) {
      const update = { listingInfo: { shortDescription: `Change ${turn}` } };
      const changed = await send(publicUrl, updateAppRequest(credentials.developer, { id: appId, update }));
      guarantee(changed.status === 200, `an update received ${changed.status} ${changed.text}`);
      const { updatedAt } = JSON.parse(changed.text);
      const { status, text, ms } = await send(publicUrl, getAppRequest(credentials.platform, appId));
      guarantee(status === 200 && JSON.parse(text).updatedAt === updatedAt, `a read after ${updatedAt}: ${text}`);
      this.ms.push(ms);
    }
  }
}
