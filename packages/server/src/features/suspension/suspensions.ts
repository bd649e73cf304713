import Type from 'typebox';
import { DryRunQuery, orDryRun } from '../../kernel/dry-run.ts';
import { write } from '../../kernel/idempotency.ts';
import { AppId } from '../../kernel/ids.ts';
import { byId, operation } from '../../kernel/operation.ts';
import { openString } from '../../kernel/problem-details.ts';
import { newRevisionNonce } from '../../kernel/revision.ts';
import { dateTime } from '../../kernel/text.ts';
import type { Connection } from '../../storage/query.ts';
import type { Position } from '../../storage/row-pages.ts';
import type { AppRow, DeveloperRow } from '../../storage/tables.ts';
import { revokeTokensIn } from '../access/tokens.ts';
import { listAppPage, listAppsForUpdate, updateInstallationCounts } from '../apps/app-queries.ts';
import { readChangesToApproved, type StoredChange, storeApps } from '../apps/change-app.ts';
import { catchUp } from '../apps/comparison/projections.ts';
import { type ChangesToApproved, nextApp } from '../apps/next-app.ts';
import {
  type ChangedDeveloper,
  lockDeveloper,
  operatorDeveloperView,
  replaceDeveloper,
  requireDeveloperId,
  withoutPerson,
} from '../developers/change-developer.ts';
import { erasedEmail, OperatorDeveloper } from '../developers/developer.ts';
import { replaceDeveloper as replaceDeveloperRow } from '../developers/developer-queries.ts';
import { isDecided, suspendedColumns, unsuspendedColumns } from '../developers/suspended-developer.ts';
import { appendEvent, type Change, type ChangeContext } from '../events/append-event.ts';
import { listTransfersSince } from '../events/event-queries.ts';
import type { CausesChange } from '../installations/installation.ts';
import { changeCauses, installationBatches } from '../installations/installation-changes.ts';
import { listDeletedSince, updateTokensSuspended } from './suspension-queries.ts';

/** A developer after erasure. */
const ErasedDeveloper = Type.Object(
  { ...OperatorDeveloper.properties, tokensRevoked: Type.Integer({ minimum: 0 }) },
  { $id: 'ErasedDeveloper', description: 'A developer whose personal data was erased.' },
);
type ErasedDeveloper = Type.Static<typeof ErasedDeveloper>;

/** Removes the personal data of a developer and revokes their tokens. Repeating it changes nothing. */
const eraseDeveloper = operation({
  id: 'eraseDeveloper',
  method: 'POST',
  path: '/operator/v1/developers/:id/erase',
  summary: 'Erase a developer',
  description:
    'Permanently deletes the personal data of a developer and revokes their tokens. The user id, the apps and the history remain.',
  scope: 'admin',
  query: DryRunQuery,
  ifMatch: true,
  response: orDryRun(ErasedDeveloper, 'ErasedDeveloper'),
  refusals: ['developer_not_found'],
  affects: ({ params: { id } }) => ({ developerId: id }),
  command: {
    name: 'developer erase',
    description:
      'Permanently erase the email address and names of a developer, and revoke their tokens. The user id, apps and history remain. If another developer takes over, transfer the apps first.',
    arguments: { id: 'the user id, as a TypeID or UUID' },
    examples: ['app-registry developer erase user_01jq3v8nbtf4mrk6d2m3wz5x7c'],
  },
  async run({ registry, caller, params, ...call }) {
    const userId = requireDeveloperId(registry, params.id);
    const person = { email: erasedEmail, first_name: null, last_name: null };
    const erase = async (transaction: Connection): Promise<ChangedDeveloper<ErasedDeveloper>> => {
      const at = registry.now();
      const before = await lockDeveloper(transaction, userId, call);
      const tokensRevoked = await revokeTokensIn(transaction, { caller, at }, userId);
      const { developer, changed } = await replaceDeveloper(transaction, before, { person, at });
      if (changed.length > 0) {
        await appendEvent(transaction, { caller, at, type: 'developer.erased', subjectId: userId });
      }
      return { row: developer, tokensRevoked };
    };
    const { row, ...result } = await write(registry, caller, erase, { resultCodec: withoutPerson() });
    // Only then is nothing left of the person.
    await catchUp(registry);
    return { ...operatorDeveloperView(row), ...result };
  },
});

