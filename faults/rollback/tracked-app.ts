import { getApp } from '../../packages/server/src/features/apps/get-app.ts';
import { newId } from '../../packages/server/src/kernel/ids.ts';
import type { Registry } from '../../packages/server/src/kernel/registry.ts';
import { guarantee } from '../harness/fault-injection.ts';
import { markedContent, newMark } from '../harness/load.ts';
import type { Service } from '../harness/service.ts';
import type { Client } from './client.ts';

/** The ETags of a state of an app. */
interface Tags {
  developer: string;
  platform: string;
}

/** An app, and what clients know of it. */
export class TrackedApp {
  readonly id: string;
  readonly #client: Client;
  readonly #startsWithUpdate: boolean;
  #retained: Tags = { developer: '', platform: '' };
  readonly #lost: Tags[] = [];

  constructor(id: string, { client, startsWithUpdate }: { client: Client; startsWithUpdate: boolean }) {
    this.id = id;
    this.#client = client;
    this.#startsWithUpdate = startsWithUpdate;
  }

  /** Learns the state that will not be lost. */
  async retain(service: Service): Promise<void> {
    this.#retained = await this.#tags(service);
  }

  /** Makes changes that will be lost, and learns the state after each. */
  async changeAndLearn(service: Service, count: number): Promise<void> {
    for (let at = 0; at < count; at += 1) {
      await this.change(service, at);
      this.#lost.push(await this.#tags(service));
    }
  }

  /** Updates and installations in turn: an installation changes the platform view alone. */
  async change(service: Service, at: number): Promise<void> {
    const { status, text } = await ((at % 2 === 0) === this.#startsWithUpdate
      ? this.#client.update(service, this.id, markedContent(newMark()))
      : this.#install(service));
    guarantee(status < 300, () => `a change received ${status} ${text}`);
  }

  /** Asserts that the retained state is confirmed, or else not. Returns the number of responses. */
  async assertRetained(service: Service, isConfirmed: boolean): Promise<number> {
    const read = await this.#client.read(service, this.id, { 'if-none-match': this.#retained.platform });
    const update = await this.#client.update(service, this.id, {}, this.#retained.developer);
    guarantee(read.status === (isConfirmed ? 304 : 200), `the retained ETag of Get App received ${read.status}`);
    guarantee(update.status === (isConfirmed ? 200 : 412), `the retained ETag of Update App received ${update.status}`);
    return 2;
  }

  /** Asserts that a service sends the stored app, and confirms no ETag of a lost state. Returns the number of responses. */
  async assertCurrent(service: Service, registry: Registry): Promise<number> {
    const stored = JSON.stringify((await getApp(registry, this.id)).app);
    const [read, { etag: current }] = [
      await this.#client.read(service, this.id),
      await this.#client.update(service, this.id, {}),
    ];
    guarantee(read.text === stored, () => `a read received a state that is not stored: ${read.text}, not ${stored}`);
    for (const { developer, platform } of this.#lost) {
      const known = await this.#client.read(service, this.id, { 'if-none-match': platform });
      guarantee(known.status === 200, `an If-None-Match of a lost state received ${known.status}`);
      guarantee(known.text === stored, () => `a conditional read received a state that is not stored: ${known.text}`);
      const update = await this.#client.update(service, this.id, {}, developer);
      // A lost installation did not change the content, which is retained.
      const isRetained = developer === this.#retained.developer && developer === current;
      const expected = isRetained ? 200 : 412;
      guarantee(update.status === expected, `an If-Match of a lost state received ${update.status}`);
    }
    return 1 + 2 * this.#lost.length;
  }

  async #install(service: Service) {
    const body = { appId: this.id, workspaceId: newId('workspace'), userId: this.#client.developerId };
    return this.#client.operate(service, { method: 'POST', path: '/operator/v1/installations', body });
  }

  async #tags(service: Service): Promise<Tags> {
    const [update, read] = [await this.#client.update(service, this.id, {}), await this.#client.read(service, this.id)];
    guarantee(update.status === 200 && read.status === 200, () => `${update.text} ${read.text}`);
    return { developer: update.etag, platform: read.etag };
  }
}
