import { guarantee } from '../harness/fault-injection.ts';
import { markedContent, newMark } from '../harness/load.ts';
import type { Service } from '../harness/service.ts';
import type { Client } from './client.ts';

/** Decisions of an operator on a revision that was lost: a review, and a change of the settings. */
export class Decisions {
  readonly #client: Client;
  readonly #appId: string;
  #reviewed = '';
  #settings = '';

  constructor(client: Client, appId: string) {
    this.#client = client;
    this.#appId = appId;
  }

  /** The operator sees an app that awaits review, and the settings. Neither will be stored. */
  async see(service: Service): Promise<void> {
    this.#reviewed = await this.#submit(service);
    this.#settings = await this.#changeSettings(service);
  }

  /** Others reach the same revisions with other content. Returns the number of responses. */
  async assertRefused(service: Service): Promise<number> {
    const current = [await this.#submit(service), await this.#changeSettings(service)];
    const seen = [this.#reviewed, this.#settings];
    const numbers = [current, seen].map((tags) => tags.map((tag) => Number.parseInt(tag.slice(1), 10)));
    if (String(numbers[0]) !== String(numbers[1])) throw new Error(`no revision repeats: ${seen}, then ${current}`);

    const approval = (revision = '') =>
      ({ method: 'POST', path: `/operator/v1/apps/${this.#appId}/approve`, body: { revision } }) as const;
    const settings = (tag = '') => ({
      ...{ method: 'PATCH', path: '/operator/v1/settings', body: { uniqueNames: true } },
      headers: { 'if-match': tag },
    });
    await this.#assertStatus(service, approval(this.#reviewed), 409);
    await this.#assertStatus(service, settings(this.#settings), 412);
    await this.#assertStatus(service, approval(current[0]), 200);
    await this.#assertStatus(service, settings(current[1]), 200);
    return 4;
  }

  async #submit(service: Service): Promise<string> {
    await this.#client.update(service, this.#appId, markedContent(newMark()));
    return (await this.#operate(service, { method: 'POST', path: `/operator/v1/apps/${this.#appId}/submit` })).etag;
  }

  async #changeSettings(service: Service): Promise<string> {
    const change = { method: 'PATCH', path: '/operator/v1/settings', body: { uniqueNames: false } };
    return (await this.#operate(service, change)).etag;
  }

  async #operate(service: Service, request: Parameters<Client['operate']>[1]) {
    const response = await this.#client.operate(service, request);
    guarantee(response.status === 200, () => `${request.path} received ${response.status} ${response.text}`);
    return response;
  }

  async #assertStatus(service: Service, request: Parameters<Client['operate']>[1], status: number): Promise<void> {
    const response = await this.#client.operate(service, request);
    guarantee(
      response.status === status,
      () => `${JSON.stringify(request)} received ${response.status} ${response.text}`,
    );
  }
}