const path = '/operator/v1/developers/:id';
const batchMax = 500;
const listedMax = 100;

/** Why a developer is suspended. */
const Suspension = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 2000,
      format: 'reason',
      description: 'The reason, shared with the developer and shown with their apps.',
      examples: ['The apps send customer data elsewhere.'],
    }),
  },
  { $id: 'Suspension', additionalProperties: false },
);

const count = (description: string) => Type.Integer({ minimum: 0, description });
const suspensionCounts = {
  tokens: count('The number of valid tokens that changed.'),
  apps: count('The number of apps that changed.'),
  approvedApps: count('The number of these apps that were APPROVED, or are again.'),
  installations: count('The number of installations whose `disabledBy` changed.'),
};

/** A developer after suspension, and how much it has changed. */
const SuspendedDeveloper = Type.Object(
  { ...OperatorDeveloper.properties, ...suspensionCounts },
  { $id: 'SuspendedDeveloper', description: 'A suspended developer, with counts of what the suspension changed.' },
);
export type SuspendedDeveloper = Type.Static<typeof SuspendedDeveloper>;

/** An app that the end of a suspension leaves as it is. */
const SkippedApp = Type.Object({
  appId: AppId,
  reason: openString(['decided', 'deleted', 'transferred'], {
    description: 'What happened to the app while its developer was suspended. Later releases may add reasons.',
  }),
});
type SkippedApp = Type.Static<typeof SkippedApp>;

/** A developer after the end of a suspension. */
const UnsuspendedDeveloper = Type.Object(
  {
    ...OperatorDeveloper.properties,
    ...suspensionCounts,
    skippedApps: count('The number of apps whose status was not restored, because they changed in the meantime.'),
    skipped: Type.Array(SkippedApp, { maxItems: listedMax, description: 'The first 100.' }),
  },
  {
    $id: 'UnsuspendedDeveloper',
    description: 'A developer who is no longer suspended, with counts of what that changed.',
  },
);
export type UnsuspendedDeveloper = Type.Static<typeof UnsuspendedDeveloper>;

/**
 * Suspends a developer in one transaction, for any number of apps. Repeating it retains the first time and
 * reason, and suspends what is not suspended yet.
 */
