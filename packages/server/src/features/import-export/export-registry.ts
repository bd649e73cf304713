import type { Registry } from '../../kernel/registry.ts';
import { streamApps, streamDevelopers, streamLogos } from '../../storage/queries/table-rows.ts';
import type { Snapshot } from '../../storage/snapshot.ts';
import { isRestorable } from '../apps/deleted-app.ts';
import { streamDeletedApps } from '../apps/deleted-app-queries.ts';
import { streamInstallations } from '../installations/installation-queries.ts';
import {
  toAppRecord,
  toDeletedAppRecord,
  toDeveloperRecord,
  toInstallationRecord,
  toLogoRecord,
} from './export-record.ts';
import type { ImportRecord } from './import-record-schema.ts';

/** How many objects were exported. */
export interface ExportSummary {
  developers: number;
  logos: number;
  apps: number;
  installations: number;
}

/**
 * Exports the registry at one moment as the JSON Lines that `importRegistry` reads, ordered by type and id, with deleted
 * apps after the others, in constant memory. `write` receives some complete lines at a time and is awaited. Two
 * registries with the same objects give the same bytes on every engine. Excludes tokens, events, and deleted apps that
 * cannot be restored. `onProgress` is called repeatedly with the number of objects so far.
 */
export async function exportRegistry(
  registry: Registry,
  write: (lines: string) => Promise<void>,
  { onProgress = () => {} }: { onProgress?: (objects: number) => void } = {},
): Promise<ExportSummary> {
  const summary: ExportSummary = { developers: 0, logos: 0, apps: 0, installations: 0 };
  for await (const { type, records } of registry.storage.snapshot(exportedBatches(registry.now()))) {
    await write(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    summary[type] += records.length;
    onProgress(summary.developers + summary.logos + summary.apps + summary.installations);
  }
  return summary;
}

interface ExportedBatch {
  type: keyof ExportSummary;
  records: ImportRecord[];
}

function exportedBatches(at: number) {
  return async function* batches(snapshot: Snapshot): AsyncGenerator<ExportedBatch, undefined> {
    for await (const rows of streamDevelopers(snapshot, {})) {
      yield { type: 'developers', records: rows.map(toDeveloperRecord) };
    }
    for await (const rows of streamLogos(snapshot, {})) yield { type: 'logos', records: rows.map(toLogoRecord) };
    for await (const rows of streamApps(snapshot, {})) yield { type: 'apps', records: rows.map(toAppRecord) };
    for await (const rows of streamDeletedApps(snapshot, {})) {
      const restorable = rows.filter((row) => isRestorable(row.deleted_at, at));
      yield { type: 'apps', records: restorable.map(toDeletedAppRecord) };
    }
    for await (const rows of streamInstallations(snapshot, {})) {
      yield { type: 'installations', records: rows.map(toInstallationRecord) };
    }
  };
}
