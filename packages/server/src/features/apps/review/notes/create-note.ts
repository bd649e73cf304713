import { requireValid } from '../../../../kernel/failure.ts';
import { writeIdempotently } from '../../../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../../../kernel/registry.ts';
import { newId } from '../../../../kernel/type-id.ts';
import { lockApp } from '../../store-app.ts';
import { insertNote } from './note-queries.ts';
import { noteView } from './note-view.ts';
import { NewReviewNote, type ReviewNote } from './review-note.ts';

/**
 * Writes a note about an app for other reviewers, which no event holds. Refuses with `invalid_content` or
 * `app_not_found`.
 */
export async function createNote(
  registry: Registry,
  caller: Caller,
  { appId, note: input }: { appId: string; note: unknown },
): Promise<ReviewNote> {
  const { text } = requireValid(NewReviewNote, input);
  const row = await writeIdempotently(registry, caller, {
    content: ['createNote', appId, text],
    work: async (transaction) => {
      await lockApp(transaction, appId);
      const { actor } = caller;
      const note = { id: newId('note'), app_id: appId, text, actor, created_at: registry.now() };
      await insertNote(transaction, note);
      return note;
    },
  });
  return noteView(registry, row);
}
