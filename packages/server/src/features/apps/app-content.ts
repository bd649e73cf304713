import { throwIfInvalid } from '../../kernel/check.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppContent, AppRow, DeletedAppRow } from '../../storage/tables.ts';
import { findLogoOfDeveloper } from '../logos/logo-queries.ts';
import {
  appContentFields,
  type ContentColumns,
  contentUnderPaths,
  contentValue,
  defaultOf,
  isOptional,
  type PartialContent,
} from './app-content-fields.ts';

/** Every column of the content. */
const contentColumns = appContentFields.map(({ column }) => column);

/** The content of a new app: the given values, and the defaults of all other fields. */
export function completeContent(given: PartialContent & { name: string }): AppContent {
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

/** Refuses a logo that does not exist, belongs to another developer or is blocked. */
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
function contentRow(read: (field: (typeof appContentFields)[number]) => string | null | undefined): ContentColumns {
  const row: Partial<Record<keyof ContentColumns, string | null | undefined>> = {};
  for (const field of appContentFields) row[field.column] = read(field);
  return row as ContentColumns;
}

/** The columns that store the approved content and its revision. */
export function approvedColumns(
  content: AppContent,
  { revision, revisionNonce }: { revision: number; revisionNonce: string },
): Pick<AppRow, 'approved_content' | 'approved_revision' | 'approved_revision_nonce'> {
  return {
    approved_content: snapshotText(content),
    approved_revision: revision,
    approved_revision_nonce: revisionNonce,
  };
}

/** The content as `approved_content` stores it: the JSON of its columns. */
export function snapshotText(content: AppContent): string {
  return JSON.stringify(contentIn(content));
}

/** The content of an app that was last approved; null when it never was. */
export function approvedContent({ approved_content: text }: Pick<AppRow, 'approved_content'>): AppContent | null {
  if (text === null) return null;
  if (latest?.text !== text) latest = { text, content: contentOfSnapshot(JSON.parse(text)) };
  return latest.content;
}

/** One change of an app reads the same snapshot several times. */
let latest: { text: string; content: Readonly<AppContent> } | undefined;

/** The same; also null when the stored snapshot is damaged. */
export function readableApprovedContent(app: Pick<AppRow, 'approved_content'>): AppContent | null {
  try {
    return approvedContent(app);
  } catch {
    return null;
  }
}

/**
 * The content in a stored snapshot. A field that the snapshot lacks is newer and has its default, so an optional field
 * needs no migration of snapshots. A required field needs one, because it has no default. Throws a `TypeError` if a
 * required field is missing or a value is invalid.
 */
export function contentOfSnapshot(snapshot: unknown): AppContent {
  const stored: Record<string, unknown> = Object(snapshot);
  return contentRow((field) => {
    const value = stored[field.column] === undefined ? defaultOf(field) : stored[field.column];
    if (typeof value === 'string' || (value === null && isOptional(field))) return value;
    throw new TypeError(`a stored snapshot has no valid value of ${field.column}`);
  });
}

/**
 * The comparison key of a name: names that people would confuse have the same key. The key of a key is
 * the key itself.
 */
export function nameKey(name: string): string {
  return (
    name
      .normalize('NFKC')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      // Upper case, so that ß meets SS; lower case before it, so that the capital ẞ does too.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      // Composes letters again that an ignorable character separated, or that a change of case decomposed.
      .normalize('NFKC')
  );
}

/** How long a deleted app can be restored. */
export const restorableMs = 30 * 86_400_000;

/** Whether an app deleted at one time can be restored at another. If not, it counts as purged even before it is. */
export function isRestorable(deletedAt: number, at: number): boolean {
  return deletedAt > at - restorableMs;
}

/** The stored row of a deleted app, without installations and without a claim to its name. */
export function toDeletedRow(app: AppRow, deletedAt: number): DeletedAppRow {
  const row = JSON.stringify({ ...app, installation_count: 0, name_claim: null });
  return { id: app.id, developer_id: app.developer_id, row, deleted_at: deletedAt };
}

/** The app as it was when it was deleted, without installations. Throws when its content cannot have been stored. */
export function appOfDeleted({ row: text }: DeletedAppRow): AppRow {
  const app = JSON.parse(text);
  return { ...app, ...contentOfSnapshot(app) };
}
