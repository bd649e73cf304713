import type { Registry } from '../../kernel/registry.ts';
import { isTypeId } from '../../kernel/type-id.ts';
import { operatorInstallationView } from './causes.ts';
import type { OperatorInstallation } from './installation.ts';
import { findInstallation } from './installation-queries.ts';
import { installationNotFound } from './lock-installation.ts';

/** One app in one workspace. Refuses with `installation_not_found`. */
export async function getInstallation(registry: Registry, id: string): Promise<OperatorInstallation> {
  const isId = isTypeId(id, 'installation');
  const installation = isId ? await findInstallation(registry.storage.reader, { id }) : null;
  if (!installation) throw installationNotFound(id);
  return operatorInstallationView(installation);
}
