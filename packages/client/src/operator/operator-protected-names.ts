import type { ApiPromise } from '../client/api-promise.ts';
import type { RequestOptions } from '../client/options.ts';
import type { List, Operations } from './operations.ts';
import type { ListQuery } from './queries.ts';
import type { NewProtectedName, ProtectedName } from './types.ts';

/**
 * Names and hosts that only some developers may use: others are warned about in review.
 *
 * @example
 * const { id } = await operator.protectedNames.create({ name: 'Acme' });
 * await operator.protectedNames.delete(id);
 */
export class OperatorProtectedNames {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  list(query?: ListQuery, options?: RequestOptions): List<ProtectedName> {
    return this.#operations.list(['protected-names'], query, options);
  }

  create(name: NewProtectedName, options?: RequestOptions): ApiPromise<ProtectedName> {
    return this.#operations.post(['protected-names'], { body: name }, options);
  }

  delete(id: string, options?: RequestOptions): ApiPromise<ProtectedName> {
    return this.#operations.send('DELETE', ['protected-names', id], {}, options);
  }
}
