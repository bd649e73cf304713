import { findAppForUpdate } from '../../storage/queries/apps.ts';
import { findInstallation } from '../../storage/queries/installations.ts';
import { findMarkedInstallation } from '../../storage/queries/revoked-installations.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppRow } from '../../storage/tables.ts';
import { Failure } from '../failure.ts';
import { isTypeId } from '../type-id.ts';
import type { MarkedInstallationRow } from './causes.ts';

/**
 * An installation, locked until the write ends. Every change of an installation locks its app, which stores their
 * number; so this locks the app first and reads the installation again.
 */
export async function lockInstallation(
  transaction: Connection,
  id: string,
): Promise<{ app: AppRow; installation: MarkedInstallationRow }> {
  const found = isTypeId(id, 'installation') ? await findInstallation(transaction, { id }) : null;
  const app = found && (await findAppForUpdate(transaction, { id: found.app_id }));
  const installation = app && (await findMarkedInstallation(transaction, { id }));
  if (app && installation) return { app, installation };
  throw installationNotFound(id);
}

export function installationNotFound(id: string): Failure {
  return new Failure('installation_not_found', `No installation has the id ${id}. Check the id.`);
}
