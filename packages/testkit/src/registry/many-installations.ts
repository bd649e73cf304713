import { newStamp } from '../../../server/src/registry/revision.ts';
import { updateInstallationCount } from '../../../server/src/storage/queries/apps.ts';
import type { Storage } from '../../../server/src/storage/storage.ts';
import type { InstallationRow } from '../../../server/src/storage/tables.ts';

const batchSize = 10_000;
const firstAt = Date.parse('2026-03-01T09:30:00.000Z');

/** Inserts installations of an app directly into the table, newest first. */
export async function addInstallations(
  storage: Storage,
  { appId, count, userId }: { appId: string; count: number; userId: string },
): Promise<void> {
  for (let end = count; end > 0; end -= batchSize) {
    const start = Math.max(0, end - batchSize);
    const rows = Array.from({ length: end - start }, (_, at) => installationRow({ appId, userId, at: start + at }));
    await storage.write(async (transaction) => {
      await transaction.insertNew('installations', rows);
      await updateInstallationCount(transaction, { id: appId, by: rows.length, stamp: newStamp() });
    });
  }
}

/** Three installations share each millisecond, so that their order depends on ids too. */
function installationRow({ appId, userId, at }: { appId: string; userId: string; at: number }): InstallationRow {
  const suffix = `0${appId.slice(-15)}${String(at).padStart(10, '0')}`;
  return {
    id: `installation_${suffix}`,
    app_id: appId,
    workspace_id: `workspace_${suffix}`,
    user_id: userId,
    enabled: at % 5 === 0 ? 0 : 1,
    created_at: firstAt + Math.floor(at / 3),
  };
}
