import type { Kysely, Transaction } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { AppUpdate } from '../../packages/server/src/contract/app-update.ts';
import type { AppRow, Tables } from '../../packages/server/src/storage/tables.ts';
import { HttpError } from './http-error.ts';

interface UpdateContext {
  id: string;
  /** Whether to lock the row. On SQLite the single connection serialises transactions. */
  locks: boolean;
  developerId: string;
  actor: string;
  requestId: string;
  ifMatch: string | undefined;
}

export async function updateApp(db: Kysely<Tables>, update: AppUpdate, context: UpdateContext) {
  return db.transaction().execute(async (transaction) => {
    const app = await transaction
      .selectFrom('apps')
      .selectAll()
      .where('id', '=', context.id)
      .$if(context.locks, (query) => query.forUpdate())
      .executeTakeFirst();
    if (app?.developer_id !== context.developerId) throw new HttpError(404, 'The app does not exist.');
    if (context.ifMatch && context.ifMatch !== `"${app.revision}"`) throw new HttpError(412, 'The app has changed.');
    if (app.review_status === 'AWAITING_REVIEW') throw new HttpError(409, 'The app awaits review.');
    const changes = changesOf(update);
    await requireAvailable(transaction, app, changes);
    const after = { ...app, ...changes, revision: app.revision + 1, updated_at: Date.now() };
    await transaction
      .updateTable('apps')
      .set({
        ...changes,
        ...(changes.name && { name_key: changes.name.toLowerCase(), name_claim: changes.name.toLowerCase() }),
        revision: after.revision,
        platform_revision: app.platform_revision + 1,
        updated_at: after.updated_at,
      })
      .where('id', '=', app.id)
      .execute();
    await appendEvent(transaction, { context, app, changes });
    return viewOf(after);
  });
}

async function requireAvailable(db: Transaction<Tables>, app: AppRow, changes: Partial<AppRow>): Promise<void> {
  if (changes.name) {
    const claim = changes.name.toLowerCase();
    const other = await db.selectFrom('apps').select('id').where('name_claim', '=', claim).executeTakeFirst();
    if (other && other.id !== app.id) throw new HttpError(409, 'Another app has this name.');
  }
  if (changes.logo_id) {
    const logo = await db
      .selectFrom('logos')
      .select('developer_id')
      .where('id', '=', changes.logo_id)
      .executeTakeFirst();
    if (logo?.developer_id !== app.developer_id) throw new HttpError(422, 'The logo does not exist.');
  }
}

function changesOf({ name, logoId, listingInfo, oauthInfo }: AppUpdate): Partial<AppRow> {
  const given = {
    name,
    logo_id: logoId,
    short_description: listingInfo?.shortDescription,
    long_description: listingInfo?.longDescription,
    background_color: listingInfo?.backgroundColor,
    login_url: oauthInfo?.loginUrl,
    callback_url: oauthInfo?.callbackUrl,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

async function appendEvent(
  db: Transaction<Tables>,
  { context, app, changes }: { context: UpdateContext; app: AppRow; changes: Partial<AppRow> },
): Promise<void> {
  const before = Object.fromEntries(Object.keys(changes).map((name) => [name, app[name as keyof AppRow]]));
  await db
    .insertInto('events')
    .values({
      id: `event_${uuidv7()}`,
      type: 'app.updated',
      occurred_at: Date.now(),
      app_id: app.id,
      subject_id: app.id,
      actor: context.actor,
      request_id: context.requestId,
      before: JSON.stringify(before),
      after: JSON.stringify(changes),
      details: null,
    })
    .execute();
}

function viewOf(app: AppRow) {
  return {
    id: app.id,
    name: app.name,
    createdAt: new Date(app.created_at),
    updatedAt: new Date(app.updated_at),
    reviewStatus: app.review_status,
    installationCount: app.installation_count,
    listingInfo: {
      backgroundColor: app.background_color,
      shortDescription: app.short_description ?? undefined,
      longDescription: app.long_description ?? undefined,
    },
    oauthInfo: { loginUrl: app.login_url ?? undefined, callbackUrl: app.callback_url ?? undefined },
    revision: app.revision,
  };
}
