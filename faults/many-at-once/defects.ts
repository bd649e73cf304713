import type { Defect } from '../harness/defect.ts';

/** Defects that the check of the histories must catch. */
export const defects: Defect[] = [
  {
    name: 'cached-read',
    what: 'Get App uses a cache of 50 ms in each process',
    options: { operations: 3_000 },
    patches: [
      {
        file: 'features/apps/get-app.ts',
        in: 'getApp',
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
    name: 'no-lock',
    what: 'a write does not lock the app that it reads (PostgreSQL)',
    options: { engines: 'postgres', operations: 6_000 },
    patches: [
      {
        file: 'features/apps/app-queries.ts',
        in: 'findAppForUpdate',
        find: `db.selectFrom('apps').select(columns.apps).where('id', '=', id).forUpdate(),`,
        replace: `db.selectFrom('apps').select(columns.apps).where('id', '=', id),`,
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
        in: 'approveApp',
        find: '...approvedColumns(reviewed.content, reviewed),',
        replace: '...approvedColumns(app, reviewed),',
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
        in: 'changeInstallations',
        find: 'changeCauses(transaction, context, { rows, ...causes })',
        replace: 'changeCauses(transaction, context, { rows: rows.slice(1), ...causes })',
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
        in: 'readable',
        find: 'return horizon ? query.where',
        replace: 'return horizon && !(true as boolean) ? query.where',
      },
    ],
  },
];
