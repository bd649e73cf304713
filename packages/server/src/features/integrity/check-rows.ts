import type { Registry } from '../../kernel/registry.ts';
import type { Reader, Snapshot } from '../../storage/query.ts';
import type { Storage } from '../../storage/storage.ts';
import { type AppContent, type AppRow, columns, type DeletedAppRow } from '../../storage/tables.ts';
import { appOfDeleted, readableApprovedContent } from '../apps/app-content.ts';
import { findSkeletonVersion } from '../apps/comparison/look-alike-queries.ts';
import {
  listMarked,
  listProjections,
  type ProjectedRows,
  type Projections,
} from '../apps/comparison/projection-queries.ts';
import { makeProjections, projectedIds } from '../apps/comparison/projections.ts';
import { skeletonVersion } from '../apps/comparison/skeleton.ts';
import { listFoundApps } from '../search/search-queries.ts';
import { readSettings } from '../settings/settings.ts';
import {
  appFindings,
  brokenRules,
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
  streamOwnersOfLogos,
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
  yield await shownLogoFindings(
    snapshot,
    apps.flatMap((row) => shownLogos(row, `/apps/${row.id}`)),
  );
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
  yield await shownLogoFindings(
    snapshot,
    deleted.flatMap((row) => shownLogos(readDeletedApp(row), `/deleted_apps/${row.id}/row`)),
  );
  const consistent = deleted.filter((_, at) => findings[at]?.length === 0);
  const existing = await listFoundApps(
    snapshot,
    consistent.map(({ id }) => id),
  );
  yield await projectionFindings(snapshot, registry.storage.engine, {
    deletedApps: consistent.filter(({ id }) => !existing.some((app) => app.id === id)),
  });
}

interface ShownLogo {
  id: string;
  developerId: string;
  /** To the column that refers to it. */
  pointer: string;
}

/** The logos of an app and of its approved content. */
function shownLogos(app: AppRow | null, at: string): ShownLogo[] {
  if (!app) return [];
  const logos: [id: string | null | undefined, pointer: string][] = [
    [app.logo_id, `${at}/logo_id`],
    [readableApprovedContent(app)?.logo_id, `${at}/approved_content/logo_id`],
  ];
  return logos.flatMap(([id, pointer]) => (id ? [{ id, developerId: app.developer_id, pointer }] : []));
}

/** The findings about logos: missing, or another developer's. */
async function shownLogoFindings(snapshot: Snapshot, logos: ShownLogo[]): Promise<Finding[]> {
  if (logos.length === 0) return [];
  const owners = new Map<string, string>();
  for await (const rows of streamOwnersOfLogos(snapshot, [...new Set(logos.map(({ id }) => id))])) {
    for (const row of rows) owners.set(row.id, row.developer_id);
  }
  return logos
    .filter(({ id, developerId }) => owners.get(id) !== developerId)
    .map(({ id, pointer }) =>
      owners.has(id)
        ? { pointer, code: 'not_allowed', detail: 'The logo belongs to another developer.' }
        : { pointer, code: 'not_found', detail: 'The logo is missing.' },
    );
}

/** The findings about a deleted app. */
function deletedAppFindings(deleted: DeletedAppRow): Finding[] {
  const at = `/deleted_apps/${deleted.id}`;
  const app = readDeletedApp(deleted);
  if (!app)
    return [
      { pointer: `${at}/row`, code: 'invalid_format', detail: 'The value is not an app that could be restored.' },
    ];
  return [
    ...idFindings(at, { id: ['app', deleted.id] }),
    ...appFindings({ ...app, id: deleted.id, name_claim: null }, { uniqueNames: false, at: `${at}/row` }),
    ...brokenRules(`${at}/row`, [
      ['id', app.id === deleted.id, 'The value is not the id of the deleted app.'],
      ['developer_id', app.developer_id === deleted.developer_id, 'The value is not the developer of the deleted app.'],
      ['installation_count', app.installation_count === 0, 'A deleted app has no installations.'],
      ['name_claim', app.name_claim === null, 'A deleted app claims no name.'],
    ]),
  ];
}

/** The stored app of a deleted app; null when it could not be restored. */
function readDeletedApp(deleted: DeletedAppRow): AppRow | null {
  try {
    const app = appOfDeleted(deleted);
    return hasValidColumns(app, columnChecks) ? app : null;
  } catch {
    return null;
  }
}

function hasValidColumns<Column extends keyof AppRow>(
  app: AppRow,
  checks: Record<Column, (value: unknown) => boolean>,
): boolean {
  for (const column in checks) if (!checks[column](app[column])) return false;
  return true;
}

const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => Number.isSafeInteger(value);
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isNumberOrNull = (value: unknown) => value === null || isNumber(value);

/** The content is validated when it is read. */
const columnChecks: Record<Exclude<keyof AppRow, keyof AppContent>, (value: unknown) => boolean> = {
  id: isText,
  developer_id: isText,
  name_key: isText,
  name_claim: isTextOrNull,
  review_status: isText,
  rejection_reason: isTextOrNull,
  approved_content: isTextOrNull,
  approved_revision: isNumberOrNull,
  approved_revision_nonce: isTextOrNull,
  approved_name_key: isTextOrNull,
  cleared_since_approval: isTextOrNull,
  change_since: isNumber,
  transfer_since: isNumber,
  waiting_since: isNumber,
  suspended_status: isTextOrNull,
  installation_count: isNumber,
  revision: isNumber,
  revision_nonce: isText,
  platform_revision: isNumber,
  platform_revision_nonce: isText,
  submitted_at: isNumber,
  created_at: isNumber,
  updated_at: isNumber,
  shown_at: isNumber,
};

/** The findings about the projections of some rows. Those of a row that has just changed, and is marked, are not compared. */
async function projectionFindings(
  reader: Reader,
  engine: Storage['engine'],
  rows: Partial<ProjectedRows>,
): Promise<Finding[]> {
  const ids = projectedIds(rows);
  const stored = await listProjections(reader, engine, ids);
  const marked = await listMarked(reader, engine, ids);
  const version = await findSkeletonVersion(reader, {});
  // A server makes skeletons of an older version again.
  const hasSkeletons = version === null || version.skeletons === skeletonVersion;
  const [found, made] = [projectionLines(stored, hasSkeletons), projectionLines(makeProjections(rows), hasSkeletons)];
  return ids
    .filter((id) => !marked.includes(id))
    .flatMap((id) => ['search_texts', 'app_comparison_keys'].map((table) => `/${table}/${id}`))
    .filter((pointer) => found.get(pointer) !== made.get(pointer))
    .map((pointer) => ({ pointer, code: 'not_allowed', detail: 'The rows are not those that the object leads to.' }));
}

/** The rows of each table and subject as text, in one order. */
function projectionLines({ texts, comparisonKeys }: Projections, hasSkeletons: boolean): Map<string, string> {
  const keyColumns = columns.app_comparison_keys.filter((column) => hasSkeletons || column !== 'skeleton');
  const rows = [
    ...texts.map(
      (row) => [`/search_texts/${row.subject_id}`, columns.search_texts.map((column) => row[column])] as const,
    ),
    ...comparisonKeys.map(
      (row) => [`/app_comparison_keys/${row.app_id}`, keyColumns.map((column) => row[column])] as const,
    ),
  ];
  const bySubject = Map.groupBy(rows, ([pointer]) => pointer);
  return new Map([...bySubject].map(([pointer, some]) => [pointer, JSON.stringify(some.map(String).toSorted())]));
}
