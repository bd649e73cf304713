import { storeApps } from './import-apps.ts';
import type { ImportBatch } from './import-batch.ts';
import { storeDeletedApps } from './import-deleted-apps.ts';
import { storeDevelopers } from './import-developers.ts';
import { storeInstallations } from './import-installations.ts';
import { storeLogos } from './import-logos.ts';
import type { ImportWork } from './import-work.ts';

/** Stores what it can of a batch, with its events, and tells the faults of its lines. */
export async function storeBatch(work: ImportWork, batch: ImportBatch): Promise<void> {
  const faults = [...batch.faults];
  for (const id of batch.brokenIds) work.faults.addBroken(id);
  if (batch.developer.length > 0) faults.push(...(await storeDevelopers(work, batch.developer)));
  if (batch.logo.length > 0) faults.push(...(await storeLogos(work, batch.logo)));
  if (batch.app.length > 0) faults.push(...(await storeApps(work, batch.app)));
  if (batch.deletedApp.length > 0) faults.push(...(await storeDeletedApps(work, batch.deletedApp)));
  if (batch.installation.length > 0) faults.push(...(await storeInstallations(work, batch.installation)));
  work.faults.add(faults);
}
