import type { AppUpdate, DeveloperApp } from '../types/app.ts';
import { ApiPromise, type WithResponse } from './api-promise.ts';
import { changedFields } from './changed-fields.ts';
import { PreconditionFailedError } from './errors.ts';
import { requestJson } from './json-request.ts';
import type { Connection, RequestOptions, UpdateAppOptions } from './options.ts';
import { encodeId } from './path.ts';

/** Limits the attempts if the app changes again during each merge. */
const mergesMax = 5;
const cachedViewsMax = 100;

/**
 * Apps as their developer sees them, for tokens of kind `developer`.
 *
 * @example
 * const apps: DeveloperApps = client.developer.apps;
 * console.log((await apps.current(id)).installationCount);
 */
export class DeveloperApps {
  readonly #connection: Connection;
  /** The JSON of the latest views by id and ETag, which a merge compares with. */
  readonly #views = new Map<string, string>();

  /** Created by the client. */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Update App: changes the given fields, all or none, and returns the updated app. A retry after a lost response is not
   * applied again and undoes nothing.
   *
   * Rejects with an {@link UnprocessableContentError} with all validation errors, a {@link ConflictError}, with `ifMatch`
   * a {@link PreconditionFailedError}, a {@link NotFoundError} or another {@link AppRegistryError}; with an
   * {@link AppRegistryTimeoutError} or {@link AppRegistryConnectionError} if the outcome is unknown.
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
   * Reads the app with an empty update, which changes nothing and counts as a read. Use its `etag` as `ifMatch`.
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
    if (ifMatch === undefined) throw new TypeError('A merge also needs ifMatch: the etag of the app as you read it.');
    const cachedView = this.#views.get(id + ifMatch);
    for (let merges = 0; ; merges += 1) {
      try {
        return await this.#patch(id, update, { ...options, ifMatch });
      } catch (error) {
        if (!(error instanceof PreconditionFailedError) || merges === mergesMax) throw error;
        if (!cachedView) throw mergeError(error, 'This client has not cached the view that ifMatch names.');
        const now = await this.#patch(id, {}, { ...options, ifMatch: undefined });
        const changed = changedFields(update, JSON.parse(cachedView), now.data);
        if (changed.length > 0) throw mergeError(error, `Another client has changed ${changed.join(', ')}.`, changed);
        ifMatch = now.response.etag;
      }
    }
  }

  async #patch(id: string, update: AppUpdate, options: UpdateAppOptions): Promise<WithResponse<DeveloperApp>> {
    const parts = { body: update, ifMatch: options.ifMatch, options };
    const path = `/developer/apps/v1/${encodeId(id)}`;
    const result = await requestJson<DeveloperApp>(this.#connection, 'PATCH', path, parts);
    // The text: the caller may modify the data.
    this.#cache(id + result.response.etag, JSON.stringify(result.data));
    return result;
  }

  #cache(key: string, text: string): void {
    this.#views.delete(key);
    this.#views.set(key, text);
    const [oldest = ''] = this.#views.keys();
    if (this.#views.size > cachedViewsMax) this.#views.delete(oldest);
  }
}

function mergeError(
  { message, response, problem }: PreconditionFailedError,
  reason: string,
  changed?: string[],
): PreconditionFailedError {
  return new PreconditionFailedError(`${reason} ${message}`, response, problem, changed);
}
