import type { Registry } from '../../kernel/registry.ts';
import type { Snapshot } from '../../storage/snapshot.ts';
import type { AppRow, DeletedAppRow } from '../../storage/tables.ts';
import { listFoundApps } from '../search/search-queries.ts';
import { readSettings } from '../settings/settings.ts';
import { deletedAppFindings } from './check-deleted-app.ts';
import { deletedLogoFindings, shownLogoFindings } from './check-logos.ts';
import { projectionFindings } from './check-projections.ts';
import {
  appFindings,
  developerFindings,
  type Finding,
  idFindings,
  installationFindings,
  logoFindings,
  responseFindings,
} from './check-row.ts';
import {
  type CheckedTable,
  type KeyRange,
  streamAppsIn,
  streamDeletedAppsIn,
  streamDevelopersIn,
  streamIdempotentResponsesIn,
  streamInstallationsIn,
  streamLogoBlocksIn,
  streamTokensIn,
} from './invariant-queries.ts';

/** How many objects were checked. */
export interface CheckedObjects {
  developers: number;
  logos: number;
  apps: number;
  deletedApps: number;
  installations: number;
  tokens: number;
}

/** In the order in which they are checked. */
export const checkedTables: CheckedTable[] = [
  'developers',
  'logos',
  'apps',
  'deleted_apps',
  'search_texts',
  'app_identities',
  'installations',
  'access_tokens',
  'idempotency_keys',
  'sessions',
];

interface RowsToCheck {
  registry: Registry;
  /** Counts the rows. */
  checked: CheckedObjects;
  range: KeyRange;
}

type RowsCheck = (snapshot: Snapshot, work: RowsToCheck) => AsyncIterable<Finding[]>;

/** Checks each row of a range by itself, and the logos that it shows. */
export const rowChecks: { [Table in CheckedTable]?: RowsCheck } = {
  developers: developersCheck,
  logos: rowsCheck(streamLogoBlocksIn, 'logos', logoFindings),
  apps: appsCheck,
  deleted_apps: deletedAppsCheck,
  installations: rowsCheck(streamInstallationsIn, 'installations', (row, registry) =>
    installationFindings(registry, row),
  ),
  access_tokens: rowsCheck(streamTokensIn, 'tokens', ({ id }) =>
    idFindings(`/access_tokens/${id}`, { id: ['token', id] }),
  ),
  idempotency_keys: rowsCheck(streamIdempotentResponsesIn, null, responseFindings),
};

function rowsCheck<Row>(
  stream: (snapshot: Snapshot, range: KeyRange) => AsyncIterable<Row[]>,
  type: keyof CheckedObjects | null,
  check: (row: Row, registry: Registry) => Finding[],
): RowsCheck {
  return async function* findings(snapshot, { registry, checked, range }) {
    for await (const rows of stream(snapshot, range)) {
      if (type) checked[type] += rows.length;
      yield rows.flatMap((row) => check(row, registry));
    }
  };
}

async function* appsCheck(
  snapshot: Snapshot,
  { registry, checked, range }: RowsToCheck,
): AsyncGenerator<Finding[], undefined> {
  const { uniqueNames } = await readSettings(snapshot);
  const apps: AppRow[] = [];
  for await (const rows of streamAppsIn(snapshot, range)) apps.push(...rows);
  checked.apps += apps.length;
  const findings = apps.map((row) => appFindings(row, { uniqueNames, at: `/apps/${row.id}` }));
  yield findings.flat();
  yield await shownLogoFindings(snapshot, apps);
  // One cause is one finding.
  yield await projectionFindings(snapshot, registry.storage.engine, {
    apps: apps.filter((_, at) => findings[at]?.length === 0),
  });
}

async function* developersCheck(
  snapshot: Snapshot,
  { registry, checked, range }: RowsToCheck,
): AsyncGenerator<Finding[], undefined> {
  for await (const developers of streamDevelopersIn(snapshot, range)) {
    checked.developers += developers.length;
    const findings = developers.map((row) => developerFindings(registry, row));
    yield findings.flat();
    const consistent = developers.filter((_, at) => findings[at]?.length === 0);
    yield await projectionFindings(snapshot, registry.storage.engine, { developers: consistent });
  }
}

async function* deletedAppsCheck(
  snapshot: Snapshot,
  { registry, checked, range }: RowsToCheck,
): AsyncGenerator<Finding[], undefined> {
  const deleted: DeletedAppRow[] = [];
  for await (const rows of streamDeletedAppsIn(snapshot, range)) deleted.push(...rows);
  checked.deletedApps += deleted.length;
  const findings = deleted.map(deletedAppFindings);
  yield findings.flat();
  yield await deletedLogoFindings(snapshot, deleted);
  const consistent = deleted.filter((_, at) => findings[at]?.length === 0);
  const existing = await listFoundApps(
    snapshot,
    consistent.map(({ id }) => id),
  );
  yield await projectionFindings(snapshot, registry.storage.engine, {
    deletedApps: consistent.filter(({ id }) => !existing.some((app) => app.id === id)),
  });
}
