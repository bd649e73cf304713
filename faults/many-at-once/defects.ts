import type { Defect } from '../frame/defect.ts';

/** Defects that the check of the histories must catch. */
export const defects: Defect[] = [
  {
    name: 'cached-read',
    what: 'Get App uses a cache of 50 ms in each process',
    options: { operations: 3_000 },
    patches: [
      {
        file: 'features/apps/get-app.ts',
        find: 'export async function getApp(registry: Registry, id: string): Promise<ReadApp & { isComplete: boolean }> {',
        replace: `const cache = new Map<string, { at: number; app: Promise<ReadApp & { isComplete: boolean }> }>();
export function getApp(registry: Registry, id: string): Promise<ReadApp & { isComplete: boolean }> {
const known = cache.get(id);
if (known && Date.now() - known.at < 50) return known.app;
const app = readApp(registry, id);
cache.set(id, { at: Date.now(), app });
return app;
}
async function readApp(registry: Registry, id: string): Promise<ReadApp & { isComplete: boolean }> {`,
      },
    ],
  },
  {
    name: 'early-refusal',
    what: 'a write of a batch is refused before the batch is committed (SQLite)',
    options: { engines: 'sqlite', operations: 6_000 },
    patches: [
      {
        file: 'storage/sqlite/sqlite-writer.ts',
        find: 'if (this.#connection.changes > changes) return null;\n        settlers.push(() => write.reject(asStorageFailure(error)));',
        replace:
          'if (this.#connection.changes > changes) return null;\n        write.reject(asStorageFailure(error));\n        settlers.push(() => {});',
      },
    ],
  },
  {
    name: 'no-if-match',
    what: 'an update ignores its If-Match',
    options: { operations: 3_000 },
    patches: [
      {
        file: 'features/apps/change-app.ts',
        find: '  requireRevision(registry, app, condition);\n\n',
        replace: '\n',
      },
    ],
  },
  {
    name: 'no-lock',
    what: 'a write does not lock the app that it reads (PostgreSQL)',
    options: { engines: 'postgres', operations: 6_000 },
    patches: [
      {
        file: 'features/apps/app-queries.ts',
        find: `db.selectFrom('apps').select(columns.apps).where('id', '=', id).forUpdate(),`,
        replace: `db.selectFrom('apps').select(columns.apps).where('id', '=', id),`,
      },
    ],
  },
  {
    name: 'late-count',
    what: 'an installation is counted after its transaction',
    options: { operations: 3_000 },
    patches: [
      {
        file: 'features/installations/installations.ts',
        find: 'updateInstallationCount(transaction, { id: app.id, by: 1, revisionNonce: newRevisionNonce() }),',
        replace: `setTimeout(() => registry.storage.write(async (other) => {
      await updateInstallationCount(other, { id: app.id, by: 1, revisionNonce: newRevisionNonce() });
    }), 5),`,
      },
    ],
  },
  {
    name: 'any-step',
    what: 'every review step is allowed from every status',
    options: { operations: 3_000 },
    patches: [
      {
        file: 'features/apps/review/transitions.ts',
        find: 'if (isAllowed[step](state)) return;',
        replace: 'if (isAllowed[step](state) || (true as boolean)) return;',
      },
    ],
  },
  {
    name: 'held-name',
    what: 'Get App shows the current name while changes are held',
    options: { operations: 2_000 },
    patches: [
      {
        file: 'features/apps/app-view.ts',
        find: 'name: shown.name,\n    createdAt',
        replace: 'name: app.name,\n    createdAt',
      },
    ],
  },
  {
    name: 'late-switch',
    what: 'a process learns the mode when it first needs it, and no switch of another process later',
    options: { operations: 2_000 },
    patches: [
      {
        file: 'features/apps/change-app.ts',
        find: `export async function readChangesToApproved(transaction: Connection): Promise<ChangesToApproved> {
  const settings = await findChangesToApproved(transaction, {});`,
        replace: `let known: { changes_to_approved: ChangesToApproved } | null = null;
export async function readChangesToApproved(transaction: Connection): Promise<ChangesToApproved> {
  known ??= await findChangesToApproved(transaction, {});
  const settings = known;`,
      },
    ],
  },
  {
    name: 'address-stays',
    what: 'a removed address stays effective while changes are held',
    options: { operations: 3_000 },
    patches: [
      {
        file: 'features/apps/next-app.ts',
        find: 'if (!approved || app.cleared_since_approval === null) return approved;',
        replace: 'if (approved || app.cleared_since_approval === null) return approved;',
      },
    ],
  },
  {
    name: 'address-returns',
    what: 'a removed address is effective again as soon as the developer sets it again',
    options: { operations: 6_000 },
    patches: [
      {
        file: 'features/apps/next-app.ts',
        find: 'const isRestored = isRevert && after[column] !== null',
        replace: 'const isRestored = (isRevert || true) && after[column] !== null',
      },
    ],
  },
  {
    name: 'tag-without-mode',
    what: 'the ETag of Get App stays the same when a switch changes what is shown',
    options: { operations: 2_000 },
    patches: [
      {
        file: 'storage/request-lookups.ts',
        find: '[number, revisionNonce, mode, developer]',
        replace: '[number, revisionNonce, developer]',
      },
      {
        file: 'features/apps/next-app.ts',
        find: 'if (isShownChanged || after.developer_id !== before.developer_id)',
        replace:
          'if ((isShownChanged && changesToApproved === changesToApprovedBefore) || after.developer_id !== before.developer_id)',
      },
      {
        file: 'features/apps/review/switch-changes-to-approved.ts',
        find: 'after.platform_revision !== before.platform_revision',
        replace: 'after.shown_at !== before.shown_at',
      },
    ],
  },
  {
    name: 'tag-of-held-change',
    what: 'a held change gives Get App a new ETag',
    options: { operations: 2_000 },
    patches: [
      {
        file: 'features/apps/next-app.ts',
        find: 'if (isShownChanged || after.developer_id !== before.developer_id)',
        replace: 'if (isShownChanged || isContentChanged || after.developer_id !== before.developer_id)',
      },
    ],
  },
  {
    name: 'silent-switch',
    what: 'no event reports that a switch to hold has changed the effective content',
    options: { operations: 2_000 },
    patches: [
      {
        file: 'features/apps/change-app.ts',
        find: 'if (!change && effective.effective === undefined) return null;',
        replace: "if (!change && (effective.effective === undefined || mode === 'hold')) return null;",
      },
    ],
  },
  {
    name: 'approves-newest',
    what: 'an approval takes the current content instead of that of the named revision',
    options: { operations: 3_000 },
    patches: [
      {
        file: 'features/apps/review/review-steps.ts',
        find: '...approvedColumns(reviewed.content, reviewed),',
        replace: '...approvedColumns(app, reviewed),',
      },
    ],
  },
  {
    name: 'discarded-draft',
    what: 'the rejection of a change discards the content of the developer',
    options: { operations: 3_000 },
    patches: [
      {
        file: 'features/apps/review/review-steps.ts',
        find: `import { approvedColumns } from '../app-content.ts';`,
        replace: `import { approvedColumns, approvedContent } from '../app-content.ts';`,
      },
      {
        file: 'features/apps/review/review-steps.ts',
        find: '{ change_since: reviewed.nextAt ?? 0 }',
        replace: '{ ...approvedContent(app), change_since: reviewed.nextAt ?? 0 }',
      },
    ],
  },
  {
    name: 'ineffective-revert',
    what: 'a revert to the approved content leaves a removed address without effect',
    options: { operations: 6_000 },
    patches: [
      {
        file: 'features/apps/next-app.ts',
        find: 'const isRestored = isRevert && after[column] !== null',
        replace: 'const isRestored = isRevert && false && after[column] !== null',
      },
    ],
  },
  {
    name: 'missed-installation',
    what: 'a suspension misses an installation',
    options: { operations: 4_000 },
    patches: [
      {
        file: 'features/suspension/suspensions.ts',
        find: 'changeCauses(transaction, context, { rows, ...causes })',
        replace: 'changeCauses(transaction, context, { rows: rows.slice(1), ...causes })',
      },
    ],
  },
  {
    name: 'enables-all',
    what: 'the end of a suspension enables what its workspace has disabled',
    options: { operations: 3_000 },
    patches: [
      {
        file: 'features/installations/installation.ts',
        find: '(causes.includes(one) && one !== remove)',
        replace: `(causes.includes(one) && remove !== 'suspension' && one !== remove)`,
      },
    ],
  },
  {
    name: 'suspended-token',
    what: 'the token of a suspended developer still reads',
    options: { operations: 4_000 },
    patches: [
      {
        file: 'http/auth/bearer-auth.ts',
        find: `if (kind === 'developer' && principal.isSuspended)`,
        replace: `if ((kind as string) === 'suspended' && principal.isSuspended)`,
      },
    ],
  },
  {
    name: 'early-events',
    what: 'the feed does not wait for unfinished transactions (PostgreSQL)',
    options: { engines: 'postgres', operations: 3_000 },
    patches: [
      {
        file: 'features/events/feed/event-feed-queries.ts',
        find: 'return horizon ? query.where',
        replace: 'return horizon && !(true as boolean) ? query.where',
      },
    ],
  },
];
