import { storeApps } from './import-apps.ts';
import type { ImportBatch } from './import-batch.ts';
import { storeDeletedApps } from './import-deleted-apps.ts';
import { storeDevelopers } from './import-developers.ts';
import { storeInstallations } from './import-installations.ts';
import { storeLogos } from './import-logos.ts';
import type { ImportWork } from './import-work.ts';
import { rejectedLines } from './rejects/rejected-lines.ts';

/** Stores the valid records of a batch with their events, and collects the errors of the others. */
export async function storeBatch(work: ImportWork, batch: ImportBatch): Promise<void> {
  const errors = [...batch.errors];
  for (const id of batch.brokenIds) work.errors.addBroken(id);
  if (batch.developer.length > 0) errors.push(...(await storeDevelopers(work, batch.developer)));
  if (batch.logo.length > 0) errors.push(...(await storeLogos(work, batch.logo)));
  if (batch.app.length > 0) errors.push(...(await storeApps(work, batch.app)));
  if (batch.deletedApp.length > 0) errors.push(...(await storeDeletedApps(work, batch.deletedApp)));
  if (batch.installation.length > 0) errors.push(...(await storeInstallations(work, batch.installation)));
  const refused = work.errors.add(errors, batch.sources);
  if (work.rejects && refused.length > 0) await work.rejects.write(rejectedLines(refused));
}
