import {
  danglingReferences,
  eventlessObjects,
  streamLogoOwners,
  streamMiscounted,
  streamSharedClaims,
  streamSharedWorkspaces,
  streamTokens,
} from '../storage/invariants.ts';
import type { Snapshot } from '../storage/snapshot.ts';
import { streamApps, streamDevelopers, streamInstallations } from '../storage/whole-tables.ts';
import { appFaults, developerFaults, type Finding, idFaults, installationFaults } from './check-row.ts';
import type { Registry } from './registry.ts';

const toldMax = 1_000;

/** How many objects were checked. */
export interface CheckedRegistry {
  developers: number;
  logos: number;
  apps: number;
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
 * references hold, ids are TypeIDs of their kind, names are keyed and unique, revisions are in order, and
 * each object has the event of its creation. Throws `InconsistentRegistry` when anything is otherwise.
 */
export async function checkRegistry(registry: Registry): Promise<CheckedRegistry> {
  const checked: CheckedRegistry = { developers: 0, logos: 0, apps: 0, installations: 0, tokens: 0 };
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
  yield* each('logos', streamLogoOwners(snapshot, {}), ({ id }) => idFaults('logos', id, { id: ['logo', id] }));
  yield* each('apps', streamApps(snapshot, {}), (row) => appFaults(registry, row));
  yield* each('installations', streamInstallations(snapshot, {}), (row) => installationFaults(registry, row));
  yield* each('tokens', streamTokens(snapshot, {}), ({ id }) => idFaults('access_tokens', id, { id: ['token', id] }));
  yield* betweenRows(snapshot);
}

async function* betweenRows(snapshot: Snapshot): AsyncGenerator<Finding[], undefined> {
  for await (const rows of streamMiscounted(snapshot, {})) {
    yield rows.map(({ id, installation_count: said, installations }) => ({
      pointer: `/apps/${id}/installation_count`,
      code: 'wrong_count',
      detail: `The count is ${said}, and the app has ${installations} installations.`,
    }));
  }
  for await (const rows of streamSharedClaims(snapshot, {})) {
    yield rows.map(({ name_claim: name }) => ({
      pointer: '/apps',
      code: 'name_taken',
      detail: `More than one app claims the name "${name}".`,
    }));
  }
  for await (const rows of streamSharedWorkspaces(snapshot, {})) {
    yield rows.map(({ app_id: app, workspace_id: workspace }) => ({
      pointer: `/apps/${app}`,
      code: 'already_exists',
      detail: `The app is installed in ${workspace} more than once.`,
    }));
  }
  for (const { table, column, stream } of danglingReferences) {
    for await (const rows of stream(snapshot, {})) {
      const detail = 'The object that the row refers to is missing.';
      yield rows.map(({ id }) => ({ pointer: `/${table}/${id}/${column}`, code: 'not_found', detail }));
    }
  }
  for (const { table, type, stream } of eventlessObjects) {
    for await (const rows of stream(snapshot, {})) {
      const detail = `No event of type ${type} tells of the object.`;
      yield rows.map(({ id }) => ({ pointer: `/${table}/${id}`, code: 'event_missing', detail }));
    }
  }
}
