import { Failure } from '../../kernel/failure.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import type { Connection } from '../../storage/query.ts';
import { NotUnique } from '../../storage/storage-failure.ts';
import { catchUp } from '../apps/comparison/projections.ts';
import { purgeDeletedAppsIn } from '../apps/deleted-apps.ts';
import { storeApps } from './import-apps.ts';
import { storeDeletedApps } from './import-deleted-apps.ts';
import { storeDevelopers } from './import-developers.ts';
import { type RefusedRecord, refusedRecords, rejectedLines } from './import-errors.ts';
import type { ImportInput, ImportSummary } from './import-input.ts';
import { countInstallations, storeInstallations } from './import-installations.ts';
import { storeLogos } from './import-logos.ts';
import type { ImportRow } from './import-record.ts';
import type { ImportError } from './import-record-schema.ts';
import { beginImport, beginWork, type ImportState, type ImportWork } from './import-work.ts';
import { bufferNextBatch, type ImportBatch, importBatches, readRecords, StreamError } from './read-records.ts';

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

interface Importing {
  registry: Registry;
  caller: Caller;
  input: ImportInput;
}

async function importAtOnce(importing: Importing): Promise<ImportSummary> {
  const { registry, input } = importing;
  return registry.storage.write(async (transaction) => {
    // A transaction that is retried begins again.
    await input.rejects?.begin();
    const state = beginImport(input);
    const batches = bufferNextBatch(importBatches(registry, readRecords(registry, input), state.objects));
    const { summary, errors } = await storeBatches(transaction, importing, {
      ...{ state, batches, outcome: 'Nothing was changed.' },
      onRefused: async (refused) => input.rejects?.write(rejectedLines(refused)),
    });
    const result = { ...summary, ...errors.refused() };
    if (input.dryRun) throw new DryRunEnd(result);
    return result;
  });
}

/** A step is in memory, because its transaction may be retried. */
const stepBytesMax = 4_000_000;

/** Imports in steps, each a transaction. After an interruption, those that were committed are found unchanged. */
async function importInSteps(importing: Importing): Promise<ImportSummary> {
  const { registry, input } = importing;
  const state = beginImport(input);
  await input.rejects?.begin();
  const batches = bufferNextBatch(importBatches(registry, readRecords(registry, input), state.objects));
  for await (const step of collectSteps(batches, input.recordsPerStep ?? 1)) {
    const outcome = `The ${state.records} records before these were imported. Correct the file and import it again.`;
    const { summary, refused } = await registry.storage.write(async (transaction) => {
      const refused: RefusedRecord[] = [];
      const onRefused = async (records: RefusedRecord[]) => {
        refused.push(...records);
      };
      const { summary } = await storeBatches(transaction, importing, { state, batches: step, outcome, onRefused });
      return { summary, refused };
    });
    await catchUp(registry);
    state.summary = summary;
    state.errors.add(refused);
    state.records += recordsIn(step);
    if (refused.length > 0) await input.rejects?.write(rejectedLines(refused));
  }
  return { ...state.summary, ...state.errors.refused() };
}

interface Part {
  state: ImportState;
  batches: AsyncIterable<ImportBatch> | ImportBatch[];
  onRefused: (records: RefusedRecord[]) => Promise<void>;
  /** The rest of the message that refuses them. */
  outcome: string;
}

/** Stores batches that follow those of earlier transactions. */
async function storeBatches(
  transaction: Connection,
  importing: Importing,
  { state, batches, onRefused, outcome }: Part,
): Promise<ImportWork> {
  const work = await beginWork(transaction, importing, state);
  // A line may import again an app whose deletion has become final since.
  if (state.records === 0) await purgeDeletedAppsIn(transaction, work.registry, work.caller);
  for await (const batch of batches) {
    const refused = refusedRecords(await storeBatch(work, batch), { sources: batch.sources, objects: work.objects });
    work.errors.add(refused);
    if (refused.length > 0) await onRefused(refused);
  }
  await countInstallations(work);
  work.errors.throwUnlessStored(outcome);
  return work;
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

const stores: {
  [Type in ImportRow['type']]: (work: ImportWork, rows: Extract<ImportRow, { type: Type }>[]) => Promise<ImportError[]>;
} = {
  developer: storeDevelopers,
  logo: storeLogos,
  app: storeApps,
  deletedApp: storeDeletedApps,
  installation: storeInstallations,
};

/** Stores the valid records of a batch with their events. Returns the errors of the others. */
async function storeBatch(work: ImportWork, { type, rows, errors, brokenIds }: ImportBatch): Promise<ImportError[]> {
  for (const id of brokenIds) work.objects.markRefused(id);
  return type === null || rows.length === 0 ? errors : [...errors, ...(await stores[type](work, rows as never))];
}
