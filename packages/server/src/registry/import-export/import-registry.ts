import { NotUnique } from '../../storage/failure.ts';
import type { Connection } from '../../storage/query.ts';
import { purgeDeletedAppsIn } from '../apps/purge-deleted-apps.ts';
import { Failure } from '../failure.ts';
import type { Caller, Registry } from '../registry.ts';
import { importBatches } from './import-batch.ts';
import { ImportErrors } from './import-errors.ts';
import { countInstallations } from './import-installations.ts';
import { type ImportLine, ImportLines } from './import-lines.ts';
import { storeBatch } from './import-objects.ts';
import type { ImportCounts, ImportSummary, ImportWork } from './import-work.ts';

export interface ImportInput {
  /** Gives the file from its beginning: asked again when the work has lost a race and is done anew. */
  open: () => AsyncIterable<Uint8Array>;
  /** Does all the work and keeps nothing of it. */
  dryRun?: boolean;
  /** Told again and again how many bytes have been read. */
  onProgress?: (bytes: number) => void;
}

/**
 * Imports JSON Lines (one `ImportRecord` a line, blank lines aside): developers, logos, apps and
 * installations with their history, each with its event. An object that exists becomes what its line
 * tells: the same file twice changes nothing. A line may refer to what is stored or stands above it. All or nothing, in memory that does not grow with the file. Refuses with
 * `invalid_content` and an `ImportError` for everything that is wrong in the file (the first 1,000).
 * A fault of the stream itself is thrown as it came.
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

/** Names are looked up before they are stored: one that meets another all the same was taken in between. */
function lostName(): Failure {
  return new Failure(
    'name_taken',
    'While the file was imported, somebody else took a name of one of its apps. Nothing was changed. Import it again.',
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
  { registry, caller, input }: { registry: Registry; caller: Caller; input: ImportInput },
): Promise<ImportSummary> {
  const work: ImportWork = {
    registry,
    caller,
    transaction,
    faults: new ImportErrors(),
    summary: { developers: none(), logos: none(), apps: none(), installations: none() },
    uncounted: new Map(),
  };
  // A line may bring back what has been gone for good since then.
  await purgeDeletedAppsIn(transaction, registry.now());
  for await (const batch of importBatches(registry, readLines(input))) await storeBatch(work, batch);
  await countInstallations(work);
  work.faults.refuse();
  return work.summary;
}

function none(): ImportCounts {
  return { created: 0, updated: 0, unchanged: 0 };
}

async function* readLines({ open, onProgress }: ImportInput): AsyncGenerator<ImportLine> {
  const lines = new ImportLines();
  let bytes = 0;
  for await (const piece of guarded(open)) {
    for (const line of lines.push(piece)) if (!isBlank(line)) yield line;
    bytes += piece.length;
    onProgress?.(bytes);
  }
  for (const line of lines.end()) if (!isBlank(line)) yield line;
}

/** Keeps a fault of the stream apart from those of the storage, which would judge it as its own. */
class StreamError extends Error {}

async function* guarded(open: ImportInput['open']): AsyncGenerator<Uint8Array> {
  try {
    yield* open();
  } catch (error) {
    throw new StreamError('the stream failed', { cause: error });
  }
}

function isBlank({ text, fault }: ImportLine): boolean {
  return !fault && /^[ \t\r]*$/.test(text);
}
