import Type from 'typebox';
import { DryRunQuery, orDryRun } from '../../kernel/dry-run.ts';
import { write } from '../../kernel/idempotency.ts';
import { AppId } from '../../kernel/ids.ts';
import { byId, operation } from '../../kernel/operation.ts';
import { openString } from '../../kernel/problem-details.ts';
import { newRevisionNonce } from '../../kernel/revision.ts';
import { dateTime } from '../../kernel/time.ts';
import type { Connection } from '../../storage/query.ts';
import type { Position } from '../../storage/row-pages.ts';
import type { AppRow, DeveloperRow } from '../../storage/tables.ts';
import { revokeTokensIn } from '../access/tokens.ts';
import { listAppPage, listAppsForUpdate, updateInstallationCounts } from '../apps/app-queries.ts';
import { developerRecord } from '../apps/app-view.ts';
import { type ChangesToApproved, nextApp } from '../apps/next-app.ts';
import { changesToApproved, type StoredChange, storeApps } from '../apps/store-app.ts';
import {
  type ChangedDeveloper,
  lockDeveloper,
  operatorDeveloperView,
  replaceDeveloper,
  requireDeveloperId,
  withoutPerson,
} from '../developers/change-developer.ts';
import { Developer, erasedEmail, OperatorDeveloper } from '../developers/developer.ts';
import { replaceDeveloper as replaceDeveloperRow } from '../developers/developer-queries.ts';
import { appendEvent, type Change, type ChangeContext } from '../events/append-event.ts';
import { withCause, withoutCause } from '../installations/installation.ts';
import { changeCauses, installationsOf, type NextCauses } from '../installations/installation-changes.ts';
import { catchUp } from '../search/projections.ts';
import { isDecided, suspendedColumns, unsuspendedColumns } from './suspended-developer.ts';
import { listDeletedSince, listTransfersSince, updateTokensSuspended } from './suspension-queries.ts';

/** A developer after erasure. */
const ErasedDeveloper = Type.Object(
  { ...Developer.properties, tokensRevoked: Type.Integer({ minimum: 0 }) },
  { $id: 'ErasedDeveloper', description: 'A developer whose personal data was erased.' },
);

/** Removes the personal data of a developer and revokes their tokens (decision 36). Repeating it changes nothing. */
export const eraseDeveloper = operation({
  id: 'eraseDeveloper',
  method: 'POST',
  path: '/operator/v1/developers/:userId/erase',
  summary: 'Erase a developer',
  description:
    'Permanently deletes the personal data of a developer and revokes their tokens. The user id, the apps and the history remain.',
  scope: 'admin',
  query: DryRunQuery,
  response: orDryRun(ErasedDeveloper, 'ErasedDeveloper'),
  refusals: ['developer_not_found'],
  affects: ({ params: { userId } }) => ({ developerId: userId }),
  command: {
    name: 'developer erase',
    description:
      'Permanently erase the email address and names of a developer, and revoke their tokens. The user id, apps and history remain. If another developer takes over, transfer the apps first.',
    arguments: { userId: '<id> the user id, as a TypeID or UUID' },
    examples: ['app-registry developer erase user_01jq3v8nbtf4mrk6d2m3wz5x7c'],
  },
  async run({ registry, caller, params }) {
    const userId = requireDeveloperId(registry, params.userId);
    const person = { email: erasedEmail, first_name: null, last_name: null };
    const erased = await write(registry, caller, async (transaction) => {
      const at = registry.now();
      const before = await lockDeveloper(transaction, userId);
      const tokensRevoked = await revokeTokensIn(transaction, { caller, at }, userId);
      const { developer, changed } = await replaceDeveloper(transaction, before, { person, at });
      if (changed.length > 0) {
        await appendEvent(transaction, { caller, at, type: 'developer.erased', subjectId: userId });
      }
      return { ...developerRecord(developer), tokensRevoked };
    });
    // Only then is nothing left of the person.
    await catchUp(registry);
    return erased;
  },
});

const path = '/operator/v1/developers/:userId';
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
 * Suspends a developer (decision 28a) in one transaction, for any number of apps. Repeating it retains the first time and
 * reason, and suspends what is not suspended yet.
 */
