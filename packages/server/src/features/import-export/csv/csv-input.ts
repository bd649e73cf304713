/** CSV files, one for each kind of object, in any order. */
export interface CsvInput {
  files: CsvFile[];
  /** The text of a mapping file (`features/import-export/csv/import-mapping.ts`), and its name for errors. */
  mapping?: { name: string; text: string };
  /** Ids that are neither TypeIDs nor UUIDs become UUIDv5 in this namespace, a UUID. Without it they are errors. */
  idNamespace?: string;
}

export interface CsvFile {
  /** Without its folder. */
  name: string;
  /** One ASCII character. */
  delimiter: string;
  /** Opens the file at its start. Called again when the transaction is retried. */
  open: () => AsyncIterable<Uint8Array>;
  /** Reads another file by a path from the file: up to one byte more than the maximum, or null if it cannot be read. */
  readBeside: (path: string, bytesMax: number) => Promise<Uint8Array | null>;
}
