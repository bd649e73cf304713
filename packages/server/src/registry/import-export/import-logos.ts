import type { ImportError } from '../../contract/import-record.ts';
import { listLogos, listLogosForShare } from '../../storage/queries/logos.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppRow, LogoRow } from '../../storage/tables.ts';
import { approvedContent } from '../apps/content-snapshot.ts';
import { Failure } from '../failure.ts';
import { redrawLogo } from '../logos/logo-image.ts';
import type { NumberedRecord } from './import-batch.ts';
import { developerReference } from './import-developers.ts';
import { type ImportWork, insertRecords, type LineError, resolveReference } from './import-work.ts';

/** Stores logos. An existing one must be the same: the URL of a logo never shows another image. */
export async function storeLogos(work: ImportWork, records: NumberedRecord<LogoRow>[]): Promise<ImportError[]> {
  const { resolved, dangling, errors } = await resolveReference(work, records, developerReference<LogoRow>());
  const known = await logosById(work.transaction, resolved);
  const fresh: NumberedRecord<LogoRow>[] = [];
  for (const record of resolved) {
    const stored = known.get(record.row.id);
    const drawn = stored && isSameLogo(stored, record.row) ? 'unchanged' : await redraw(record);
    if (drawn === 'unchanged') work.summary.logos.unchanged += 1;
    else if ('error' in drawn) errors.push(drawn.error);
    else if (!stored) fresh.push(drawn);
    else if (isSameLogo(stored, drawn.row)) work.summary.logos.unchanged += 1;
    else errors.push({ line: record.line, ...anotherLogo });
  }
  const { stored, refused } = await insertRecords(work, fresh, {
    table: 'logos',
    toChange: ({ row }) => ({ type: 'logo.created', subjectId: row.id, after: { developerId: row.developer_id } }),
  });
  work.summary.logos.created += stored.length;
  for (const { row } of dangling) work.errors.addBroken(row.id);
  // Another caller stored these since the lookup.
  return [...errors, ...refused.map(({ line }) => ({ line, ...anotherLogo }))];
}

/** The records whose logos belong to their developer, here or on an earlier line; and the errors of the others. */
export async function resolveLogos<Item extends NumberedRecord<AppRow>>(
  { transaction, errors }: ImportWork,
  records: Item[],
): Promise<{ usable: Item[]; errors: ImportError[] }> {
  const wanted = records.map((record) => ({ record, logos: logosOf(record.row) }));
  const ids = new Set(wanted.flatMap(({ logos }) => logos.map(({ id }) => id)));
  if (ids.size === 0) return { usable: records, errors: [] };
  const owners = await listLogosForShare(transaction, [...ids]);
  const ownerOf = new Map(owners.map(({ id, developer_id: developerId }) => [id, developerId]));
  const unusable = wanted.flatMap(({ record, logos }) =>
    logos.filter(({ id }) => ownerOf.get(id) !== record.row.developer_id).map((logo) => ({ record, ...logo })),
  );
  const refused = new Set(unusable.map(({ record }) => record));
  return {
    usable: records.filter((record) => !refused.has(record)),
    errors: unusable
      .filter(({ id }) => !errors.isExplained(id))
      .map(({ record, pointer }) => ({ line: record.line, ...unusableLogo(pointer) })),
  };
}

function logosOf(row: AppRow): { id: string; pointer: string }[] {
  const approved = approvedContent(row);
  const logos = [
    { id: row.logo_id, pointer: '/logoId' },
    // Without changes since the approval, both are the same logo.
    { id: approved?.logo_id === row.logo_id ? null : (approved?.logo_id ?? null), pointer: '/approved/logoId' },
  ];
  return logos.filter((logo): logo is { id: string; pointer: string } => logo.id !== null);
}

function unusableLogo(pointer: string): LineError {
  const detail = 'No logo of this developer has this id, neither here nor on an earlier line.';
  return { pointer, code: 'unusable_logo', detail };
}

async function logosById(transaction: Connection, records: NumberedRecord<LogoRow>[]): Promise<Map<string, LogoRow>> {
  if (records.length === 0) return new Map();
  const logos = await listLogos(
    transaction,
    records.map(({ row }) => row.id),
  );
  return new Map(logos.map((logo) => [logo.id, logo]));
}

/** The registry never serves foreign bytes (decision 12). Redrawing its own images changes nothing. */
async function redraw(record: NumberedRecord<LogoRow>): Promise<NumberedRecord<LogoRow> | { error: ImportError }> {
  try {
    return { ...record, row: { ...record.row, png: await redrawLogo(record.row.png) } };
  } catch (error) {
    if (!(error instanceof Failure) || !error.errors?.[0]) throw error;
    return { error: { line: record.line, ...error.errors[0], pointer: '/png' } };
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
