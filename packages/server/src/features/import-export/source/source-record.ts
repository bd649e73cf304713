import type { ValidationError } from '../../../kernel/problem-details.ts';
import type { ImportType } from '../import-record-schema.ts';

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
