import { getAppRequest, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import { trySend } from '@appregistrar/testkit/http/send';
import type { Credentials } from '../harness/credentials.ts';
import { guarantee } from '../harness/fault-injection.ts';
import { markedContent, newMark } from '../harness/load.ts';
import type { Service } from '../harness/service.ts';

/** The number of changes after the last backup. */
const changes = 2;

/** The `ETag` of an app for each client. */
type Tags = Record<'developer' | 'platform', string>;

/** The ETags that clients know of an app before its registry is restored from an earlier backup. */
export class KnownTags {
  readonly #appId: string;
  readonly #credentials: Credentials;
  readonly #known: Tags[] = [];

  constructor(appId: string, credentials: Credentials) {
    this.#appId = appId;
    this.#credentials = credentials;
  }

  /** Records the current ETags, and those after some more changes. */
  async learn(service: Service): Promise<void> {
    this.#known.push(await this.#change(service, {}));
    while (this.#known.length <= changes) this.#known.push(await this.#change(service));
  }

  /** Asserts that no ETag is confirmed, even when the app reaches the same revision again with other content. */
  async assertNotConfirmed(service: Service): Promise<void> {
    for (let change = 0; change <= changes; change += 1) {
      for (const tags of this.#known) await this.#assertEachNotConfirmed(service, tags);
      await this.#change(service);
    }
  }

  async #change(service: Service, body: object = markedContent(newMark())): Promise<Tags> {
    const [changed, read] = [await this.#update(service, body), await this.#read(service)];
    guarantee(changed?.status === 200 && read?.status === 200, () => `${changed?.text} ${read?.text}`);
    return { developer: changed.etag, platform: read.etag };
  }

  async #assertEachNotConfirmed(service: Service, { developer, platform }: Tags): Promise<void> {
    const [changed, read] = [
      await this.#update(service, {}, { 'if-match': developer }),
      await this.#read(service, { 'if-none-match': platform }),
    ];
    guarantee(changed?.status === 412, `an If-Match from before the restore received ${changed?.status}`);
    guarantee(read?.status === 200, `an If-None-Match from before the restore received ${read?.status}`);
  }

  #update({ publicUrl }: Service, update: object, headers: Record<string, string> = {}) {
    return trySend(publicUrl, updateAppRequest(this.#credentials.developer, { id: this.#appId, update, headers }));
  }

  #read({ publicUrl }: Service, headers: Record<string, string> = {}) {
    return trySend(publicUrl, getAppRequest(this.#credentials.platform, this.#appId, headers));
  }
}
