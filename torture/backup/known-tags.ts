import type { Credentials } from '../frame/credentials.ts';
import { ask } from '../frame/http-request.ts';
import { markedContent, newMark } from '../frame/load.ts';
import type { Service } from '../frame/service.ts';
import { promise } from '../frame/torture.ts';

/** After the last backup. */
const changes = 2;

/** The `ETag` that each of them knows an app by. */
type Tags = Record<'developer' | 'platform', string>;

/** What clients know of an app that nobody else changes, when its registry is restored to a backup of before. */
export class KnownTags {
  readonly #appId: string;
  readonly #credentials: Credentials;
  readonly #known: Tags[] = [];

  constructor(appId: string, credentials: Credentials) {
    this.#appId = appId;
    this.#credentials = credentials;
  }

  /** Those of now, and of some changes more. */
  async learn(service: Service): Promise<void> {
    this.#known.push(await this.#change(service, {}));
    while (this.#known.length <= changes) this.#known.push(await this.#change(service));
  }

  /** Not even where the app comes again to the revision that a tag was of, with other content. */
  async assertNotConfirmed(service: Service): Promise<void> {
    for (let change = 0; change <= changes; change += 1) {
      for (const tags of this.#known) await this.#assertEachNotConfirmed(service, tags);
      await this.#change(service);
    }
  }

  async #change(service: Service, body: object = markedContent(newMark())): Promise<Tags> {
    const [changed, read] = [await this.#update(service, body), await this.#read(service)];
    promise(changed?.status === 200 && read?.status === 200, () => `${changed?.text} ${read?.text}`);
    return { developer: changed.headers.get('etag') ?? '', platform: read.headers.get('etag') ?? '' };
  }

  async #assertEachNotConfirmed(service: Service, { developer, platform }: Tags): Promise<void> {
    const [changed, read] = [
      await this.#update(service, {}, { 'if-match': developer }),
      await this.#read(service, { 'if-none-match': platform }),
    ];
    promise(changed?.status === 412, `an If-Match of before the restore was answered ${changed?.status}`);
    promise(read?.status === 200, `an If-None-Match of before the restore was answered ${read?.status}`);
  }

  #update({ publicUrl }: Service, body: object, headers: Record<string, string> = {}) {
    const token = this.#credentials.developer;
    return ask(`${publicUrl}/developer/apps/v1/${this.#appId}`, { method: 'PATCH', token, headers, body });
  }

  #read({ publicUrl }: Service, headers: Record<string, string> = {}) {
    return ask(`${publicUrl}/platform/apps/v1/${this.#appId}`, { token: this.#credentials.platform, headers });
  }
}
