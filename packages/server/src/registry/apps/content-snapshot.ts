import { contentVersion, defaultOf, isOptional, sinceOf } from '../../contract/app-content-fields.ts';
import type { AppContent, AppRow } from '../../storage/tables.ts';
import { contentIn, contentRow } from './app-content.ts';

/** The columns that store the approved content and its revision (decision 24). */
export function approvedColumns(
  content: AppContent,
  { revision, stamp }: { revision: number; stamp: string },
): Pick<AppRow, 'approved_content' | 'approved_revision' | 'approved_revision_stamp'> {
  return { approved_content: snapshotText(content), approved_revision: revision, approved_revision_stamp: stamp };
}

/** The content as `approved_content` stores it: flat, so that the previous release can read it too. */
export function snapshotText(content: AppContent): string {
  return JSON.stringify({ version: contentVersion, ...contentIn(content) });
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
 * The content in a stored snapshot. A field that is newer than the snapshot gets its default. Throws for anything
 * that no release could have stored.
 */
export function contentOfSnapshot(snapshot: unknown): AppContent {
  const stored: Record<string, unknown> = Object(snapshot);
  const version = stored.version ?? 1;
  return contentRow((field) => {
    const value = stored[field.column];
    if (typeof value === 'string' || (value === null && isOptional(field))) return value;
    const isNewer = value === undefined && sinceOf(field) > Number(version);
    if (!isNewer) throw new TypeError(`a stored snapshot has no valid value of ${field.column}`);
    return defaultOf(field);
  });
}
