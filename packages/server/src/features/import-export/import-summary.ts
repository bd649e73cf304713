import type { ImportInput } from './import-input.ts';
import type { ImportErrorGroup } from './import-record-schema.ts';

/** The outcome for the records of one type. */
export interface ImportCounts {
  created: number;
  updated: number;
  unchanged: number;
}

export interface ImportSummary {
  developers: ImportCounts;
  logos: ImportCounts;
  apps: ImportCounts;
  installations: ImportCounts;
  /** With `pendingAs`: how many of the apps await review in the file and are drafts here. */
  pendingAsDraft?: number;
  /** With `rejects`: how many records were refused, and why. */
  refused?: { records: number; errors: ImportErrorGroup[] };
}

/** Of an import without a record. */
export function emptySummary({ pendingAs }: Pick<ImportInput, 'pendingAs'>): ImportSummary {
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

/** The sum of two parts of an import. */
export function addSummary(one: ImportSummary, other: ImportSummary): ImportSummary {
  const sum = (kind: 'developers' | 'logos' | 'apps' | 'installations'): ImportCounts => ({
    created: one[kind].created + other[kind].created,
    updated: one[kind].updated + other[kind].updated,
    unchanged: one[kind].unchanged + other[kind].unchanged,
  });
  return {
    developers: sum('developers'),
    logos: sum('logos'),
    apps: sum('apps'),
    installations: sum('installations'),
    ...(one.pendingAsDraft !== undefined && { pendingAsDraft: one.pendingAsDraft + (other.pendingAsDraft ?? 0) }),
  };
}
