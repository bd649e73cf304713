import { dateTime } from '../../kernel/date-time.ts';
import { writeIdempotently } from '../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import type { Connection } from '../../storage/query.ts';
import type { DeveloperRow } from '../../storage/tables.ts';
import { appendEvent } from '../events/append-event.ts';
import type { SkippedApp, UnsuspendedDeveloper } from './developer.ts';
import { replaceDeveloper } from './developer-queries.ts';
import { type ChangedDeveloper, operatorDeveloperView, withoutPerson } from './developer-view.ts';
import { lockDeveloper, requireDeveloperId } from './replace-developer.ts';
import { unsuspendApps } from './suspend-apps.ts';
import { listDeletedSince, listTransfersSince, updateTokensSuspended } from './suspended-app-queries.ts';
import { isDecided } from './suspended-developer.ts';

const listedMax = 100;

/**
 * Ends the suspension of a developer: exactly what it did is undone. Apps get back their status and their place in the
 * review queue, installations are enabled unless something else disables them, and valid tokens work again. Apps that were
 * decided on, deleted or transferred meanwhile are skipped, and listed. Repeating it changes nothing. Refuses with
 * `developer_not_found`.
 */
export async function unsuspendDeveloper(
  registry: Registry,
  caller: Caller,
  id: string,
): Promise<UnsuspendedDeveloper> {
  const userId = requireDeveloperId(registry, id);
  const { row, ...result } = await writeIdempotently<ChangedDeveloper<UnsuspendedDeveloper>>(registry, caller, {
    content: ['unsuspendDeveloper', userId],
    work: async (transaction) => {
      const at = registry.now();
      const before = await lockDeveloper(transaction, userId);
      const developer = { ...before, suspended_at: null, suspension_reason: null };
      await replaceDeveloper(transaction, developer);

      const skipped = await listGone(transaction, before);
      const tokens = await updateTokensSuspended(transaction, { developerId: userId, suspended: 0, now: at });
      const onApp = (app: Parameters<typeof isDecided>[0] & { id: string }) => {
        if (isDecided(app)) skipped.push({ appId: app.id, reason: 'decided' });
      };
      const counts = { tokens, ...(await unsuspendApps(transaction, { caller, at, developer: before, onApp })) };
      if (before.suspended_at !== null) {
        await appendEvent(transaction, {
          caller,
          at,
          type: 'developer.unsuspended',
          subjectId: userId,
          before: { suspendedAt: dateTime(before.suspended_at), reason: before.suspension_reason ?? '' },
          after: counts,
        });
      }
      return { row: developer, ...counts, skippedApps: skipped.length, skipped: skipped.slice(0, listedMax) };
    },
    form: withoutPerson(userId),
  });
  return { ...operatorDeveloperView(row), ...result };
}

/** The apps that were deleted or transferred while their developer was suspended. */
async function listGone(transaction: Connection, developer: DeveloperRow): Promise<SkippedApp[]> {
  const { user_id: developerId, suspended_at: since } = developer;
  if (since === null) return [];
  const deleted = await listDeletedSince(transaction, { developerId, since });
  const transfers = await listTransfersSince(transaction, { since });
  const transferred = transfers.filter(({ before }) => JSON.parse(before ?? '{}').developerId === developerId);
  return [
    ...deleted.map(({ id }) => ({ appId: id, reason: 'deleted' as const })),
    ...transferred.flatMap(({ app_id }) =>
      app_id === null ? [] : [{ appId: app_id, reason: 'transferred' as const }],
    ),
  ];
}
