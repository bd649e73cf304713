import { appNotFound, requireAppId, requireValid } from '../../../../kernel/failure.ts';
import { readPage } from '../../../../kernel/page.ts';
import type { PageOf } from '../../../../kernel/page-parameters.ts';
import type { Registry } from '../../../../kernel/registry.ts';
import { findApp } from '../../app-queries.ts';
import { listNotePage } from './note-queries.ts';
import { noteViews } from './note-view.ts';
import { type ReviewNote, ReviewNoteQuery } from './review-note.ts';

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
