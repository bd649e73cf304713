import type { ImportErrorGroup } from '../../features/import-export/import-record-schema.ts';

/** An import has stored what it could, and has written the other records to a file. */
export class RecordsRefused extends Error {
  override readonly name = 'RecordsRefused';
  readonly errors: ImportErrorGroup[];

  constructor(message: string, errors: ImportErrorGroup[]) {
    super(message);
    this.errors = errors;
  }
}
