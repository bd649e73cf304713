import type { Mutant } from '../frame/mutant.ts';

/** Defects that the check of the histories must catch. */
export const mutants: Mutant[] = [
  {
    name: 'cached-read',
    what: 'Get App uses a cache of 50 ms in each process',
    options: { operations: 3_000 },
    patches: [
      {
        file: 'registry/apps/get-app.ts',
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
        file: 'storage/sqlite/writer.ts',
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
        file: 'registry/apps/change-app-content.ts',
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
        file: 'storage/queries/apps.ts',
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
        file: 'registry/installations/create-installation.ts',
        find: 'await updateInstallationCount(transaction, { id: app.id, by: 1, stamp: newStamp() });',
        replace: `setTimeout(() => registry.storage.write(async (later) => {
      await updateInstallationCount(later, { id: app.id, by: 1, stamp: newStamp() });
    }), 5);`,
      },
    ],
  },
  {
    name: 'any-step',
    what: 'every review step is allowed from every status',
    options: { operations: 3_000 },
    patches: [
      {
        file: 'registry/review/review-app.ts',
        find: 'if (!transitions[step].from.includes(status)) {',
        replace: 'if (false as boolean) {',
      },
    ],
  },
];