const suspendDeveloper = operation({
  id: 'suspendDeveloper',
  method: 'POST',
  path: `${path}/suspend`,
  summary: 'Suspend a developer',
  description:
    'Stops a developer in one atomic step, regardless of the number of apps: blocks their tokens, revokes their approved apps, disables all installations of their apps, and removes their apps and changes from the review queue. Their apps can then not be submitted, approved, installed or enabled, and no app can be transferred to them. A second suspension keeps the first time and reason.',
  scope: 'admin',
  query: DryRunQuery,
  ifMatch: true,
  body: Suspension,
  response: orDryRun(SuspendedDeveloper, 'SuspendedDeveloper'),
  refusals: ['developer_not_found'],
  affects: ({ params: { id } }) => ({ developerId: id }),
  command: {
    name: 'developer suspend',
    description:
      'Suspend a developer immediately: block their tokens, revoke their approved apps, disable all installations of their apps, and remove their apps and changes from the review queue. A second suspension keeps the first time and reason.',
    arguments: { id: 'the user id, as a TypeID or UUID' },
    options: { reason: '<text> the reason, shared with the developer' },
    examples: [
      'app-registry developer suspend user_01jq3v8nbtf4mrk6d2m3wz5x7c --reason "The apps send customer data elsewhere." --dry-run',
    ],
  },
  async run({ registry, caller, params, body: { reason }, ...call }) {
    const userId = requireDeveloperId(registry, params.id);
    const suspend = async (transaction: Connection): Promise<ChangedDeveloper<SuspendedDeveloper>> => {
      const at = registry.now();
      const before = await lockDeveloper(transaction, userId, call);
      const isNew = before.suspended_at === null;
      const suspended = { suspended_at: at, suspension_reason: reason, updated_at: Math.max(at, before.updated_at) };
      const developer = isNew ? { ...before, ...suspended } : before;
      if (isNew) await replaceDeveloperRow(transaction, developer);
      const context = { caller: { ...caller, reason }, at };
      const tokens = await updateTokensSuspended(transaction, { developerId: userId, suspended: 1, now: at });
      const counts = { tokens, apps: 0, approvedApps: 0, installations: 0 };
      for await (const apps of lockedApps(transaction, userId)) {
        const changesToApproved = await readChangesToApproved(transaction);
        const changed = apps.flatMap((app) => {
          const after = nextApp(app, suspendedColumns(app, developer), { at, changesToApproved });
          return changedStatus(app, after, { changesToApproved, developer }) ?? [];
        });
        await storeApps(transaction, context, changed);
        counts.apps += changed.length;
        counts.approvedApps += changed.filter(({ change }) => change !== null).length;
        counts.installations += await changeInstallations(transaction, context, { apps, changed, add: 'suspension' });
      }
      if (isNew || Object.values(counts).some((count) => count > 0)) {
        const { suspended_at: suspendedAt, suspension_reason: stored } = developer;
        await appendEvent(transaction, {
          ...context,
          type: 'developer.suspended',
          subjectId: userId,
          after: { suspendedAt: dateTime(suspendedAt ?? at), reason: stored ?? '', ...counts },
        });
      }
      return { row: developer, ...counts };
    };
    const { row, ...counts } = await write(registry, caller, suspend, { resultCodec: withoutPerson() });
    return { ...operatorDeveloperView(row), ...counts };
  },
});

/**
 * Undoes exactly what the suspension did: apps get back their status and their place in the review queue, installations are
 * enabled unless something else disables them, and valid tokens work again. Repeating it changes nothing.
 */
const unsuspendDeveloper = operation({
  id: 'unsuspendDeveloper',
  method: 'POST',
  path: `${path}/unsuspend`,
  summary: 'End the suspension of a developer',
  description:
    'Undoes the effects of the suspension. Apps that were reviewed, deleted or transferred in the meantime stay as they are and are listed. Tokens that have expired or were revoked stay invalid.',
  scope: 'admin',
  query: DryRunQuery,
  ifMatch: true,
  response: orDryRun(UnsuspendedDeveloper, 'UnsuspendedDeveloper'),
  refusals: ['developer_not_found'],
  affects: ({ params: { id } }) => ({ developerId: id }),
  command: {
    name: 'developer unsuspend',
    description:
      'End a suspension and undo its effects. Apps that were reviewed, deleted or transferred in the meantime stay as they are and are listed.',
    arguments: { id: 'the user id, as a TypeID or UUID' },
    examples: ['app-registry developer unsuspend user_01jq3v8nbtf4mrk6d2m3wz5x7c'],
  },
  async run({ registry, caller, params, ...call }) {
    const userId = requireDeveloperId(registry, params.id);
    const unsuspend = async (transaction: Connection): Promise<ChangedDeveloper<UnsuspendedDeveloper>> => {
      const at = registry.now();
      const context = { caller, at };
      const before = await lockDeveloper(transaction, userId, call);
      const active = { suspended_at: null, suspension_reason: null, updated_at: Math.max(at, before.updated_at) };
      const developer = before.suspended_at === null ? before : { ...before, ...active };
      await replaceDeveloperRow(transaction, developer);

      const skipped = await listGone(transaction, before);
      const tokens = await updateTokensSuspended(transaction, { developerId: userId, suspended: 0, now: at });
      const counts = { tokens, apps: 0, approvedApps: 0, installations: 0 };
      for await (const apps of lockedApps(transaction, userId)) {
        const changesToApproved = await readChangesToApproved(transaction);
        skipped.push(...apps.filter(isDecided).map(({ id }) => ({ appId: id, reason: 'decided' as const })));
        const changed = apps.flatMap((app) => {
          const after = nextApp(app, unsuspendedColumns(app), { at, changesToApproved });
          return changedStatus(app, after, { changesToApproved, developer: before }) ?? [];
        });
        await storeApps(transaction, context, changed);
        counts.apps += changed.length;
        counts.approvedApps += changed.filter(({ change }) => change !== null).length;
        const ended = { apps, changed, remove: 'suspension' } as const;
        counts.installations += await changeInstallations(transaction, context, ended);
      }
      if (before.suspended_at !== null) {
        await appendEvent(transaction, {
          ...context,
          type: 'developer.unsuspended',
          subjectId: userId,
          before: { suspendedAt: dateTime(before.suspended_at), reason: before.suspension_reason ?? '' },
          after: counts,
        });
      }
      return { row: developer, ...counts, skippedApps: skipped.length, skipped: skipped.slice(0, listedMax) };
    };
    const { row, ...result } = await write(registry, caller, unsuspend, { resultCodec: withoutPerson() });
    return { ...operatorDeveloperView(row), ...result };
  },
});

