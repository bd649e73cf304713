import type { ApiPromise } from '../client/api-promise.ts';
import type { RequestOptions } from '../client/options.ts';
import type { Operations } from './operations.ts';
import type { IfMatchOptions } from './queries.ts';
import type { Settings, SettingsUpdate } from './types.ts';

/**
 * The settings that all processes of the registry share.
 *
 * @example
 * const { etag } = (await operator.settings.get().withResponse()).response;
 * await operator.settings.update({ uniqueNames: true }, { ifMatch: etag });
 */
export class OperatorSettings {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  get(options?: RequestOptions): ApiPromise<Settings> {
    return this.#operations.get(['settings'], options);
  }

  update(update: SettingsUpdate, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<Settings> {
    return this.#operations.send('PATCH', ['settings'], { body: update, ifMatch }, options);
  }
}
