import type { Installation } from '../../contract/installation.ts';
import { findInstallation } from '../../storage/queries/installations.ts';
import { installationView } from '../apps/app-view.ts';
import type { Registry } from '../registry.ts';
import { isTypeId } from '../type-id.ts';
import { installationNotFound } from './lock-installation.ts';

/** One app in one workspace. Refuses with `installation_not_found`. */
export async function showInstallation(registry: Registry, id: string): Promise<Installation> {
  const installation = isTypeId(id, 'installation') ? await findInstallation(registry.storage.reader, { id }) : null;
  if (!installation) throw installationNotFound(id);
  return installationView(installation);
}
