import { Failure, throwIfInvalid } from '../../kernel/failure.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppContent } from '../../storage/tables.ts';
import { findLogoOfDeveloper } from '../logos/logo-queries.ts';
import {
  appContentFields,
  type ContentColumns,
  contentUnderPaths,
  contentValue,
  defaultOf,
  type PartialContent,
} from './app-content-fields.ts';

/** Every column of the content. */
const contentColumns = appContentFields.map(({ column }) => column);

/** The content of a new app: the given values, and the defaults of all other fields. */
export function contentOf(given: PartialContent & { name: string }): AppContent {
  return contentRow((field) => contentValue(given, field) ?? defaultOf(field));
}

/** The columns that an update sets: an absent field stays unchanged, null clears it (interface 2.8). */
export function givenContent(update: PartialContent): Partial<AppContent> {
  const given: Record<string, string | null> = {};
  for (const field of appContentFields) {
    const value = contentValue(update, field);
    if (value !== undefined) given[field.column] = value;
  }
  return given;
}

/** The content of a row, without its other columns. */
export function contentIn(row: AppContent): AppContent {
  return contentRow(({ column }) => row[column]);
}

/** The content columns in which two rows differ. */
export function changedContentColumns(before: AppContent, after: AppContent): (keyof AppContent)[] {
  return contentColumns.filter((column) => after[column] !== before[column]);
}

/** The values of some content columns by their paths in the interface; null where a column has no value. */
export function contentData(content: AppContent, columns: readonly (keyof AppContent)[] = contentColumns) {
  return contentUnderPaths(({ column }) => (columns.includes(column) ? content[column] : undefined));
}

/** Refuses a logo that does not exist, belongs to another developer (decision 12) or is blocked (decision 28d). */
export async function requireOwnLogo(
  transaction: Connection,
  logoId: string | null | undefined,
  developerId: string,
): Promise<void> {
  if (!logoId) return;
  const logo = await findLogoOfDeveloper(transaction, { id: logoId, developerId });
  if (logo?.blocked_at === null) return;
  const detail = logo
    ? logoBlocked
    : 'No logo of this developer has this id. Upload the logo first, and send the id that the upload returns.';
  throwIfInvalid([{ pointer: '/logoId', code: 'unusable_logo', detail }]);
}

const logoBlocked = 'An operator has blocked this logo. Upload another one, and send the id that the upload returns.';

export function nameTaken(): Failure {
  return new Failure('name_taken', 'Another app has this name. Choose a different one.');
}

/** A value for each content column. */
export function contentRow(
  read: (field: (typeof appContentFields)[number]) => string | null | undefined,
): ContentColumns {
  const row: Partial<Record<keyof ContentColumns, string | null | undefined>> = {};
  for (const field of appContentFields) row[field.column] = read(field);
  return row as ContentColumns;
}
