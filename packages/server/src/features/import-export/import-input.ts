import type { ValidationError } from '../../kernel/problem-details.ts';
import type { CsvInput } from './csv/csv-plan.ts';
import type { ImportErrorGroup, ImportType } from './import-record-schema.ts';

/** What is imported: JSON Lines, or a file of CSV for each kind of object. */
export type ImportSource =
  | {
      /** Opens the file at its start. Called again when the transaction is retried. */
      open: () => AsyncIterable<Uint8Array>;
    }
  | { csv: CsvInput };

export type ImportInput = ImportSource & {
  /** Does all the work, then rolls it back. */
  dryRun?: boolean;
  /** Stores apps that await review in the file as drafts, so that they do not enter the queue (`import-apps.ts`). */
  pendingAs?: 'DRAFT';
  /** Whether webhooks receive the events of the import; false by default. */
  deliverEvents?: boolean;
  /** Receives the records that have errors; the others are stored. */
  rejects?: Rejects;
  /** Commits after every so many records, instead of once. */
  recordsPerStep?: number;
  /** Called repeatedly with how much was read so far. */
  onProgress?: (bytes: number, records: number) => void;
};

/** Where refused records are written. */
export interface Rejects {
  /** Starts again: discards everything written before. */
  begin(): Promise<void>;
  write(lines: string): Promise<void>;
}

/** One record of a file as it was read, before it is validated. */
export interface SourceRecord {
  /** Where it begins; the first line of a file is 1. */
  line: number;
  /** The name of its file, if an import reads several. */
  file?: string;
  /** Undefined if it could not be read. */
  value: unknown;
  /** What could not be read of it. The values of these fields are left as they were given. */
  errors: ValidationError[];
  /** How much of the file it is. */
  bytes: number;
  /** The text of a record that could not be read. */
  text?: string;
  /** The type of a record that does not contain its type. */
  type?: ImportType;
  /** Whether nothing after it can be read. */
  isLast?: boolean;
  /** Whether its object must not be on an earlier line: a line of CSV updates no other one. */
  isOnly?: boolean;
  /** By JSON Pointer: the column of a field. */
  columns?: ReadonlyMap<string, string>;
  /** The cell of the field of a JSON Pointer. */
  cellOf?: (pointer: string) => string | undefined;
}

/** The outcome for the records of one type. */
export interface ImportCounts {
  created: number;
  updated: number;
  unchanged: number;
}

export interface ImportSummary extends Record<'developers' | 'logos' | 'apps' | 'installations', ImportCounts> {
  /** With `pendingAs`: how many of the apps await review in the file and are drafts here. */
  pendingAsDraft?: number;
  /** With `rejects`: how many records were refused, and why. */
  refused?: { records: number; errors: ImportErrorGroup[] };
}

/** Of an import without a record. */
export function emptySummary(pendingAs: ImportInput['pendingAs']): ImportSummary {
  const counts = (): ImportCounts => ({ created: 0, updated: 0, unchanged: 0 });
  return {
    ...{ developers: counts(), logos: counts(), apps: counts(), installations: counts() },
    ...(pendingAs === 'DRAFT' && { pendingAsDraft: 0 }),
  };
}
