import { sql } from 'kysely';
import { stream } from './query.ts';
import type { Snapshot } from './snapshot.ts';
import type { Storage } from './storage.ts';

/** About 64 KiB of them at a time. */
const rowsMax = 250;

const dateTimes = {
  sqlite: sql`strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch')`,
  postgres: sql`to_char(timestamp 'epoch' + created_at * interval '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};

const streams = { sqlite: streamBy('sqlite'), postgres: streamBy('postgres') };

/**
 * The installations of an app as Get App shows them, in the order of creation, in JSON that the database writes: to
 * make objects of their rows and write these takes longer. No id has a character that JSON escapes.
 */
export function streamInstallationTexts(
  snapshot: Snapshot,
  engine: Storage['engine'],
  { appId }: { appId: string },
): AsyncIterable<{ text: string }[]> {
  return streams[engine](snapshot, { appId });
}

function streamBy(engine: Storage['engine']) {
  return stream(
    (db, { appId }: { appId: string }) =>
      db
        .selectFrom('installations')
        .select(
          sql<string>`'{"id":"' || id || '","appId":"' || app_id || '","workspaceId":"' || workspace_id
            || '","userId":"' || user_id || '","createdAt":"' || ${dateTimes[engine]}
            || '","enabled":' || case enabled when 1 then 'true}' else 'false}' end`.as('text'),
        )
        .where('app_id', '=', appId)
        .orderBy('created_at')
        .orderBy('id'),
    { rowsMax },
  );
}
