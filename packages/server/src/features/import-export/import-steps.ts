import type { Caller, Registry } from '../../kernel/registry.ts';
import { purgeDeletedAppsIn } from '../apps/deleted-apps.ts';
import { catchUp } from '../search/projections.ts';
import { type ImportBatch, importBatches } from './import-batch.ts';
import { ImportErrors } from './import-errors.ts';
import type { ImportInput, Rejects } from './import-input.ts';
import { countInstallations } from './import-installations.ts';
import { storeBatch } from './import-objects.ts';
import { addSummary, emptySummary, type ImportSummary } from './import-summary.ts';
import { beginWork } from './import-work.ts';
import { ImportedObjects } from './imported-objects.ts';
import { readAhead } from './source/read-ahead.ts';
import { recordsOf } from './source/records-of.ts';

/** A step is in memory, because its transaction may be retried. */
const stepBytesMax = 4_000_000;

interface Importing {
  registry: Registry;
  caller: Caller;
  input: ImportInput;
}

/** Imports in steps, each a transaction. After an interruption, those that were committed are found unchanged. */
export async function importInSteps(importing: Importing): Promise<ImportSummary> {
  const { registry, input } = importing;
  const objects = new ImportedObjects();
  const state = { objects, blockedLogos: new Set<string>(), errors: new ImportErrors(objects), records: 0 };
  let summary = emptySummary(input);
  await input.rejects?.begin();
  const batches = readAhead(importBatches(registry, recordsOf(registry, input), objects));
  for await (const step of stepsOf(batches, input.recordsPerStep ?? 1)) {
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

async function* stepsOf(
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
