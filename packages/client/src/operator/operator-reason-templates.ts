import type { ApiPromise } from '../client/api-promise.ts';
import type { RequestOptions } from '../client/options.ts';
import type { List, Operations } from './operations.ts';
import type { ListQuery } from './queries.ts';
import type { NewReasonTemplate, ReasonTemplate, ReasonTemplateUpdate } from './types.ts';

/**
 * Texts that reviewers begin the reason of a decision with.
 *
 * @example
 * const { id } = await operator.reasonTemplates.create({ title: 'Silent', message: 'The callback URL does not respond.' });
 * await operator.reasonTemplates.update(id, { code: 'broken_address' });
 */
export class OperatorReasonTemplates {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /** By title. */
  list(query?: ListQuery, options?: RequestOptions): List<ReasonTemplate> {
    return this.#operations.list(['reason-templates'], query, options);
  }

  create(template: NewReasonTemplate, options?: RequestOptions): ApiPromise<ReasonTemplate> {
    return this.#operations.post(['reason-templates'], { body: template }, options);
  }

  /** Changes the given fields; null removes the code. */
  update(id: string, update: ReasonTemplateUpdate, options?: RequestOptions): ApiPromise<ReasonTemplate> {
    return this.#operations.send('PATCH', ['reason-templates', id], { body: update }, options);
  }

  delete(id: string, options?: RequestOptions): ApiPromise<ReasonTemplate> {
    return this.#operations.send('DELETE', ['reason-templates', id], {}, options);
  }
}
