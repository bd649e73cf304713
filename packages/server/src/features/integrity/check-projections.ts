import type { Reader } from '../../storage/statement.ts';
import type { Storage } from '../../storage/storage.ts';
import { columns } from '../../storage/tables.ts';
import { findSkeletonVersion } from '../apps/review/warnings/look-alike-queries.ts';
import { skeletonVersion } from '../apps/review/warnings/skeleton.ts';
import { listMarked, listProjections, type ProjectedRows, type Projections } from '../search/projection-queries.ts';
import { idsOf, projectionsOf } from '../search/projections.ts';
import type { Finding } from './check-row.ts';

/** The findings about the projections of some rows. Those of a row that has just changed, and is marked, are not compared. */
export async function projectionFindings(
  reader: Reader,
  engine: Storage['engine'],
  rows: Partial<ProjectedRows>,
): Promise<Finding[]> {
  const ids = idsOf(rows);
  const stored = await listProjections(reader, engine, ids);
  const marked = await listMarked(reader, engine, ids);
  const version = await findSkeletonVersion(reader, {});
  // A server makes skeletons of an older version again.
  const hasSkeletons = version === null || version.skeletons === skeletonVersion;
  const [found, made] = [linesOf(stored, hasSkeletons), linesOf(projectionsOf(rows), hasSkeletons)];
  return ids
    .filter((id) => !marked.includes(id))
    .flatMap((id) => ['search_texts', 'app_identities'].map((table) => `/${table}/${id}`))
    .filter((pointer) => found.get(pointer) !== made.get(pointer))
    .map((pointer) => ({ pointer, code: 'not_allowed', detail: 'The rows are not those that the object leads to.' }));
}

/** The rows of each table and subject as text, in one order. */
function linesOf({ texts, identities }: Projections, hasSkeletons: boolean): Map<string, string> {
  const identityColumns = columns.app_identities.filter((column) => hasSkeletons || column !== 'skeleton');
  const rows = [
    ...texts.map(
      (row) => [`/search_texts/${row.subject_id}`, columns.search_texts.map((column) => row[column])] as const,
    ),
    ...identities.map(
      (row) => [`/app_identities/${row.app_id}`, identityColumns.map((column) => row[column])] as const,
    ),
  ];
  const bySubject = Map.groupBy(rows, ([pointer]) => pointer);
  return new Map([...bySubject].map(([pointer, some]) => [pointer, JSON.stringify(some.map(String).toSorted())]));
}
