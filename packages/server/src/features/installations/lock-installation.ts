import { Failure } from '../../kernel/failure.ts';
import type { Registry } from '../../kernel/registry.ts';
import { isTypeId } from '../../kernel/type-id.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppRow, InstallationRow } from '../../storage/tables.ts';
import { findAppForUpdate } from '../apps/app-queries.ts';
import { findInstallation } from './installation-queries.ts';

/** Before a write: the app of an installation, which never changes. Refuses with `installation_not_found`. */
export async function requireInstallation(
  { storage }: Registry,
  id: string,
): Promise<Pick<InstallationRow, 'id' | 'app_id'>> {
  const found = isTypeId(id, 'installation') ? await findInstallation(storage.reader, { id }) : null;
  if (!found) throw installationNotFound(id);
  return found;
}

/**
 * An installation, locked until the write ends. Every change of an installation locks its app, which stores their
 * number; so this locks the app, and reads the installation after that.
 */
export async function lockInstallation(
  transaction: Connection,
  { id, app_id: appId }: Pick<InstallationRow, 'id' | 'app_id'>,
): Promise<{ app: AppRow; installation: InstallationRow }> {
  // In one round trip.
  const [app, installation] = await Promise.all([
    findAppForUpdate(transaction, { id: appId }),
    findInstallation(transaction, { id }),
  ]);
  if (app && installation) return { app, installation };
  throw installationNotFound(id);
}

export function installationNotFound(id: string): Failure {
  return new Failure('installation_not_found', `No installation has the id ${id}. Check the id.`);
}