export const suspendDeveloper = operation({
  id: 'suspendDeveloper',
  method: 'POST',
  path: `${path}/suspend`,
  summary: 'Suspend a developer',
  description:
    'Stops a developer in one atomic step, regardless of the number of apps: blocks their tokens, revokes their approved apps, disables all installations of their apps, and removes their apps and changes from the review queue. Their apps can then not be submitted, approved, installed or enabled, and no app can be transferred to them. A second suspension keeps the first time and reason.',
  scope: 'admin',
  query: DryRunQuery,
  body: Suspension,
  response: orDryRun(SuspendedDeveloper, 'SuspendedDeveloper'),
  refusals: ['developer_not_found'],
  affects: ({ params: { userId } }) => ({ developerId: userId }),
  command: {
    name: 'developer suspend',
    description:
      'Suspend a developer immediately: block their tokens, revoke their approved apps, disable all installations of their apps, and remove their apps and changes from the review queue. A second suspension keeps the first time and reason.',
    arguments: { userId: '<id> the user id, as a TypeID or UUID' },
    options: { reason: '<text> the reason, shared with the developer' },
    examples: [
      'app-registry developer suspend user_01jq3v8nbtf4mrk6d2m3wz5x7c --reason "The apps send customer data elsewhere." --dry-run',
    ],
  },
  async run({ registry, caller, params, body: { reason } }) {
    const userId = requireDeveloperId(registry, params.userId);
    const suspend = async (transaction: Connection): Promise<ChangedDeveloper<SuspendedDeveloper>> => {
      const at = registry.now();
      const before = await lockDeveloper(transaction, userId);
      const isNew = before.suspended_at === null;
      const developer = isNew ? { ...before, suspended_at: at, suspension_reason: reason } : before;
      if (isNew) await replaceDeveloperRow(transaction, developer);
      const why = { caller: { ...caller, reason }, at };
      const tokens = await updateTokensSuspended(transaction, { developerId: userId, suspended: 1, now: at });
      const counts = { tokens, ...(await suspendApps(transaction, { ...why, developer })) };
      if (isNew || Object.values(counts).some((count) => count > 0)) {
        const { suspended_at: suspendedAt, suspension_reason: stored } = developer;
        await appendEvent(transaction, {
          ...why,
          type: 'developer.suspended',
          subjectId: userId,
          after: { suspendedAt: dateTime(suspendedAt ?? at), reason: stored ?? '', ...counts },
        });
      }
      return { row: developer, ...counts };
    };
    const { row, ...counts } = await write(registry, caller, suspend, { resultCodec: withoutPerson(userId) });
    return { ...operatorDeveloperView(row), ...counts };
  },
});

/**
 * Undoes exactly what the suspension did: apps get back their status and their place in the review queue, installations are
 * enabled unless something else disables them, and valid tokens work again. Repeating it changes nothing.
 */
export const unsuspendDeveloper = operation({
  id: 'unsuspendDeveloper',
  method: 'POST',
  path: `${path}/unsuspend`,
  summary: 'End the suspension of a developer',
  description:
    'Undoes the effects of the suspension. Apps that were reviewed, deleted or transferred in the meantime stay as they are and are listed. Tokens that have expired or were revoked stay invalid.',
  scope: 'admin',
  query: DryRunQuery,
  response: orDryRun(UnsuspendedDeveloper, 'UnsuspendedDeveloper'),
  refusals: ['developer_not_found'],
  affects: ({ params: { userId } }) => ({ developerId: userId }),
  command: {
    name: 'developer unsuspend',
    description:
      'End a suspension and undo its effects. Apps that were reviewed, deleted or transferred in the meantime stay as they are and are listed.',
    arguments: { userId: '<id> the user id, as a TypeID or UUID' },
    examples: ['app-registry developer unsuspend user_01jq3v8nbtf4mrk6d2m3wz5x7c'],
  },
  async run({ registry, caller, params }) {
    const userId = requireDeveloperId(registry, params.userId);
    const unsuspend = async (transaction: Connection): Promise<ChangedDeveloper<UnsuspendedDeveloper>> => {
      const at = registry.now();
      const before = await lockDeveloper(transaction, userId);
      const developer = { ...before, suspended_at: null, suspension_reason: null };
      await replaceDeveloperRow(transaction, developer);

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
    };
    const { row, ...result } = await write(registry, caller, unsuspend, { resultCodec: withoutPerson(userId) });
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

/** What a suspension, or its end, has changed. */
interface SuspensionCounts {
  apps: number;
  /** Those that were APPROVED, or are again. */
  approvedApps: number;
  installations: number;
}

/** Of which developer, who is locked. */
interface SuspensionStep extends ChangeContext {
  developer: DeveloperRow;
}

/**
 * Inside a write: suspends all apps of a suspended developer and disables their installations. Skips what is already
 * suspended. Works in batches, for constant memory.
 */
function suspendApps(transaction: Connection, step: SuspensionStep): Promise<SuspensionCounts> {
  const { developer } = step;
  return changeApps(transaction, step, {
    next: (app) => suspendedColumns(app, developer),
    nextCauses: (causes) => withCause(causes, 'suspension'),
  });
}

/** Inside a write: removes the suspension from all apps of a developer and from their installations. */
function unsuspendApps(
  transaction: Connection,
  step: SuspensionStep & { onApp: (app: AppRow) => void },
): Promise<SuspensionCounts> {
  const { onApp } = step;
  return changeApps(transaction, step, {
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
  { developer, ...context }: SuspensionStep,
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
    if (ids.length > 0) await updateInstallationCounts(transaction, { ids, by: 0, revisionNonce: newRevisionNonce() });
  }
  return count;
}
