import { Failure } from '../../kernel/failure.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { NotUnique } from '../../storage/failure.ts';
import { purgeDeletedAppsIn } from '../apps/deleted-apps.ts';
import { catchUp } from '../search/projections.ts';
import { importBatches } from './import-batch.ts';
import type { ImportInput } from './import-input.ts';
import { countInstallations } from './import-installations.ts';
import { storeBatch } from './import-objects.ts';
import { importInSteps } from './import-steps.ts';
import type { ImportSummary } from './import-summary.ts';
import { beginWork } from './import-work.ts';
import { ImportedObjects } from './imported-objects.ts';
import { readAhead } from './source/read-ahead.ts';
import { recordsOf, StreamError } from './source/records-of.ts';

/**
 * Imports JSON Lines (one `ImportRecord` a line, blank lines aside) or CSV: developers, logos, apps and installations
 * with their history, each with its event. Existing objects are updated from their records: importing a file twice
 * changes nothing more. A record may refer to stored objects and to those of earlier records. All or nothing unless the
 * input has `rejects` or `recordsPerStep`, in constant memory. Refuses with `invalid_content` and an `ImportErrorGroup` for
 * each kind of error in the file. Throws an error of the stream unchanged.
 */
export async function importRegistry(registry: Registry, caller: Caller, input: ImportInput): Promise<ImportSummary> {
  const importing = { registry, caller: { ...caller, deliversEvents: input.deliverEvents ?? false }, input };
  // Searches that still have to catch up would wait for its transaction.
  await catchUp(registry);
  try {
    if (input.recordsPerStep !== undefined && !input.dryRun) return await importInSteps(importing);
    const summary = await importAtOnce(importing);
    await catchUp(registry);
    return summary;
  } catch (error) {
    if (error instanceof DryRunEnd) return error.summary;
    if (error instanceof NotUnique) throw lostName();
    throw error instanceof StreamError ? error.cause : error;
  }
}

/** Names are looked up before they are stored: a conflict means that the name was taken in between. */
function lostName(): Failure {
  return new Failure(
    'name_taken',
    'Another client took the name of an app in the file during the import. The transaction was rolled back. Import the file again.',
  );
}

/** Rolls a dry run back. */
class DryRunEnd extends Error {
  readonly summary: ImportSummary;

  constructor(summary: ImportSummary) {
    super('the end of a dry run');
    this.summary = summary;
  }
}

async function importAtOnce(importing: { registry: Registry; caller: Caller; input: ImportInput }) {
  const { registry, caller, input } = importing;
  return registry.storage.write(async (transaction) => {
    // A transaction that is retried begins again.
    await input.rejects?.begin();
    const objects = new ImportedObjects();
    const work = await beginWork(transaction, { ...importing, objects, rejects: input.rejects });
    // A line may import again an app whose deletion has become final since.
    await purgeDeletedAppsIn(transaction, registry, caller);
    const batches = importBatches(registry, recordsOf(registry, input), objects);
    for await (const batch of readAhead(batches)) await storeBatch(work, batch);
    await countInstallations(work);
    work.errors.throwUnlessStored(work.storesRest);
    const summary = { ...work.summary, ...work.errors.refused(work.storesRest) };
    if (input.dryRun) throw new DryRunEnd(summary);
    return summary;
  });
}
