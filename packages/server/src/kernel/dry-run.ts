import Type from 'typebox';
import { type AffectedScope, affectedRows, countAffected } from '../storage/kernel-queries.ts';
import type { Connection } from '../storage/query.ts';
import { type Storage, type WriteWork, withWrite } from '../storage/storage.ts';
import { toTypeId } from './ids.ts';
import type { Registry } from './registry.ts';

/** How many ids of each kind are listed. */
const affectedListedMax = 100;

const AffectedObjects = Type.Object({
  count: Type.Integer({ minimum: 0 }),
  ids: Type.Array(Type.String(), { maxItems: affectedListedMax, description: 'The first 100.' }),
});

/** What an operation concerns. */
const Affected = Type.Object(
  { apps: AffectedObjects, installations: AffectedObjects, workspaces: AffectedObjects, tokens: AffectedObjects },
  { $id: 'Affected', description: 'The objects that the operation affects, as they were before.' },
);
type Affected = Type.Static<typeof Affected>;

/** The query parameter of an operation that can be tried. */
export const dryRunQuery = {
  dryRun: Type.Optional(
    Type.Boolean({
      description:
        'Runs the whole operation without changing anything, and adds the affected objects to the response (`affected`).',
    }),
  ),
};

const dryRunResult = { dryRun: Type.Optional(Type.Literal(true)), affected: Type.Optional(Affected) };
type DryRunResult = { dryRun?: true; affected?: Affected };

export const DryRunQuery = Type.Object(dryRunQuery, { additionalProperties: false });

/** The response of an operation that can be tried. */
export function orDryRun<Properties extends Type.TProperties>(response: Type.TObject<Properties>, name: string) {
  const properties: Properties & typeof dryRunResult = { ...response.properties, ...dryRunResult };
  return Type.Object(properties, {
    $id: `${name}OrDryRun`,
    description: 'The result. With `dryRun`, the result that the operation would have, with the affected objects.',
  });
}

/** The object that an operation affects, with ids as they were given. */
export type Scope =
  | { appId: string }
  | { developerId: string }
  | { installationId: string }
  | { workspaceId: string }
  | { tokenId: string };

/**
 * Runs an operation, or tries it as a dry run: that does all the work in a transaction that is rolled back, refuses
 * what the operation refuses, and also returns what would be affected.
 */
export async function runOrTry<Result extends object>(
  registry: Registry,
  { dryRun, scope }: { dryRun: boolean | undefined; scope: Scope },
  work: (registry: Registry) => Promise<Result>,
): Promise<Result & DryRunResult> {
  if (!dryRun) return work(registry);
  let affected: Affected | undefined;
  const storage = rollingBack(registry.storage, async (transaction) => {
    affected = await affectedBy(transaction, normalised(registry, scope));
  });
  const result = await work({ ...registry, storage });
  return { ...result, dryRun: true, ...(affected && { affected }) };
}

/** Carries the result of a write that is rolled back. */
class RolledBack extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('the end of a dry run');
    this.result = result;
  }
}

/** A storage whose writes leave nothing behind. `before` runs in each, before its work. */
function rollingBack(storage: Storage, before: (transaction: Connection) => Promise<void>): Storage {
  return withWrite(storage, async <Result>(work: WriteWork<Result>): Promise<Result> => {
    try {
      return await storage.write(async (transaction) => {
        await before(transaction);
        throw new RolledBack(await work(transaction));
      });
    } catch (error) {
      if (error instanceof RolledBack) return error.result as Result;
      throw error;
    }
  });
}

async function affectedBy(transaction: Connection, scope: AffectedScope): Promise<Affected> {
  const rows = affectedRows(scope);
  const count = (kind: keyof Affected) => countAffected(transaction, { rows: rows[kind], limit: affectedListedMax });
  return {
    apps: await count('apps'),
    installations: await count('installations'),
    workspaces: await count('workspaces'),
    tokens: await count('tokens'),
  };
}

/** The operation itself refuses an invalid id. */
function normalised({ userIdPrefix, workspaceIdPrefix, now }: Registry, scope: Scope): AffectedScope {
  if ('developerId' in scope) {
    return { developerId: toTypeId(scope.developerId, userIdPrefix) ?? scope.developerId, now: now() };
  }
  if ('workspaceId' in scope) {
    return { workspaceId: toTypeId(scope.workspaceId, workspaceIdPrefix) ?? scope.workspaceId };
  }
  return scope;
}
