import type { ImportError } from '../../contract/import-record.ts';
import { listLogoOwners, listLogos } from '../../storage/queries/logos.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppContent, AppRow, LogoRow } from '../../storage/tables.ts';
import { Failure } from '../failure.ts';
import { redrawLogo } from '../logos/logo-image.ts';
import type { Placed } from './import-batch.ts';
import { developerReference } from './import-developers.ts';
import { type ImportWork, insertPlaced, type LineError, resolveReference } from './import-work.ts';

/** Stores logos. One that exists already has to be the same: an address of a logo never shows another image. */
export async function storeLogos(work: ImportWork, placed: Placed<LogoRow>[]): Promise<ImportError[]> {
  const { whole, dangling, faults } = await resolveReference(work, placed, developerReference<LogoRow>());
  const known = await logosById(work.transaction, whole);
  const fresh: Placed<LogoRow>[] = [];
  for (const line of whole) {
    const stored = known.get(line.row.id);
    const drawn = stored && isSameLogo(stored, line.row) ? 'unchanged' : await drawAnew(line);
    if (drawn === 'unchanged') work.summary.logos.unchanged += 1;
    else if ('fault' in drawn) faults.push(drawn.fault);
    else if (!stored) fresh.push(drawn);
    else if (isSameLogo(stored, drawn.row)) work.summary.logos.unchanged += 1;
    else faults.push({ line: line.line, ...anotherLogo });
  }
  const { stored, refused } = await insertPlaced(work, fresh, {
    table: 'logos',
    toChange: ({ row }) => ({ type: 'logo.created', subjectId: row.id, after: { developerId: row.developer_id } }),
  });
  work.summary.logos.created += stored.length;
  for (const { row } of dangling) work.faults.addBroken(row.id);
  // Somebody has stored them since they were looked for.
  return [...faults, ...refused.map(({ line }) => ({ line, ...anotherLogo }))];
}

/** The rows whose logos are their developer's, here or on an earlier line; and the faults of the others. */
export async function resolveLogos<Line extends Placed<AppRow>>(
  { transaction, faults }: ImportWork,
  placed: Line[],
): Promise<{ usable: Line[]; faults: ImportError[] }> {
  const wanted = placed.map((line) => ({ line, logos: logosOf(line.row) }));
  const ids = new Set(wanted.flatMap(({ logos }) => logos.map(({ id }) => id)));
  if (ids.size === 0) return { usable: placed, faults: [] };
  const owners = await listLogoOwners(transaction, [...ids]);
  const ownerOf = new Map(owners.map(({ id, developer_id: developerId }) => [id, developerId]));
  const unusable = wanted.flatMap(({ line, logos }) =>
    logos.filter(({ id }) => ownerOf.get(id) !== line.row.developer_id).map((logo) => ({ line, ...logo })),
  );
  const refused = new Set(unusable.map(({ line }) => line));
  return {
    usable: placed.filter((line) => !refused.has(line)),
    faults: unusable
      .filter(({ id }) => !faults.excuses(id))
      .map(({ line, pointer }) => ({ line: line.line, ...unusableLogo(pointer) })),
  };
}

function logosOf(row: AppRow): { id: string; pointer: string }[] {
  const approved: AppContent | null = row.approved_content === null ? null : JSON.parse(row.approved_content);
  const logos = [
    { id: row.logo_id, pointer: '/logoId' },
    // Of an app that was approved as it is, this is the same logo once more.
    { id: approved?.logo_id === row.logo_id ? null : (approved?.logo_id ?? null), pointer: '/approved/logoId' },
  ];
  return logos.filter((logo): logo is { id: string; pointer: string } => logo.id !== null);
}

function unusableLogo(pointer: string): LineError {
  const detail = 'No logo of this developer has this id, neither here nor on an earlier line.';
  return { pointer, code: 'unusable_logo', detail };
}

async function logosById(transaction: Connection, placed: Placed<LogoRow>[]): Promise<Map<string, LogoRow>> {
  if (placed.length === 0) return new Map();
  const logos = await listLogos(
    transaction,
    placed.map(({ row }) => row.id),
  );
  return new Map(logos.map((logo) => [logo.id, logo]));
}

/** Nothing of a stranger's bytes is ever served (decision 12); drawing what the registry drew changes nothing. */
async function drawAnew(line: Placed<LogoRow>): Promise<Placed<LogoRow> | { fault: ImportError }> {
  try {
    return { ...line, row: { ...line.row, png: await redrawLogo(line.row.png) } };
  } catch (error) {
    if (!(error instanceof Failure) || !error.errors?.[0]) throw error;
    return { fault: { line: line.line, ...error.errors[0], pointer: '/png' } };
  }
}

function isSameLogo(one: LogoRow, other: LogoRow): boolean {
  return (
    one.developer_id === other.developer_id &&
    one.created_at === other.created_at &&
    Buffer.compare(one.png, other.png) === 0
  );
}

const anotherLogo: LineError = {
  pointer: '/id',
  code: 'already_exists',
  detail: 'Another logo has this id, here or on an earlier line, and a logo never changes. Give it an id of its own.',
};
