import type { EventData } from '../../contract/event.ts';
import { type OperatorApp, Transfer } from '../../contract/operator-app.ts';
import { replaceApp } from '../../storage/queries/apps.ts';
import { findLogo, insertLogo } from '../../storage/queries/logos.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppRow } from '../../storage/tables.ts';
import { lockDeveloper } from '../developers/replace-developer.ts';
import { appendEvent, appendEvents, type ChangeContext } from '../events/append-event.ts';
import { requireValid, throwIfInvalid } from '../failure.ts';
import { PlatformIds } from '../platform-id.ts';
import type { Caller, Registry } from '../registry.ts';
import { newId } from '../type-id.ts';
import { operatorView } from './app-view.ts';
import { approvedContent, snapshotText } from './content-snapshot.ts';
import { lockApp } from './lock-app.ts';

/**
 * Gives an app to another developer, with its review, installations and history. A logo belongs to one
 * developer, and other apps may show it; so the new developer gets copies of those that the app shows and was
 * approved with, and its revision moves. Refuses with `invalid_content`, `app_not_found` or `developer_not_found`.
 */
export async function transferApp(
  registry: Registry,
  caller: Caller,
  input: { appId: string; transfer: unknown },
): Promise<OperatorApp> {
  const transfer = requireValid(Transfer, input.transfer);
  const ids = new PlatformIds();
  const developerId = ids.read(transfer.developerId, registry.userIdPrefix, '/developerId');
  throwIfInvalid(ids.errors);
  const row = await registry.storage.write(async (transaction) => {
    // The developer first, as a write that changes the record of a developer takes their apps last.
    await lockDeveloper(transaction, developerId);
    const before = await lockApp(transaction, input.appId);
    if (before.developer_id === developerId) return before;
    const at = Math.max(registry.now(), before.updated_at);
    const logos = await copyLogos(transaction, { caller, at }, { app: before, developerId });
    const after = transferred(before, { developerId, logos, at });
    await replaceApp(transaction, after);
    await appendEvent(transaction, {
      caller,
      at,
      type: 'app.transferred',
      appId: after.id,
      subjectId: after.id,
      before: toldOwner(before, { moved: after.revision !== before.revision }),
      after: toldOwner(after, { moved: after.revision !== before.revision }),
    });
    return after;
  });
  return operatorView(registry, row);
}

/** Answers the ids of the copies, by the ids of what they are copies of. */
async function copyLogos(
  transaction: Connection,
  deed: ChangeContext,
  { app, developerId }: { app: AppRow; developerId: string },
): Promise<Map<string, string>> {
  const copies = new Map<string, string>();
  for (const logoId of new Set([app.logo_id, approvedContent(app)?.logo_id])) {
    const logo = logoId ? await findLogo(transaction, { id: logoId }) : null;
    if (!logo || !logoId) continue;
    const id = newId('logo');
    await insertLogo(transaction, { id, developer_id: developerId, png: logo.png, created_at: deed.at });
    copies.set(logoId, id);
  }
  await appendEvents(transaction, {
    ...deed,
    changes: [...copies].map(([copyOf, subjectId]) => ({
      type: 'logo.created',
      subjectId,
      after: { developerId, copyOf },
    })),
  });
  return copies;
}

function transferred(
  app: AppRow,
  { developerId, logos, at }: { developerId: string; logos: Map<string, string>; at: number },
): AppRow {
  const approved = approvedContent(app);
  const copyOf = (id: string | null) => (id === null ? null : (logos.get(id) ?? null));
  const moved = app.logo_id !== null;
  const revision = moved ? app.revision + 1 : app.revision;
  return {
    ...app,
    developer_id: developerId,
    logo_id: copyOf(app.logo_id),
    revision,
    // A copy shows what was approved.
    ...(approved && { approved_content: snapshotText({ ...approved, logo_id: copyOf(approved.logo_id) }) }),
    ...(app.approved_revision === app.revision && { approved_revision: revision }),
    platform_revision: app.platform_revision + 1,
    updated_at: moved ? at : app.updated_at,
  };
}

/** The logo and the revision too, when they have changed. */
function toldOwner(app: AppRow, { moved }: { moved: boolean }): EventData['app.transferred']['after'] {
  return { developerId: app.developer_id, ...(moved && { logoId: app.logo_id, revision: app.revision }) };
}
