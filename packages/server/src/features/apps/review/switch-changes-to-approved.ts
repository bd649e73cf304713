import { Failure } from '../../../kernel/failure.ts';
import type { Caller, Registry } from '../../../kernel/registry.ts';
import type { Connection } from '../../../storage/query.ts';
import type { AppRow } from '../../../storage/tables.ts';
import type { Change } from '../../events/append-event.ts';
import { findLogoOfDeveloper } from '../../logos/logo-queries.ts';
import { approvedColumns } from '../app-content.ts';
import { listAppsChangedSinceApproval, lockAllApps } from '../app-queries.ts';
import { storeApp } from '../change-app.ts';
import { awaitsDecisions, type ChangesToApproved, nextApp, shownContent, undecidedColumns } from '../next-app.ts';
import { recordDecision } from './decisions.ts';
import { currentRevision } from './reviewed-revision.ts';

/** What happens to changes that await a decision when the setting switches to hold. */
type ExistingChanges = 'approve' | 'hold';

interface Switch {
  registry: Registry;
  caller: Caller;
  to: ChangesToApproved;
  existing: ExistingChanges | undefined;
}

const batchMax = 500;
const listedMax = 10;

/**
 * Inside a write that changes the setting: updates what consumers get of each app, at this time, so that no `updatedAt`
 * moves backwards. Refuses a switch to hold with `changes_undecided`, unless the caller decides what happens to changes
 * that await a decision.
 */
export async function switchChangesToApproved(transaction: Connection, { registry, ...step }: Switch): Promise<void> {
  await lockAllApps(transaction, registry.storage.engine);
  // Not before the changes that the lock waited for, so that none has the same time as the switch.
  const at = registry.now();
  if (step.to === 'hold' && !step.existing) await refuseUndecided(transaction);
  for await (const app of changedApps(transaction)) await switchApp(transaction, app, { ...step, at });
}

async function switchApp(
  transaction: Connection,
  before: AppRow,
  { caller, at, to, existing }: Omit<Switch, 'registry'> & { at: number },
): Promise<void> {
  const isApproved =
    to === 'hold' && existing === 'approve' && isUndecided(before) && !(await hasBlockedLogo(transaction, before));
  const changesToApprovedBefore = to === 'hold' ? 'live' : 'hold';
  const given = isApproved
    ? approvedColumns(before, { revision: before.revision, revisionNonce: before.revision_nonce })
    : queuedAgain(before, { to, at });
  const setting = { changesToApproved: to, changesToApprovedBefore } as const;
  const after = nextApp(before, given, { at, ...setting });
  const change = isApproved ? changeApproved(before, after) : null;
  const isStored = after.platform_revision !== before.platform_revision || after.change_since !== before.change_since;
  if (change || isStored) {
    const event = await storeApp(transaction, { caller, at }, { before, after, ...setting, change });
    const decision = { app: before, step: 'approve', reviewed: currentRevision(before), details: {} } as const;
    if (change && event) await recordDecision(transaction, { ...decision, event });
  }
}

/** The event that the current content of a changed app was approved. */
function changeApproved(before: AppRow, after: AppRow): Change {
  return {
    type: 'app.change_approved',
    appId: after.id,
    subjectId: after.id,
    before: { reviewStatus: before.review_status },
    after: { reviewStatus: after.review_status, revision: after.revision },
  };
}

/** A rejected change has effect once changes are live: it awaits a decision again, since the switch. */
function queuedAgain(app: AppRow, { to, at }: Pick<Switch, 'to'> & { at: number }): Partial<AppRow> {
  const isRejected = app.change_since === 0 && awaitsDecisions(app) && undecidedColumns(app).length > 0;
  return to === 'live' && isRejected ? { change_since: at } : {};
}

/** Every app that may be shown otherwise under the other value. */
async function* changedApps(transaction: Connection): AsyncGenerator<AppRow, undefined> {
  for (const status of ['APPROVED', 'AWAITING_REVIEW', 'DRAFT', 'REJECTED'] as const) {
    let id = '';
    for (;;) {
      const apps = await listAppsChangedSinceApproval(transaction, { status, id, limit: batchMax });
      yield* apps;
      id = apps.at(-1)?.id ?? id;
      if (apps.length < batchMax) break;
    }
  }
}

function isUndecided(app: AppRow): boolean {
  return app.review_status === 'APPROVED' && undecidedColumns(app).length > 0;
}

/** As `approve` refuses: such a change is held until a reviewer decides on it. */
async function hasBlockedLogo(transaction: Connection, app: AppRow): Promise<boolean> {
  if (app.logo_id === null) return false;
  const logo = await findLogoOfDeveloper(transaction, { id: app.logo_id, developerId: app.developer_id });
  return logo !== null && logo.blocked_at !== null;
}

async function refuseUndecided(transaction: Connection): Promise<void> {
  const names: string[] = [];
  let count = 0;
  for await (const app of changedApps(transaction)) {
    if (!isUndecided(app)) continue;
    count += 1;
    if (names.length < listedMax) names.push(`${app.id} (${JSON.stringify(shownContent(app, 'hold').name)})`);
  }
  if (count === 0) return;
  const listed = `${names.join(', ')}${count > listedMax ? ' and more' : ''}`;
  const apps = count === 1 ? 'One approved app has' : `${count} approved apps have`;
  throw new Failure(
    'changes_undecided',
    `${apps} changes that await a decision: ${listed}. Set what happens to these changes with \`existing\`: "approve" approves them as they are now; "hold" shows the approved content until a decision.`,
  );
}
