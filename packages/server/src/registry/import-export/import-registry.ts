import { NotUnique } from '../../storage/failure.ts';
import { planByIndex } from '../../storage/queries/plan-by-index.ts';
import type { Connection } from '../../storage/query.ts';
import { purgeDeletedAppsIn } from '../apps/purge-deleted-apps.ts';
import { Failure } from '../failure.ts';
import type { Caller, Registry } from '../registry.ts';
import { settingsDuring } from '../stored-settings.ts';
import { importBatches } from './import-batch.ts';
import { ImportErrors } from './import-errors.ts';
import { countInstallations } from './import-installations.ts';
import { type ImportLine, ImportLines } from './import-lines.ts';
import { storeBatch } from './import-objects.ts';
import type { ImportCounts, ImportSummary, ImportWork } from './import-work.ts';

export interface ImportInput {
  /** Opens the file at its start. Called again when the transaction is retried. */
  open: () => AsyncIterable<Uint8Array>;
  /** Does all the work, then rolls it back. */
  dryRun?: boolean;
  /** Stores apps that await review in the file as drafts, so that they do not enter the queue (`import-drafts.ts`). */
  pendingAs?: 'DRAFT';
  /** Whether webhooks receive the events of the import; false by default. */
  deliverEvents?: boolean;
  /** Called repeatedly with the number of bytes read so far. */
  onProgress?: (bytes: number) => void;
}

/**
 * Imports JSON Lines (one `ImportRecord` a line, blank lines aside): developers, logos, apps and
 * installations with their history, each with its event. Existing objects are updated from their lines: importing
 * a file twice changes nothing more. A line may refer to stored objects and to those of earlier lines. All or nothing, in
 * constant memory. Refuses with `invalid_content` and an `ImportError` for each error in the file (the first 1,000).
 * Throws an error of the stream unchanged.
 */
export async function importRegistry(registry: Registry, caller: Caller, input: ImportInput): Promise<ImportSummary> {
  try {
    return await registry.storage.write(async (transaction) => {
      const summary = await importInto(transaction, { registry, caller, input });
      if (input.dryRun) throw new DryRunEnd(summary);
      return summary;
    });
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
    'Another client took the name of an app in the file during the import. Nothing was changed. Import the file again.',
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

async function importInto(
  transaction: Connection,
  { registry, caller: given, input }: { registry: Registry; caller: Caller; input: ImportInput },
): Promise<ImportSummary> {
  await planByIndex(transaction, registry.storage.engine);
  const { uniqueNames, changesToApproved: mode } = await settingsDuring(transaction);
  const caller = { ...given, deliversEvents: input.deliverEvents ?? false };
  const work: ImportWork = {
    registry,
    caller,
    transaction,
    uniqueNames,
    mode,
    pendingAs: input.pendingAs,
    blockedLogos: new Set(),
    errors: new ImportErrors(),
    summary: emptySummary(input),
    uncounted: new Map(),
  };
  // A line may import again an app whose deletion has become final since.
  await purgeDeletedAppsIn(transaction, registry, caller);
  for await (const batch of readAhead(importBatches(registry, readLines(input)))) await storeBatch(work, batch);
  await countInstallations(work);
  work.errors.throwIfAny();
  return work.summary;
}

/** Reads the next batch while one is stored: on another processor, if that is what PostgreSQL has. */
async function* readAhead<Batch>(batches: AsyncGenerator<Batch, undefined>): AsyncGenerator<Batch, undefined> {
  let next = batches.next();
  try {
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      next = batches.next();
      // Handled when it is awaited.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await next.catch(() => {});
    await batches.return(undefined);
  }
}

function emptySummary({ pendingAs }: ImportInput): ImportSummary {
  return {
    developers: noCounts(),
    logos: noCounts(),
    apps: noCounts(),
    installations: noCounts(),
    ...(pendingAs === 'DRAFT' && { pendingAsDraft: 0 }),
  };
}

function noCounts(): ImportCounts {
  return { created: 0, updated: 0, unchanged: 0 };
}

async function* readLines({ open, onProgress }: ImportInput): AsyncGenerator<ImportLine> {
  const lines = new ImportLines();
  let bytes = 0;
  for await (const chunk of withStreamError(open)) {
    for (const line of lines.push(chunk)) if (!isBlank(line)) yield line;
    bytes += chunk.length;
    onProgress?.(bytes);
    if (lines.hasEnded) return;
  }
  for (const line of lines.end()) if (!isBlank(line)) yield line;
}

/** Distinguishes an error of the stream from those of the storage, which would classify it as its own. */
class StreamError extends Error {}

async function* withStreamError(open: ImportInput['open']): AsyncGenerator<Uint8Array> {
  try {
    yield* open();
  } catch (error) {
    throw new StreamError('the stream failed', { cause: error });
  }
}

function isBlank({ text, error }: ImportLine): boolean {
  return !error && /^[ \t\r]*$/.test(text);
}
