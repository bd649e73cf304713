import type { DeveloperApp } from '../types/app.ts';
import type { AppUpdate } from '../types/app-update.ts';
import { ApiPromise, type WithResponse } from './api-promise.ts';
import { changedFields } from './changed-fields.ts';
import { PreconditionFailedError } from './errors.ts';
import type { Connection, RequestOptions, UpdateAppOptions } from './options.ts';
import { parseObject, readText, send } from './request.ts';
import { describeResponse } from './response.ts';

/** How often an app may change under an update that is merged. */
const mergesMax = 5;
const viewsKeptMax = 100;

/**
 * Apps as their developer sees them, for tokens of kind `developer`.
 *
 * @example
 * const apps: DeveloperApps = client.developer.apps;
 * console.log((await apps.current(id)).installationCount);
 */
export class DeveloperApps {
  readonly #connection: Connection;
  /** The text of the views that were read last, by id and tag: what an update that is merged was decided on. */
  readonly #views = new Map<string, string>();

  /** Made by the client. */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Update App: changes the fields that are given, all of them or none, and answers the app after it. A repeat after a
   * lost answer is not done again and undoes nothing.
   *
   * Rejects with an {@link UnprocessableContentError} that has all faults, a {@link ConflictError}, with `ifMatch` a
   * {@link PreconditionFailedError}, a {@link NotFoundError} or another {@link AppRegistryError}; with an
   * {@link AppRegistryTimeoutError} or {@link AppRegistryConnectionError} when it is not known what became of it.
   *
   * @example
   * await client.developer.apps.update(id, { name: 'Invoice Sync', oauthInfo: { loginUrl: null } });
   *
   * const { data, response } = await client.developer.apps.current(id).withResponse();
   * const name = `${data.name} 2`;
   * await client.developer.apps.update(id, { name }, { ifMatch: response.etag, onConflict: 'merge' });
   */
  update(id: string, update: AppUpdate, options: UpdateAppOptions = {}): ApiPromise<DeveloperApp> {
    return new ApiPromise(
      options.onConflict === 'merge' ? this.#merge(id, update, options) : this.#patch(id, update, options),
    );
  }

  /**
   * Reads the app, by an update that gives no field: nothing changes, and it counts as a read. Its `etag` is for
   * `ifMatch`.
   *
   * @example
   * const { data, response } = await client.developer.apps.current(id).withResponse();
   * console.log(data.name, response.etag);
   */
  current(id: string, options: RequestOptions = {}): ApiPromise<DeveloperApp> {
    return new ApiPromise(this.#patch(id, {}, options));
  }

  async #merge(id: string, update: AppUpdate, options: UpdateAppOptions): Promise<WithResponse<DeveloperApp>> {
    let { ifMatch } = options;
    if (ifMatch === undefined)
      throw new TypeError('To merge an update give ifMatch too: the etag of what you have read.');
    const readBefore = this.#views.get(viewKey(id, ifMatch));
    for (let merges = 0; ; merges += 1) {
      try {
        return await this.#patch(id, update, { ...options, ifMatch });
      } catch (error) {
        if (!(error instanceof PreconditionFailedError) || merges === mergesMax) throw error;
        if (readBefore === undefined) throw notMerged(error, 'This client does not have the view that ifMatch names.');
        const now = await this.#patch(id, {}, { ...options, ifMatch: undefined });
        const changed = changedFields(update, JSON.parse(readBefore), now.data);
        if (changed.length > 0) throw notMerged(error, `Somebody has changed ${changed.join(', ')}.`, changed);
        ifMatch = now.response.etag;
      }
    }
  }

  async #patch(id: string, update: AppUpdate, options: UpdateAppOptions): Promise<WithResponse<DeveloperApp>> {
    const call = {
      method: 'PATCH',
      path: '/developer/apps/v1/',
      id,
      headers: { 'content-type': 'application/json', 'idempotency-key': newKey(), 'if-match': options.ifMatch },
      // JSON leaves out what is undefined.
      body: JSON.stringify(update),
      options,
    } as const;
    return send(this.#connection, call, async (received) => {
      const response = describeResponse(received);
      const text = await readText(this.#connection, received);
      const data = parseObject<DeveloperApp>(response, text);
      this.#remember(viewKey(id, response.etag), text);
      return { data, response };
    });
  }

  #remember(key: string, text: string): void {
    this.#views.delete(key);
    this.#views.set(key, text);
    const [oldest] = this.#views.keys();
    if (this.#views.size > viewsKeptMax && oldest !== undefined) this.#views.delete(oldest);
  }
}

function viewKey(id: string, etag: string | undefined): string {
  return `${id} ${etag}`;
}

/** Not `randomUUID`, which pages have over `https:` only. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}

function notMerged(
  { message, response, problem }: PreconditionFailedError,
  why: string,
  changed?: string[],
): PreconditionFailedError {
  return new PreconditionFailedError(`${why} ${message}`, response, problem, changed);
}
