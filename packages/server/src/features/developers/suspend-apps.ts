import { newStamp } from '../../kernel/revision.ts';
import type { Position } from '../../storage/page.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppRow, DeveloperRow } from '../../storage/tables.ts';
import { listAppPage, listAppsForUpdate, updateInstallationCounts } from '../apps/app-queries.ts';
import type { ChangesToApproved } from '../apps/effective-content.ts';
import { nextApp } from '../apps/next-app.ts';
import { changesToApproved, type StoredChange, storeApps } from '../apps/store-app.ts';
import type { Change, ChangeContext } from '../events/append-event.ts';
import { withCause, withoutCause } from '../installations/installation.ts';
import { changeCauses, installationsOf, type NextCauses } from '../installations/installation-changes.ts';
import { suspendedColumns, unsuspendedColumns } from './suspended-developer.ts';

const batchMax = 500;

/** What a suspension, or its end, has changed. */
export interface SuspensionCounts {
  apps: number;
  /** Those that were APPROVED, or are again. */
  approvedApps: number;
  installations: number;
}

/** Of which developer, who is locked. */
interface Suspension extends ChangeContext {
  developer: DeveloperRow;
}

/**
 * Inside a write: suspends all apps of a suspended developer and disables their installations. Skips what is already
 * suspended. Works in batches, for constant memory.
 */
export function suspendApps(transaction: Connection, suspension: Suspension): Promise<SuspensionCounts> {
  const { developer } = suspension;
  return changeApps(transaction, suspension, {
    next: (app) => suspendedColumns(app, developer),
    nextCauses: (causes) => withCause(causes, 'suspension'),
  });
}

/** Inside a write: removes the suspension from all apps of a developer and from their installations. */
export function unsuspendApps(
  transaction: Connection,
  suspension: Suspension & { onApp: (app: AppRow) => void },
): Promise<SuspensionCounts> {
  const { onApp } = suspension;
  return changeApps(transaction, suspension, {
    next: (app) => {
      onApp(app);
      return unsuspendedColumns(app);
    },
    nextCauses: (causes) => withoutCause(causes, 'suspension'),
  });
}

interface AppsChange {
  next: (app: AppRow) => Partial<AppRow>;
  nextCauses: NextCauses;
}

/** The developer is locked before their apps, and these in the order of their ids, as every write does that locks both. */
async function changeApps(
  transaction: Connection,
  { developer, ...context }: Suspension,
  { next, nextCauses }: AppsChange,
): Promise<SuspensionCounts> {
  const counts: SuspensionCounts = { apps: 0, approvedApps: 0, installations: 0 };
  for await (const apps of lockedApps(transaction, developer.user_id)) {
    const mode = await changesToApproved(transaction);
    const changes = apps.map((app) => toStored(app, next(app), { at: context.at, mode, developer }));
    const changed = changes.filter(
      ({ before, after }) =>
        after.suspended_status !== before.suspended_status || after.review_status !== before.review_status,
    );
    await storeApps(transaction, context, changed);
    counts.apps += changed.length;
    counts.approvedApps += changed.filter(({ change }) => change !== null).length;
    const shown = new Set(changed.filter(isShown).map(({ after }) => after.id));
    counts.installations += await changeInstallations(transaction, context, { apps, shown, nextCauses });
  }
  return counts;
}

async function* lockedApps(transaction: Connection, developerId: string): AsyncGenerator<AppRow[], undefined> {
  let position: Position | undefined;
  do {
    const page = await listAppPage(transaction, { developerId }, { limit: batchMax, position });
    if (page.rows.length === 0) return;
    const ids = page.rows.map(({ id }) => id);
    const apps = await listAppsForUpdate(transaction, ids);
    // One may have been transferred in between.
    yield apps.filter((app) => app.developer_id === developerId);
    position = page.next;
  } while (position);
}

/** Only an app whose status changes has an event of its own: that is what platforms and its developer see. */
function toStored(
  before: AppRow,
  given: Partial<AppRow>,
  { at, mode, developer }: { at: number; mode: ChangesToApproved; developer: DeveloperRow },
): StoredChange {
  const after = nextApp(before, given, { at, mode });
  if (after.review_status === before.review_status) return { before, after, mode, change: null };
  const isRevoked = after.review_status !== 'APPROVED';
  const change: Change = {
    type: isRevoked ? 'app.revoked' : 'app.approved',
    appId: after.id,
    subjectId: after.id,
    before: { reviewStatus: before.review_status },
    after: {
      reviewStatus: after.review_status,
      revision: after.revision,
      ...(isRevoked && developer.suspension_reason !== null && { reason: developer.suspension_reason }),
      developerSuspended: isRevoked,
    },
  };
  return { before, after, mode, change };
}

/** Whether the platform view has a new revision already. */
function isShown({ before, after }: StoredChange): boolean {
  return before.platform_revision !== after.platform_revision;
}

async function changeInstallations(
  transaction: Connection,
  context: ChangeContext,
  { apps, shown, nextCauses }: { apps: AppRow[]; shown: ReadonlySet<string>; nextCauses: NextCauses },
): Promise<number> {
  let count = 0;
  for await (const rows of installationsOf(transaction, apps)) {
    const changed = await changeCauses(transaction, context, { rows, next: nextCauses });
    count += changed.length;
    const ids = [...new Set(changed.map(({ app_id }) => app_id))].filter((id) => !shown.has(id));
    if (ids.length > 0) await updateInstallationCounts(transaction, { ids, by: 0, stamp: newStamp() });
  }
  return count;
}
