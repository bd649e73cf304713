import { dateTime } from '../../../kernel/date-time.ts';
import { requireValid } from '../../../kernel/failure.ts';
import { readPage } from '../../../kernel/page.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { ForeignPosition, type PageOfRows, type PageRequest, type Position } from '../../../storage/page.ts';
import type { Snapshot } from '../../../storage/snapshot.ts';
import type { AppContent, AppRow } from '../../../storage/tables.ts';
import { actorNames } from '../../access/actor-names.ts';
import { archivedHistory } from './archived-history.ts';
import { readHistory } from './read-history.ts';
import { type AppRevisionPage, AppRevisionQuery } from './revision.ts';
import { listedRevisionView } from './revision-view.ts';
import { currentRevision, type WalkedRevision, type WalkStart, walkRevisions } from './walk-revisions.ts';

type Revision = WalkedRevision<Partial<AppContent>>;

/**
 * A page of the revisions of an app's content, newest first. With `actors`, includes the names of their actors. Refuses with
 * `invalid_content` or `app_not_found`.
 */
export async function listRevisions(registry: Registry, appId: string, input: unknown): Promise<AppRevisionPage> {
  const { actors, ...query } = requireValid(AppRevisionQuery, input);
  const page = await readHistory(registry, appId, async (snapshot, app) => {
    let archived: AppRevisionPage['archived'];
    const listed = await readPage(query, {
      name: `revisions of ${appId}`,
      async read(request) {
        const rows = await readRevisions(snapshot, app, request);
        archived = rows.next ? undefined : await archivedBefore(snapshot, app, rows.rows.at(-1));
        return rows;
      },
      view: (revision) => listedRevisionView(registry, app, revision),
    });
    return { ...listed, ...(archived && { archived }) };
  });
  if (!actors) return page;
  const names = await actorNames(
    registry,
    page.items.flatMap(({ actor }) => actor ?? []),
  );
  return { ...page, actors: names };
}

async function readRevisions(
  snapshot: Snapshot,
  app: AppRow,
  { limit, position }: PageRequest,
): Promise<PageOfRows<Revision>> {
  const start: WalkStart<Partial<AppContent>> = position ? startAt(position) : currentRevision(app);
  const rows: Revision[] = [];
  for await (const revision of walkRevisions(snapshot, app.id, start)) {
    if (rows.length === limit) return { rows, next: positionBefore(rows.at(-1), revision) };
    rows.push(revision);
  }
  return { rows };
}

/** The number of the next revision follows from all newer events, so the position has it. */
function positionBefore(last: Revision | undefined, { revision, nextAt }: Revision): Position {
  return { side: 'after', values: [last?.event?.id ?? '', `${revision}`, `${nextAt}`] };
}

function startAt({ side, values }: Position): WalkStart<Partial<AppContent>> {
  const [beforeEvent = '', revision = '', nextAt = ''] = values;
  const isPosition =
    side === 'after' && values.length === 3 && /^\d{1,15}$/.test(revision) && /^\d{1,15}$/.test(nextAt);
  if (!isPosition) throw new ForeignPosition();
  return {
    beforeEvent,
    revision: Number(revision),
    stamp: null,
    content: {},
    nextAt: Number(nextAt),
  };
}

async function archivedBefore(
  snapshot: Snapshot,
  app: AppRow,
  oldest: Revision | undefined,
): Promise<AppRevisionPage['archived']> {
  if (!oldest || oldest.event !== null) return undefined;
  const history = await archivedHistory(snapshot, app, oldest);
  return history ? { ...history, lastOccurredAt: dateTime(history.lastOccurredAt) } : undefined;
}
