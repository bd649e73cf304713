import { updateInstallationCount } from '../../../server/src/features/apps/app-queries.ts';
import { newRevisionNonce } from '../../../server/src/kernel/revision.ts';
import type { Storage } from '../../../server/src/storage/storage.ts';
import { execute } from '../storage/storage-test.ts';

const batchSize = 10_000;
const firstAt = Date.parse('2026-03-01T09:30:00.000Z');

interface Many {
  appId: string;
  count: number;
  userId: string;
}

/** Inserts installations of an app directly into the table, newest first. */
export async function addInstallations(storage: Storage, { count, ...given }: Many): Promise<void> {
  for (let end = count; end > 0; end -= batchSize) {
    const start = Math.max(0, end - batchSize);
    await storage.write(async (transaction) => {
      await execute(transaction, insertion({ ...given, start, end }));
      await updateInstallationCount(transaction, {
        id: given.appId,
        by: end - start,
        revisionNonce: newRevisionNonce(),
      });
    });
  }
}

/**
 * The database makes the rows: that takes a small part of the time of sending them. Three installations share each
 * millisecond, so that their order depends on ids too.
 */
function insertion({ appId, userId, start, end }: Omit<Many, 'count'> & { start: number; end: number }): string {
  const suffix = `'0${appId.slice(-15)}' || substr(cast(10000000000 + at as text), 2)`;
  return `with recursive positions(at) as (select ${start} union all select at + 1 from positions where at < ${end - 1})
    insert into installations (id, app_id, workspace_id, user_id, enabled, created_at)
    select 'installation_' || ${suffix}, '${appId}', 'workspace_' || ${suffix}, '${userId}',
      case at % 5 when 0 then 0 else 1 end, ${firstAt} + at / 3
    from positions`;
}
