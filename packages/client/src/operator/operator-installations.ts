import type { ApiPromise } from '../client/api-promise.ts';
import type { RequestOptions } from '../client/options.ts';
import type { List, Operations } from './operations.ts';
import type { DryRunOptions, Total, TotalQuery } from './queries.ts';
import type {
  DeletedInstallationsOrDryRun,
  Installation,
  NewInstallation,
  OperatorInstallation,
  OperatorInstallationOrDryRun,
} from './types.ts';

/**
 * Filters for installations.
 *
 * @example
 * const query: InstallationQuery = { workspaceId: 'workspace_1' };
 * for await (const { appId } of operator.installations.list(query)) console.log(appId);
 */
export interface InstallationQuery extends TotalQuery {
  appId?: string | undefined;
  workspaceId?: string | undefined;
  userId?: string | undefined;
  /** Only enabled ones, or only disabled ones. */
  enabled?: boolean | undefined;
  /** IDs separated by commas, at most 100. Cannot be combined with filters. */
  ids?: string | undefined;
}

/**
 * Installations of apps in workspaces.
 *
 * @example
 * const installation = await operator.installations.create({ appId: app.id, workspaceId: 'workspace_1', userId: 'user_7' });
 * await operator.installations.disable(installation.id);
 */
export class OperatorInstallations {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /** All installations, or those that meet every filter. */
  list(query?: InstallationQuery, options?: RequestOptions): List<OperatorInstallation, Total> {
    return this.#operations.list(['installations'], query, options);
  }

  create(installation: NewInstallation, options?: RequestOptions): ApiPromise<Installation> {
    return this.#operations.post(['installations'], { body: installation }, options);
  }

  get(id: string, options?: RequestOptions): ApiPromise<OperatorInstallation> {
    return this.#operations.get(['installations', id], options);
  }

  enable(id: string, options?: RequestOptions): ApiPromise<OperatorInstallation> {
    return this.#operations.post(['installations', id, 'enable'], {}, options);
  }

  disable(id: string, options?: RequestOptions): ApiPromise<OperatorInstallation> {
    return this.#operations.post(['installations', id, 'disable'], {}, options);
  }

  delete(id: string, { dryRun, ...options }: DryRunOptions = {}): ApiPromise<OperatorInstallationOrDryRun> {
    return this.#operations.send('DELETE', ['installations', id], { query: { dryRun } }, options);
  }

  /** Deletes all installations of a workspace that leaves. */
  deleteOfWorkspace(
    workspaceId: string,
    { dryRun, ...options }: DryRunOptions = {},
  ): ApiPromise<DeletedInstallationsOrDryRun> {
    return this.#operations.send(
      'DELETE',
      ['workspaces', workspaceId, 'installations'],
      { query: { dryRun } },
      options,
    );
  }
}
