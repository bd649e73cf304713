import type { OperatorApp, OperatorInstallation } from '../operator/types.ts';

/**
 * An app of a copy, without `installationCount`: the copy has the installations themselves.
 *
 * @example
 * const isLive = ({ reviewStatus, effective }: CopiedApp) => reviewStatus === 'APPROVED' && effective !== null;
 * console.log(copy.apps().filter(isLive).length);
 */
export type CopiedApp = Readonly<Omit<OperatorApp, 'installationCount'>>;

/**
 * An installation of a copy. Objects never change; a change replaces them.
 *
 * @example
 * const isSuspended = ({ disabledBy = [] }: CopiedInstallation) => disabledBy.includes('suspension');
 * console.log(copy.installations({ appId }).filter(isSuspended).length);
 */
export type CopiedInstallation = Readonly<OperatorInstallation>;

/**
 * A change in a copy. Without `before` the object is new, without `after` it was deleted.
 *
 * @example
 * const describe = ({ type, id, after }: Change) => `${type} ${id} ${after ? 'changed' : 'is gone'}`;
 * const watched = await sync(operator, { onChange: (change) => console.log(describe(change)) });
 */
export type Change = ChangeOf<'app', CopiedApp> | ChangeOf<'installation', CopiedInstallation>;

interface ChangeOf<Type, Item> {
  /** What was changed. */
  type: Type;
  /** The id of the app or of the installation. */
  id: string;
  /** Absent if the object is new. */
  before?: Item | undefined;
  /** Absent if the object was deleted. */
  after?: Item | undefined;
}
