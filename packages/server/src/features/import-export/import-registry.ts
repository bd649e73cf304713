import { Failure } from '../../kernel/failure.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { NotUnique } from '../../storage/storage-failure.ts';
import { catchUp } from '../apps/comparison/projections.ts';
import { purgeDeletedAppsIn } from '../apps/deleted-apps.ts';
import { storeApps } from './import-apps.ts';
import { type ImportBatch, importBatches, rowsOfType } from './import-batch.ts';
import { storeDeletedApps } from './import-deleted-apps.ts';
import { storeDevelopers } from './import-developers.ts';
import { ImportErrors, rejectedLines } from './import-errors.ts';
import { addSummary, emptySummary, type ImportInput, type ImportSummary, type Rejects } from './import-input.ts';
import { countInstallations, storeInstallations } from './import-installations.ts';
import { storeLogos } from './import-logos.ts';
import { beginWork, type ImportWork } from './import-work.ts';
import { ImportedObjects } from './imported-objects.ts';
import { bufferNextBatch, readRecords, StreamError } from './read-records.ts';

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
    const batches = importBatches(registry, readRecords(registry, input), objects);
    for await (const batch of bufferNextBatch(batches)) await storeBatch(work, batch);
    await countInstallations(work);
    work.errors.throwUnlessStored(work.storesRest);
    const summary = { ...work.summary, ...work.errors.refused(work.storesRest) };
    if (input.dryRun) throw new DryRunEnd(summary);
    return summary;
  });
}

/** A step is in memory, because its transaction may be retried. */
const stepBytesMax = 4_000_000;

interface Importing {
  registry: Registry;
  caller: Caller;
  input: ImportInput;
}

/** Imports in steps, each a transaction. After an interruption, those that were committed are found unchanged. */
async function importInSteps(importing: Importing): Promise<ImportSummary> {
  const { registry, input } = importing;
  const objects = new ImportedObjects();
  const state = { objects, blockedLogos: new Set<string>(), errors: new ImportErrors(objects), records: 0 };
  let summary = emptySummary(input);
  await input.rejects?.begin();
  const batches = bufferNextBatch(importBatches(registry, readRecords(registry, input), objects));
  for await (const step of collectSteps(batches, input.recordsPerStep ?? 1)) {
    const stored = await storeStep(importing, step, state);
    await catchUp(registry);
    summary = addSummary(summary, stored.summary);
    state.errors.addAll(stored.errors);
    state.records += recordsIn(step);
    await input.rejects?.write(stored.rejected);
  }
  return { ...summary, ...state.errors.refused(input.rejects !== undefined) };
}

interface State {
  objects: ImportedObjects;
  blockedLogos: Set<string>;
  /** How many records earlier steps have committed. */
  records: number;
}

async function storeStep({ registry, caller, input }: Importing, step: ImportBatch[], state: State) {
  return registry.storage.write(async (transaction) => {
    const rejects = new BufferedRejects();
    const work = await beginWork(transaction, {
      ...{ registry, caller, input, rejects: input.rejects && rejects },
      ...{ objects: state.objects, blockedLogos: state.blockedLogos },
    });
    if (state.records === 0) await purgeDeletedAppsIn(transaction, registry, caller);
    for (const batch of step) await storeBatch(work, batch);
    await countInstallations(work);
    work.errors.throwUnlessStored(
      work.storesRest,
      `The ${state.records} records before these were imported. Correct the file and import it again.`,
    );
    return { summary: work.summary, errors: work.errors, rejected: rejects.text };
  });
}

/** Holds what a transaction refuses until it is committed. */
class BufferedRejects implements Rejects {
  text = '';

  async begin(): Promise<void> {
    this.text = '';
  }

  async write(lines: string): Promise<void> {
    this.text += lines;
  }
}

async function* collectSteps(
  batches: AsyncIterable<ImportBatch>,
  recordsPerStep: number,
): AsyncGenerator<ImportBatch[], undefined> {
  let step: ImportBatch[] = [];
  for await (const batch of batches) {
    step.push(batch);
    const bytes = step.reduce((sum, one) => sum + one.bytes, 0);
    if (recordsIn(step) < recordsPerStep && bytes < stepBytesMax) continue;
    yield step;
    step = [];
  }
  if (step.length > 0) yield step;
}

function recordsIn(step: ImportBatch[]): number {
  return step.reduce((sum, { sources }) => sum + sources.size, 0);
}

/** Stores the valid records of a batch with their events, and collects the errors of the others. */
async function storeBatch(work: ImportWork, batch: ImportBatch): Promise<void> {
  const errors = [...batch.errors];
  for (const id of batch.brokenIds) work.errors.addBroken(id);
  const developers = rowsOfType(batch, 'developer');
  if (developers.length > 0) errors.push(...(await storeDevelopers(work, developers)));
  const logos = rowsOfType(batch, 'logo');
  if (logos.length > 0) errors.push(...(await storeLogos(work, logos)));
  const apps = rowsOfType(batch, 'app');
  if (apps.length > 0) errors.push(...(await storeApps(work, apps)));
  const deletedApps = rowsOfType(batch, 'deletedApp');
  if (deletedApps.length > 0) errors.push(...(await storeDeletedApps(work, deletedApps)));
  const installations = rowsOfType(batch, 'installation');
  if (installations.length > 0) errors.push(...(await storeInstallations(work, installations)));
  const refused = work.errors.add(errors, batch.sources);
  if (work.rejects && refused.length > 0) await work.rejects.write(rejectedLines(refused));
}
