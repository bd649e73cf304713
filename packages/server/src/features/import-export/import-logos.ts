import { Failure } from '../../kernel/failure.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppRow, LogoRow } from '../../storage/tables.ts';
import { approvedContent } from '../apps/app-content.ts';
import { appendEvent } from '../events/append-event.ts';
import { redrawLogo } from '../logos/logo.ts';
import {
  type LogoWithoutImage,
  listAppsWithLogo,
  listLogos,
  listLogosForShare,
  updateLogoBlock,
} from '../logos/logo-queries.ts';
import { logoBlocked } from '../logos/logos.ts';
import { developerReference } from './import-developers.ts';
import type { ImportedApp, ImportedRow } from './import-record.ts';
import type { ImportError } from './import-record-schema.ts';
import { type ImportWork, insertRecords, type LineError, referenceErrors, resolveReference } from './import-work.ts';

/** Stores logos. An existing one must be the same: the URL of a logo never shows another image. */
export async function storeLogos(work: ImportWork, records: ImportedRow<LogoRow>[]): Promise<ImportError[]> {
  const { resolved, dangling, errors } = await resolveReference(work, records, developerReference<LogoRow>());
  const known = await logosById(work.transaction, resolved);
  const fresh: ImportedRow<LogoRow>[] = [];
  for (const record of resolved) {
    const stored = known.get(record.row.id);
    if (record.row.blocked_at !== null) work.blockedLogos.add(record.row.id);
    const drawn = stored && isSameLogo(stored, record.row) ? 'unchanged' : await redraw(record);
    if (drawn !== 'unchanged' && 'error' in drawn) {
      errors.push(drawn.error);
      if (!stored) work.objects.markRefused(record.row.id);
    } else if (!stored && drawn !== 'unchanged') fresh.push(drawn);
    else if (stored && (drawn === 'unchanged' || isSameLogo(stored, drawn.row)))
      await blockIfGiven(work, stored, record);
    else errors.push({ line: record.line, ...anotherLogo, clashesWith: record.row.id });
  }
  const { stored, refused } = await insertRecords(work, fresh, {
    table: 'logos',
    toChanges: ({ row }) => [
      { type: 'logo.created', subjectId: row.id, after: { developerId: row.developer_id } },
      ...(row.blocked_at === null ? [] : [logoBlocked(row)]),
    ],
  });
  work.summary.logos.created += stored.length;
  for (const { row } of dangling) work.objects.markRefused(row.id);
  // Another caller stored these since the lookup.
  return [...errors, ...refused.map(({ line, row }) => ({ line, ...anotherLogo, clashesWith: row.id }))];
}

/** A line blocks a logo, and does not unblock it. */
async function blockIfGiven(
  { registry, caller, transaction, summary }: ImportWork,
  stored: LogoRow,
  { row }: ImportedRow<LogoRow>,
): Promise<void> {
  if (row.blocked_at === null || stored.blocked_at !== null) {
    summary.logos.unchanged += 1;
    return;
  }
  summary.logos.updated += 1;
  await updateLogoBlock(transaction, { ...row, updated_at: registry.now() });
  await appendEvent(transaction, { caller, at: registry.now(), ...logoBlocked(row) });
}

/** The records whose logos belong to their developer, here or on an earlier line, and can be set; and the errors of the others. */
export async function resolveLogos<Item extends ImportedApp>(
  work: ImportWork,
  records: Item[],
): Promise<{ usable: Item[]; errors: ImportError[] }> {
  const wanted = records.flatMap((record) => usedLogos(record.row).map((logo) => ({ record, ...logo })));
  const ids = new Set(wanted.map(({ id }) => id));
  if (ids.size === 0) return { usable: records, errors: [] };
  const logos = new Map((await listLogosForShare(work.transaction, [...ids])).map((logo) => [logo.id, logo]));
  const shownBy = await appsWithBlocked(work, [...logos.values()]);
  const refused = new Set<Item>();
  const errors: ImportError[] = [];
  for (const { record, id, pointer } of wanted) {
    const isOwn = logos.get(id)?.developer_id === record.row.developer_id;
    if (isOwn && (shownBy.get(id)?.has(record.row.id) ?? true)) continue;
    refused.add(record);
    const error = { pointer, code: 'unusable_logo', detail: isOwn ? blocked : notOwn } as const;
    errors.push(...referenceErrors(work, record, { id, error }));
  }
  return { usable: records.filter((record) => !refused.has(record)), errors };
}

const notOwn = 'No logo of this developer in the registry or on an earlier line has this id.';
const blocked =
  'The logo is blocked in the registry, and the app does not use it yet. Omit it, use another logo, or unblock this one first.';

/** The apps that have each blocked logo already. A logo that the file says is blocked may be used: an export has both. */
async function appsWithBlocked(
  { transaction, blockedLogos }: ImportWork,
  logos: LogoWithoutImage[],
): Promise<Map<string, Set<string>>> {
  const shownBy = new Map<string, Set<string>>();
  for (const { id, developer_id: developerId, blocked_at: blockedAt } of logos) {
    if (blockedAt === null || blockedLogos.has(id)) continue;
    const apps = await listAppsWithLogo(transaction, { id, developerId, limit: Number.MAX_SAFE_INTEGER });
    shownBy.set(id, new Set(apps.map((app) => app.id)));
  }
  return shownBy;
}

function usedLogos(row: AppRow): { id: string; pointer: string }[] {
  const approved = approvedContent(row);
  const logos = [
    { id: row.logo_id, pointer: '/logoId' },
    // Without changes since the approval, both are the same logo.
    { id: approved?.logo_id === row.logo_id ? null : (approved?.logo_id ?? null), pointer: '/approved/logoId' },
  ];
  return logos.filter((logo): logo is { id: string; pointer: string } => logo.id !== null);
}

async function logosById(transaction: Connection, records: ImportedRow<LogoRow>[]): Promise<Map<string, LogoRow>> {
  if (records.length === 0) return new Map();
  const logos = await listLogos(
    transaction,
    records.map(({ row }) => row.id),
  );
  return new Map(logos.map((logo) => [logo.id, logo]));
}

/** The registry never serves foreign bytes. Redrawing its own images changes nothing. */
async function redraw(record: ImportedRow<LogoRow>): Promise<ImportedRow<LogoRow> | { error: ImportError }> {
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
  detail: 'Another logo has this id, in the registry or on an earlier line, and a logo never changes. Use a new id.',
};
