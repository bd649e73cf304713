import type { CsvInput } from './csv/csv-input.ts';

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
  /** Stores apps that await review in the file as drafts, so that they do not enter the queue (`import-drafts.ts`). */
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
