import { dateTime } from '../../../../kernel/date-time.ts';
import type { Registry } from '../../../../kernel/registry.ts';
import type { ReviewNoteRow } from '../../../../storage/tables.ts';
import { namesOfActors } from '../../../access/actor-names.ts';
import { optional } from '../../app-view.ts';
import type { ReviewNote } from './review-note.ts';

/** Notes with the names of who has written them. */
export async function noteViews(registry: Registry, rows: ReviewNoteRow[]): Promise<ReviewNote[]> {
  const names = await namesOfActors(
    registry,
    rows.map(({ actor }) => actor),
  );
  return rows.map((row) => viewOf(row, names.get(row.actor)));
}

export async function noteView(registry: Registry, row: ReviewNoteRow): Promise<ReviewNote> {
  return viewOf(row, (await namesOfActors(registry, [row.actor])).get(row.actor));
}

function viewOf({ id, text, actor, created_at }: ReviewNoteRow, actorName: string | undefined): ReviewNote {
  return { id, text, actor, ...optional({ actorName: actorName ?? null }), createdAt: dateTime(created_at) };
}
