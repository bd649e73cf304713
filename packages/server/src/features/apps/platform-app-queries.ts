import { sql } from 'kysely';
import { type Connection, find, type QueryBuilder, stream } from '../../storage/query.ts';
import { changesToApproved } from '../../storage/request-lookups.ts';
import { contentColumns } from '../../storage/tables.ts';
import type { ShownInstallation } from '../installations/installation-queries.ts';

/** The app with its developer and installations. */
export interface AppSnapshot {
  app: PlatformAppRow;
  /** By creation. */
  installations: ShownInstallation[];
}

/** Returns null also if the app has more installations than `installationsMax`. One statement is one snapshot on every engine. */
export async function findAppSnapshot(
  connection: Connection,
  values: { id: string; installationsMax: number },
): Promise<AppSnapshot | null> {
  const app = await findPlatformAppWithTexts(connection, values);
  return app && { app, installations: app.installations === null ? [] : installationsOf(app.id, app.installations) };
}

/** Returns the installations as one text: reading a row for each takes several times as long. */
const findPlatformAppWithTexts = find((db, { id, installationsMax }: { id: string; installationsMax: number }) =>
  platformApp(db, id)
    .where('apps.installation_count', '<=', installationsMax)
    .select(
      sql<string | null>`(
        select string_agg(id || ' ' || workspace_id || ' ' || user_id || ' ' || enabled || ' ' || created_at, ' '
          order by created_at, id)
        from installations where app_id = apps.id)`.as('installations'),
    ),
);

function installationsOf(appId: string, text: string): ShownInstallation[] {
  const values = text.split(' ');
  const rows: ShownInstallation[] = [];
  for (let at = 0; at < values.length; at += 5) {
    const [id = '', workspaceId = '', userId = '', enabled, createdAt] = values.slice(at, at + 5);
    rows.push({
      id,
      app_id: appId,
      workspace_id: workspaceId,
      user_id: userId,
      enabled: enabled === '1' ? 1 : 0,
      created_at: Number(createdAt),
    });
  }
  return rows;
}

/** The app with its developer, without its installations. */
export const findPlatformApp = find((db, { id }: { id: string }) => platformApp(db, id));
export type PlatformAppRow = NonNullable<Awaited<ReturnType<typeof findPlatformApp>>>;

export const streamPlatformApp = stream((db, { id }: { id: string }) => platformApp(db, id));

function platformApp(db: QueryBuilder, id: string) {
  return db
    .selectFrom('apps')
    .innerJoin('developers', 'developers.user_id', 'apps.developer_id')
    .where('apps.id', '=', id)
    .select([
      'apps.id',
      ...contentColumns.map((name) => `apps.${name}` as const),
      'apps.approved_content',
      'apps.withdrawn',
      changesToApproved,
      'apps.review_status',
      'apps.platform_revision',
      'apps.platform_revision_nonce',
      'developers.revision_nonce as developer_nonce',
      'apps.created_at',
      'apps.updated_at',
      'apps.shown_at',
      'developers.user_id as developer_user_id',
      'developers.email',
      'developers.first_name',
      'developers.last_name',
    ]);
}
