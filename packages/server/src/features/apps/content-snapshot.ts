import type { AppContent, AppRow } from '../../storage/tables.ts';
import { contentIn, contentRow } from './app-content.ts';
import { defaultOf, isOptional } from './app-content-fields.ts';

/** The columns that store the approved content and its revision (decision 24). */
export function approvedColumns(
  content: AppContent,
  { revision, stamp }: { revision: number; stamp: string },
): Pick<AppRow, 'approved_content' | 'approved_revision' | 'approved_revision_stamp'> {
  return { approved_content: snapshotText(content), approved_revision: revision, approved_revision_stamp: stamp };
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
