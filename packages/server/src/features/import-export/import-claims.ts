import type { AppRow } from '../../storage/tables.ts';
import { listNameClaims } from '../apps/app-queries.ts';
import type { NumberedRecord } from './import-batch.ts';
import type { ImportError } from './import-record-schema.ts';
import type { ImportWork, LineError } from './import-work.ts';

type Claims = Pick<AppRow, 'id' | 'name_claim' | 'approved_name_key'>;

/**
 * Partitions the records of new apps by whether another app claims one of their names, here or earlier in the batch. The
 * database refuses those only for the whole transaction.
 */
export async function byClaims(
  work: ImportWork,
  records: NumberedRecord<AppRow>[],
): Promise<{ free: NumberedRecord<AppRow>[]; taken: NumberedRecord<AppRow>[] }> {
  const holders = await holdersOf(
    work,
    records.map(({ row }) => row),
  );
  const [free, taken]: [NumberedRecord<AppRow>[], NumberedRecord<AppRow>[]] = [[], []];
  for (const record of records) {
    const { row } = record;
    const isTaken = claimsOf(row).some(({ key }) => (holders.get(key) ?? row.id) !== row.id);
    (isTaken ? taken : free).push(record);
    if (!isTaken) for (const { key } of claimsOf(row)) holders.set(key, row.id);
  }
  return { free, taken };
}

/** The errors of records that could not be stored because of their names. */
export async function claimErrors(work: ImportWork, records: NumberedRecord<AppRow>[]): Promise<ImportError[]> {
  const claiming = records.map(({ line, row }) => ({ line, row: { ...row, name_claim: row.name_key } }));
  const holders = await holdersOf(
    work,
    claiming.map(({ row }) => row),
  );
  return claiming.map(({ line, row }) => ({ line, ...(takenBy(row, holders) ?? nameTaken('/name', undefined)) }));
}

/** The error of an update that claims a name of another app; null if it does not. */
export async function newClaimError(work: ImportWork, before: AppRow, after: AppRow): Promise<LineError | null> {
  const { name_claim, approved_name_key } = after;
  if (name_claim === before.name_claim && approved_name_key === before.approved_name_key) return null;
  return takenBy(after, await holdersOf(work, [after]));
}

function takenBy(app: Claims, holders: Map<string, string>): LineError | null {
  const taken = claimsOf(app).find(({ key }) => (holders.get(key) ?? app.id) !== app.id);
  return taken ? nameTaken(taken.pointer, holders.get(taken.key)) : null;
}

/** By claimed name: the app that claims it. */
async function holdersOf({ transaction }: ImportWork, apps: Claims[]): Promise<Map<string, string>> {
  const keys = [...new Set(apps.flatMap((app) => claimsOf(app).map(({ key }) => key)))];
  if (keys.length === 0) return new Map();
  const claims = await listNameClaims(transaction, keys);
  return new Map(claims.map(({ name_key: key, app_id: id }) => [key, id]));
}

/** An app claims its current and its approved name, unless names need not be unique. */
function claimsOf({ name_claim: current, approved_name_key: approved }: Claims): { key: string; pointer: string }[] {
  if (current === null) return [];
  const claims = [{ key: current, pointer: '/name' }];
  return approved === null ? claims : [...claims, { key: approved, pointer: '/approved/name' }];
}

function nameTaken(pointer: string, holder: string | undefined): LineError {
  const detail = 'Another app has this name, in the registry or on an earlier line.';
  return { pointer, code: 'already_exists', detail, ...(holder !== undefined && { clashesWith: holder }) };
}
