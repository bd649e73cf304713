import { streamDeletedApps } from '../../storage/queries/deleted-apps.ts';
import { streamIdempotentResponses, streamLogoOwners, streamTokens } from '../../storage/queries/invariants.ts';
import { streamApps, streamDevelopers, streamInstallations } from '../../storage/queries/table-rows.ts';
import type { Snapshot } from '../../storage/snapshot.ts';
import type { Registry } from '../registry.ts';
import { checksBetweenRows } from './check-between-rows.ts';
import { deletedAppFaults } from './check-deleted-app.ts';
import { logoFaults } from './check-logos.ts';
import { answerFaults, appFaults, developerFaults, type Finding, idFaults, installationFaults } from './check-row.ts';

const toldMax = 1_000;

/** How many objects were checked. */
export interface CheckedRegistry {
  developers: number;
  logos: number;
  apps: number;
  deletedApps: number;
  installations: number;
  tokens: number;
}

/** What is stored is not what the rules can have stored. */
export class InconsistentRegistry extends Error {
  override readonly name = 'InconsistentRegistry';
  /** The first 1,000. */
  readonly findings: Finding[];

  constructor(count: number, findings: Finding[]) {
    const told = count > findings.length ? `, of which the first ${findings.length} are told here` : '';
    const what = count === 1 ? 'one fault' : `${count} faults`;
    super(`The registry has ${what}${told}. Nothing was changed. Restore a backup, or correct the rows.`);
    this.findings = findings;
  }
}

/**
 * Checks the whole registry at one moment, in memory that does not grow with it: counts equal rows,
 * references hold, logos are their developers' own, ids are TypeIDs of their kind, names are keyed and unique,
 * revisions are in order, deleted apps can be restored, what waits for an approval is disabled, and each object
 * has the event of its creation. Throws `InconsistentRegistry` when anything is otherwise.
 */
export async function checkRegistry(registry: Registry): Promise<CheckedRegistry> {
  const checked = { developers: 0, logos: 0, apps: 0, deletedApps: 0, installations: 0, tokens: 0 };
  const told: Finding[] = [];
  let count = 0;
  const work = (snapshot: Snapshot) => findings(registry, snapshot, checked);
  for await (const batch of registry.storage.snapshot(work)) {
    told.push(...batch.slice(0, toldMax - told.length));
    count += batch.length;
  }
  if (count > 0) throw new InconsistentRegistry(count, told);
  return checked;
}

async function* findings(
  registry: Registry,
  snapshot: Snapshot,
  checked: CheckedRegistry,
): AsyncGenerator<Finding[], undefined> {
  const each = async function* <Row>(
    type: keyof CheckedRegistry,
    batches: AsyncIterable<Row[]>,
    check: (row: Row) => Finding[],
  ) {
    for await (const rows of batches) {
      checked[type] += rows.length;
      yield rows.flatMap(check);
    }
  };
  yield* each('developers', streamDevelopers(snapshot, {}), (row) => developerFaults(registry, row));
  yield* each('logos', streamLogoOwners(snapshot, {}), ({ id }) => idFaults(`/logos/${id}`, { id: ['logo', id] }));
  yield* each('apps', streamApps(snapshot, {}), (row) => appFaults(registry, row));
  yield* each('deletedApps', streamDeletedApps(snapshot, {}), (row) => deletedAppFaults(registry, row));
  yield* each('installations', streamInstallations(snapshot, {}), (row) => installationFaults(registry, row));
  yield* each('tokens', streamTokens(snapshot, {}), ({ id }) =>
    idFaults(`/access_tokens/${id}`, { id: ['token', id] }),
  );
  yield* logoFaults(snapshot);
  for await (const rows of streamIdempotentResponses(snapshot, {})) yield rows.flatMap(answerFaults);
  for (const check of checksBetweenRows) yield* check(snapshot);
}
