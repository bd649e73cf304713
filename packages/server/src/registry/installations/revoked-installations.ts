import {
  deleteRevokedInstallations,
  listEnabledInstallations,
  listRevokedInstallations,
  updateInstallationsEnabled,
} from '../../storage/queries/revoked-installations.ts';
import type { Connection } from '../../storage/query.ts';
import { appendEvents } from '../events/append-event.ts';
import type { Caller } from '../registry.ts';

const batchMax = 1_000;

/** A review step in progress: its app is locked, and thereby its installations. */
interface Review {
  caller: Caller;
  at: number;
  appId: string;
}

/** Disables every enabled installation of an app until the app is approved again (decision 28). */
export async function disableInstallations(transaction: Connection, { caller, at, appId }: Review): Promise<void> {
  let last = { id: '', created_at: Number.MIN_SAFE_INTEGER };
  for (;;) {
    const { id, created_at: createdAt } = last;
    const batch = await listEnabledInstallations(transaction, { appId, createdAt, id, limit: batchMax });
    if (batch.length === 0) return;
    const ids = batch.map((row) => row.id);
    await updateInstallationsEnabled(transaction, { ids, enabled: 0 });
    await transaction.insertNew(
      'revoked_installations',
      ids.map((id) => ({ id, app_id: appId })),
    );
    await appendEvents(transaction, {
      caller,
      at,
      changes: ids.map((subjectId) => ({
        type: 'installation.disabled',
        appId,
        subjectId,
        before: { enabled: true },
        after: { enabled: false, untilApproved: true },
      })),
    });
    last = batch.at(-1) ?? last;
  }
}

/** Enables them again, except those whose workspace has enabled or disabled them since. */
export async function enableInstallations(transaction: Connection, { caller, at, appId }: Review): Promise<void> {
  let lastId = '';
  for (;;) {
    const batch = await listRevokedInstallations(transaction, { appId, id: lastId, limit: batchMax });
    if (batch.length === 0) break;
    const ids = batch.filter(({ enabled }) => enabled === 0).map(({ id }) => id);
    if (ids.length > 0) await updateInstallationsEnabled(transaction, { ids, enabled: 1 });
    await appendEvents(transaction, {
      caller,
      at,
      changes: ids.map((subjectId) => ({
        type: 'installation.enabled',
        appId,
        subjectId,
        before: { enabled: false, untilApproved: true },
        after: { enabled: true },
      })),
    });
    lastId = batch.at(-1)?.id ?? lastId;
  }
  await deleteRevokedInstallations(transaction, { appId });
}
