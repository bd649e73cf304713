import type { AppUpdate, DeveloperApp } from '../types/app.ts';
import { ApiPromise, type WithResponse } from './api-promise.ts';
import { changedFields } from './changed-fields.ts';
import { PreconditionFailedError } from './errors.ts';
import { requestJson } from './json-request.ts';
import type { Connection, RequestOptions, UpdateAppOptions, UpdateByMerge } from './options.ts';
import { encodeId } from './path.ts';

/** Limits the attempts if the app changes again during each merge. */
const mergesMax = 5;

/**
 * Apps as their developer sees them, for tokens of kind `developer`.
 *
 * @example
 * const apps: DeveloperApps = client.developer.apps;
 * console.log((await apps.current(id)).installationCount);
 */
export class DeveloperApps {
  readonly #connection: Connection;

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
   * const base = await client.developer.apps.current(id).withResponse();
   * await client.developer.apps.update(id, { name: `${base.data.name} 2` }, { onConflict: 'merge', base });
   */
  update(id: string, update: AppUpdate, options: UpdateAppOptions = {}): ApiPromise<DeveloperApp> {
    return new ApiPromise(
      options.onConflict === 'merge' ? this.#merge(id, update, options) : this.#patch(id, update, options),
    );
  }

  /**
   * Reads the app with an empty update, which changes nothing and counts as a read. Use its `etag` as `ifMatch`, or all of it as the
   * `base` of a merge.
   *
   * @example
   * const { data, response } = await client.developer.apps.current(id).withResponse();
   * console.log(data.name, response.etag);
   */
  current(id: string, options: RequestOptions = {}): ApiPromise<DeveloperApp> {
    return new ApiPromise(this.#patch(id, {}, options));
  }

  async #merge(
    id: string,
    update: AppUpdate,
    { base, ...options }: UpdateByMerge,
  ): Promise<WithResponse<DeveloperApp>> {
    let ifMatch = base?.response.etag;
    if (!ifMatch) throw new TypeError('A merge needs a base with its etag.');
    for (let merges = 0; ; merges += 1) {
      try {
        return await this.#patch(id, update, { ...options, ifMatch });
      } catch (error) {
        if (!(error instanceof PreconditionFailedError) || merges === mergesMax) throw error;
        const now = await this.#patch(id, {}, options);
        const changed = changedFields(update, base.data, now.data);
        if (changed.length > 0) {
          error.message = `Another client has changed ${changed.join(', ')}. ${error.message}`;
          throw Object.assign(error, { changedFields: changed });
        }
        ifMatch = now.response.etag;
      }
    }
  }

  async #patch(
    id: string,
    body: AppUpdate,
    { ifMatch, ...options }: RequestOptions & { ifMatch?: string | undefined },
  ): Promise<WithResponse<DeveloperApp>> {
    return requestJson(this.#connection, 'PATCH', `/developer/apps/v1/${encodeId(id)}`, { body, ifMatch, options });
  }
}
