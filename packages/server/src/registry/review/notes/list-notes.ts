import type { PageOf } from '../../../contract/page.ts';
import { type ReviewNote, ReviewNoteQuery } from '../../../contract/review/review-note.ts';
import { findApp } from '../../../storage/queries/apps.ts';
import { listNotePage } from '../../../storage/queries/review/notes.ts';
import { appNotFound, requireAppId, requireValid } from '../../failure.ts';
import { readPage } from '../../page.ts';
import type { Registry } from '../../registry.ts';
import { noteViews } from './note-view.ts';

/** A page of the notes about an app, newest first. Refuses with `invalid_content` or `app_not_found`. */
export async function listNotes(
  registry: Registry,
  { appId, query }: { appId: string; query: unknown },
): Promise<PageOf<ReviewNote>> {
  const given = requireValid(ReviewNoteQuery, query);
  requireAppId(appId);
  const { reader } = registry.storage;
  if (!(await findApp(reader, { id: appId }))) throw appNotFound();
  return readPage(given, {
    name: `notes ${appId}`,
    read: async (request) => {
      const page = await listNotePage(reader, { appId }, request);
      return { ...page, rows: await noteViews(registry, page.rows) };
    },
    view: (note) => note,
  });
}
