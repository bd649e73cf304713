import { type Kysely, sql, type Transaction } from 'kysely';
import { appContentFields } from '../../packages/server/src/features/apps/app-content.ts';
import type { AppUpdate } from '../../packages/server/src/features/apps/app-schemas.ts';
import { newId } from '../../packages/server/src/kernel/ids.ts';
import type { AppContent, AppRow, Tables } from '../../packages/server/src/storage/tables.ts';
import { changedApp, changedSinceApproval } from './changed-app.ts';
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
    if (app.suspended_status !== null) throw new HttpError(403, 'The developer is suspended.');
    const changes = changesOf(app, update);
    if (Object.keys(changes).length === 0) return viewOf(app);
    if (app.review_status === 'AWAITING_REVIEW') throw new HttpError(409, 'The app awaits review.');
    await requireAvailable(transaction, app, changes);
    const after = changedApp(app, changes);
    await transaction.updateTable('apps').set(columnsOf(app, after)).where('id', '=', app.id).execute();
    await markProjections(transaction, after, changes);
    await appendEvent(transaction, { context, app, after, changes });
    return viewOf(after);
  });
}

/** The columns that differ: one that is generated cannot be set. */
function columnsOf(before: AppRow, after: AppRow): Partial<AppRow> {
  const differs = ([column, value]: [string, unknown]) => value !== before[column as keyof AppRow];
  return Object.fromEntries(Object.entries(after).filter(differs));
}

async function requireAvailable(db: Transaction<Tables>, app: AppRow, changes: Partial<AppContent>): Promise<void> {
  if (changes.name) {
    const claim = changes.name.toLowerCase();
    const other = await db.selectFrom('name_claims').select('app_id').where('name_key', '=', claim).executeTakeFirst();
    if (other && other.app_id !== app.id) throw new HttpError(409, 'Another app has this name.');
  }
  if (changes.logo_id) {
    const logo = await db
      .selectFrom('logos')
      .select(['developer_id', 'blocked_at'])
      .where('id', '=', changes.logo_id)
      .executeTakeFirst();
    if (logo?.developer_id !== app.developer_id || logo.blocked_at !== null)
      throw new HttpError(422, 'The logo does not exist.');
  }
}

/** The given fields whose value differs, by column. */
function changesOf(app: AppRow, { name, logoId, listingInfo, oauthInfo }: AppUpdate): Partial<AppContent> {
  const given = {
    name,
    logo_id: logoId,
    short_description: listingInfo?.shortDescription,
    long_description: listingInfo?.longDescription,
    background_color: listingInfo?.backgroundColor,
    login_url: oauthInfo?.loginUrl,
    callback_url: oauthInfo?.callbackUrl,
  };
  const isChanged = ([column, value]: [string, unknown]) =>
    value !== undefined && value !== app[column as keyof AppContent];
  return Object.fromEntries(Object.entries(given).filter(isChanged));
}

/** Marks the app where the registry has to make its search texts and comparison keys again. */
async function markProjections(db: Transaction<Tables>, { id }: AppRow, changes: Partial<AppContent>): Promise<void> {
  if (!['name', 'login_url', 'callback_url'].some((column) => column in changes)) return;
  await db
    .insertInto('pending_projections')
    .values({ subject_id: id, version: 1 })
    .onConflict((conflict) =>
      conflict.column('subject_id').doUpdateSet({ version: sql<number>`pending_projections.version + 1` }),
    )
    .execute();
}

interface Changed {
  context: UpdateContext;
  app: AppRow;
  after: AppRow;
  changes: Partial<AppContent>;
}

/** The event of the update. Where the platform may rely on the content, this has changed too. */
async function appendEvent(db: Transaction<Tables>, { context, app, after, changes }: Changed): Promise<void> {
  const columns = Object.keys(changes);
  const { revision, revision_nonce: revisionNonce } = after;
  await db
    .insertInto('events')
    .values({
      id: newId('event'),
      type: 'app.updated',
      occurred_at: Date.now(),
      app_id: app.id,
      subject_id: app.id,
      actor: context.actor,
      request_id: context.requestId,
      before: JSON.stringify(dataOf(app, columns)),
      after: JSON.stringify({ ...dataOf(after, columns), revision, revisionNonce }),
      details: after.approved_content && JSON.stringify({ changedSinceApproval: changedSinceApproval(after) }),
      effective: after.review_status === 'APPROVED' ? JSON.stringify('after') : null,
      reason: null,
    })
    .execute();
}

/** The values of columns under the paths of an update. */
function dataOf(app: AppRow, columns: string[]): object {
  const data: Record<string, unknown> = {};
  for (const { column, path } of appContentFields.filter((field) => columns.includes(field.column))) {
    const [group = '', name] = path.split('.');
    data[group] = name === undefined ? app[column] : { ...(data[group] as object), [name]: app[column] };
  }
  return data;
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
