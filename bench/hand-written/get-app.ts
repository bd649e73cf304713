import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../../packages/server/src/storage/tables.ts';
import { HttpError } from './http-error.ts';

export async function getApp(db: Kysely<Tables>, id: string): Promise<{ tag: string; body: string }> {
  const app = await db.selectFrom('apps').selectAll().where('id', '=', id).executeTakeFirst();
  if (!app) throw new HttpError(404, 'The app does not exist.');
  const developer = await db
    .selectFrom('developers')
    .selectAll()
    .where('user_id', '=', app.developer_id)
    .executeTakeFirstOrThrow();
  const installations = await db
    .selectFrom('installations')
    .selectAll()
    .where('app_id', '=', id)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const body = JSON.stringify({
    id: app.id,
    name: app.name,
    createdAt: new Date(app.created_at),
    updatedAt: new Date(app.updated_at),
    reviewStatus: app.review_status,
    developer: {
      userId: developer.user_id,
      email: developer.email,
      firstName: developer.first_name ?? undefined,
      lastName: developer.last_name ?? undefined,
    },
    installations: installations.map((installation) => ({
      id: installation.id,
      appId: installation.app_id,
      workspaceId: installation.workspace_id,
      userId: installation.user_id,
      createdAt: new Date(installation.created_at),
      enabled: installation.enabled === 1,
    })),
  });
  return { tag: `"${createHash('sha1').update(body).digest('base64url')}"`, body };
}
