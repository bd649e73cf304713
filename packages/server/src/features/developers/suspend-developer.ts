import { dateTime } from '../../kernel/date-time.ts';
import { requireValid } from '../../kernel/failure.ts';
import { writeIdempotently } from '../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import type { Connection } from '../../storage/query.ts';
import type { DeveloperRow } from '../../storage/tables.ts';
import { appendEvent, type ChangeContext } from '../events/append-event.ts';
import { type SuspendedDeveloper, Suspension } from './developer.ts';
import { replaceDeveloper } from './developer-queries.ts';
import { type ChangedDeveloper, operatorDeveloperView, withoutPerson } from './developer-view.ts';
import { lockDeveloper, requireDeveloperId } from './replace-developer.ts';
import { suspendApps } from './suspend-apps.ts';
import { updateTokensSuspended } from './suspended-app-queries.ts';

/**
 * Suspends a developer (decision 28a): their tokens are refused from the next request on, their approved apps are revoked,
 * all installations of their apps are disabled, and nothing of theirs awaits review. One transaction, for any number of
 * apps. Repeating it retains the first time and reason, and suspends what is not suspended yet. Refuses with
 * `invalid_content` or `developer_not_found`.
 */
export async function suspendDeveloper(
  registry: Registry,
  caller: Caller,
  input: { userId: string; suspension: unknown },
): Promise<SuspendedDeveloper> {
  const { reason } = requireValid(Suspension, input.suspension);
  const userId = requireDeveloperId(registry, input.userId);
  const { row, ...counts } = await writeIdempotently<ChangedDeveloper<SuspendedDeveloper>>(registry, caller, {
    content: ['suspendDeveloper', userId, reason],
    work: async (transaction) => {
      const at = registry.now();
      const before = await lockDeveloper(transaction, userId);
      const isNew = before.suspended_at === null;
      const developer = isNew ? { ...before, suspended_at: at, suspension_reason: reason } : before;
      if (isNew) await replaceDeveloper(transaction, developer);
      const why = { ...caller, reason };
      return { row: developer, ...(await suspendAll(transaction, { caller: why, at }, { developer, isNew })) };
    },
    form: withoutPerson(userId),
  });
  return { ...operatorDeveloperView(row), ...counts };
}

/** Returns how much has changed, and records it unless nothing has. */
async function suspendAll(
  transaction: Connection,
  context: ChangeContext,
  { developer, isNew }: { developer: DeveloperRow; isNew: boolean },
) {
  const { user_id: userId, suspended_at: suspendedAt, suspension_reason: reason } = developer;
  const tokens = await updateTokensSuspended(transaction, { developerId: userId, suspended: 1, now: context.at });
  const counts = { tokens, ...(await suspendApps(transaction, { ...context, developer })) };
  if (isNew || Object.values(counts).some((count) => count > 0)) {
    await appendEvent(transaction, {
      ...context,
      type: 'developer.suspended',
      subjectId: userId,
      after: { suspendedAt: dateTime(suspendedAt ?? context.at), reason: reason ?? '', ...counts },
    });
  }
  return counts;
}