/** What concerns all that a developer has. */
export const suspensionOperations = byId(eraseDeveloper, suspendDeveloper, unsuspendDeveloper);

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

/**
 * Batches of the apps of a locked developer, for constant memory. Every write that locks both a developer and their apps
 * locks the developer first, and these in the order of their ids.
 */
async function* lockedApps(transaction: Connection, developerId: string): AsyncGenerator<AppRow[], undefined> {
  let position: Position | undefined;
  do {
    const page = await listAppPage(
      transaction,
      { developerId },
      { limit: batchMax, position, sorting: { order: ['id'] } },
    );
    if (page.rows.length === 0) return;
    const ids = page.rows.map(({ id }) => id);
    const apps = await listAppsForUpdate(transaction, ids);
    // One may have been transferred in between.
    yield apps.filter((app) => app.developer_id === developerId);
    position = page.next;
  } while (position);
}

/**
 * The change to store; null if there is none. Only an app whose status changes has an event of its own, because that is
 * what platforms and its developer see.
 */
function changedStatus(
  before: AppRow,
  after: AppRow,
  { changesToApproved, developer }: { changesToApproved: ChangesToApproved; developer: DeveloperRow },
): StoredChange | null {
  if (after.review_status === before.review_status) {
    const isSame = after.suspended_status === before.suspended_status;
    return isSame ? null : { before, after, changesToApproved, change: null };
  }
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
  return { before, after, changesToApproved, change };
}

/** Changes the causes of all installations of some apps. Returns how many have changed. */
async function changeInstallations(
  transaction: Connection,
  context: ChangeContext,
  { apps, changed, ...causes }: { apps: AppRow[]; changed: StoredChange[] } & CausesChange,
): Promise<number> {
  // Their platform view has a new revision already.
  const shown = changed.filter(({ before, after }) => before.platform_revision !== after.platform_revision);
  const shownIds = new Set(shown.map(({ after }) => after.id));
  let count = 0;
  for await (const rows of installationBatches(transaction, apps)) {
    const changedRows = await changeCauses(transaction, context, { rows, ...causes });
    count += changedRows.length;
    const ids = [...new Set(changedRows.map(({ app_id }) => app_id))].filter((id) => !shownIds.has(id));
    if (ids.length > 0) await updateInstallationCounts(transaction, { ids, by: 0, revisionNonce: newRevisionNonce() });
  }
  return count;
}
