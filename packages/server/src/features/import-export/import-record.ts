import { checkValue, PlatformIds } from '../../kernel/check.ts';
import { newId, toTypeId } from '../../kernel/ids.ts';
import type { ValidationError } from '../../kernel/problem-details.ts';
import type { Registry } from '../../kernel/registry.ts';
import { newRevisionNonce } from '../../kernel/revision.ts';
import type { AppRow, DeveloperRow, InstallationRow, LogoRow } from '../../storage/tables.ts';
import { appContentFields, approvedColumns, changedContentColumns, completeContent } from '../apps/app-content.ts';
import { derivedColumns, newAppRow } from '../apps/next-app.ts';
import { causeColumns, type DisablingCause, disablingCauses } from '../installations/installation.ts';
import type { SourceRecord } from './import-input.ts';
import {
  AppRecord,
  DeveloperRecord,
  ImportDiscriminant,
  type ImportRecord,
  type ImportType,
  InstallationRecord,
  importTypes,
  LogoRecord,
} from './import-record-schema.ts';

export interface InvalidRecord {
  /** Null when unknown. */
  type: ImportType | null;
  errors: ImportRecordError[];
  /** The id of a developer, logo or app, which later lines may refer to; null when unknown. */
  id: string | null;
}

type ImportRecordError = ValidationError & { clashesWith?: string };

const schemas = { developer: DeveloperRecord, logo: LogoRecord, app: AppRecord, installation: InstallationRecord };

/** Validates a record, without looking at others: a row, or all its errors. */
export function readImportRecord(registry: Registry, source: SourceRecord): ImportRow | InvalidRecord {
  const { value, errors: unread } = source;
  if (value === undefined) return { ...guess(registry, source), errors: unread };
  const discriminant = checkValue(ImportDiscriminant, value);
  if (discriminant.errors) return { type: null, errors: discriminant.errors, id: null };

  const { type } = discriminant.value;
  const record = checkValue<(typeof schemas)[ImportType]>(schemas[type], value);
  const invalid = (errors: ValidationError[]) => ({ type, errors, id: recordId(registry, discriminant.value) });
  if (unread.length > 0) return invalid(withoutRepeated(unread, record.errors ?? []));
  if (record.errors) return invalid(record.errors);
  const ids = new PlatformIds();
  const row = readRow(registry, { line: source.line, record: record.value, ids });
  const errors = [...ids.errors, ...historyErrors(record.value)];
  return errors.length === 0 ? row : invalid(errors);
}

/** A cell that could not be read is left as it was given, which must not cause a second error. */
function withoutRepeated(unread: ValidationError[], errors: ValidationError[]): ValidationError[] {
  const reported = new Set(unread.map(({ pointer }) => pointer));
  if (reported.has('')) return unread;
  return [...unread, ...errors.filter(({ pointer }) => !reported.has(pointer))];
}

/** What an unreadable record seems to describe, so that references to it are not reported as errors too. */
function guess(registry: Registry, { text = '', type: known }: SourceRecord): Omit<InvalidRecord, 'errors'> {
  const name = /"type"\s*:\s*"(developer|logo|app)"/.exec(text)?.[1];
  const type = known ?? importTypes.find((one) => one === name);
  if (!type) return { type: null, id: null };
  return { type, id: recordId(registry, { type, id: guessField(text, 'id'), userId: guessField(text, 'userId') }) };
}

/** A copy: a part of a string keeps all of it in memory. */
function guessField(text: string, name: string): string | undefined {
  const [, value] = new RegExp(`"${name}"\\s*:\\s*"([^"]*)"`).exec(text) ?? [];
  return value === undefined ? undefined : Buffer.from(value).toString();
}

function recordId(registry: Registry, record: ImportDiscriminant): string | null {
  if ((record.type === 'app' || record.type === 'logo') && typeof record.id === 'string') {
    return toTypeId(record.id, record.type);
  }
  if (record.type === 'developer' && typeof record.userId === 'string') {
    return toTypeId(record.userId, registry.userIdPrefix);
  }
  return null;
}

/** The row of a line, with the defaults of a new object for absent fields. */
export interface ImportedRow<Row> {
  line: number;
  row: Row;
  /** The columns without a value in the line: an existing object retains its values. */
  absentColumns: readonly (keyof Row)[];
}

export interface ImportedApp extends ImportedRow<AppRow> {
  /** Whether it awaits review in the file, and not here (`import-apps.ts`). */
  isSubmissionOmitted?: boolean;
}

export interface ImportedDeletedApp extends ImportedApp {
  deletedAt: number;
}

export interface ImportedInstallation extends ImportedRow<InstallationRow> {
  /** Why it is disabled; empty when it is enabled. Absent from the line when `enabled` is. */
  causes: DisablingCause[];
}

/** The row of one imported object. */
export type ImportRow =
  | ({ type: 'developer' } & ImportedRow<DeveloperRow>)
  | ({ type: 'logo' } & ImportedRow<LogoRow>)
  | ({ type: 'app' } & ImportedApp)
  | ({ type: 'deletedApp' } & ImportedDeletedApp)
  | ({ type: 'installation' } & ImportedInstallation);

function readRow(registry: Registry, { line, record, ids }: { line: number; record: ImportRecord; ids: PlatformIds }) {
  switch (record.type) {
    case 'developer':
      return { type: record.type, line, ...readDeveloper(registry, record, ids) };
    case 'logo':
      return { type: record.type, line, ...readLogo(registry, record, ids) };
    case 'app':
      return record.deletedAt === undefined
        ? { type: record.type, line, ...readApp(registry, record, ids) }
        : {
            ...{ type: 'deletedApp' as const, line, ...readApp(registry, record, ids) },
            deletedAt: Date.parse(record.deletedAt),
          };
    case 'installation':
      return { type: record.type, line, ...readInstallation(registry, record, ids) };
  }
}

function readDeveloper(registry: Registry, record: DeveloperRecord, ids: PlatformIds) {
  const createdAt = record.createdAt ?? record.updatedAt;
  const at = createdAt === undefined ? registry.now() : Date.parse(createdAt);
  const row = {
    user_id: ids.read(record.userId, registry.userIdPrefix, '/userId'),
    email: record.email,
    first_name: record.firstName ?? null,
    last_name: record.lastName ?? null,
    created_at: at,
    updated_at: record.updatedAt === undefined ? at : Date.parse(record.updatedAt),
    suspended_at: record.suspension === undefined ? null : Date.parse(record.suspension.at),
    suspension_reason: record.suspension?.reason ?? null,
    revision_nonce: newRevisionNonce(),
  };
  return { row, absentColumns: absentIn({ created_at: record.createdAt, updated_at: record.updatedAt }) };
}

function readLogo(registry: Registry, record: LogoRecord, ids: PlatformIds) {
  const row = {
    id: ids.read(record.id, 'logo', '/id'),
    developer_id: ids.read(record.developerId, registry.userIdPrefix, '/developerId'),
    png: Buffer.from(record.png, 'base64'),
    created_at: Date.parse(record.createdAt),
    blocked_at: record.blocked === undefined ? null : Date.parse(record.blocked.at),
    blocked_reason: record.blocked?.reason ?? null,
    updated_at: record.blocked === undefined ? null : Date.parse(record.blocked.at),
  };
  return { row, absentColumns: [] };
}

function readApp(registry: Registry, record: AppRecord, ids: PlatformIds) {
  const row = newAppRow(registry, {
    id: ids.read(record.id, 'app', '/id'),
    developerId: ids.read(record.developerId, registry.userIdPrefix, '/developerId'),
    content: readContent(record, ids, ''),
  });
  const updatedAt = Date.parse(record.updatedAt ?? record.createdAt);
  const imported: AppRow = {
    ...row,
    review_status: record.reviewStatus ?? 'DRAFT',
    rejection_reason: record.rejectionReason ?? null,
    revision: record.revision ?? 1,
    ...readApproved(record, row, ids),
    cleared_since_approval: readCleared(record),
    // Without a time, the last change of the app was the one that awaits a decision.
    change_since: record.changeRejected ? 0 : givenTime(record.changeSince) || updatedAt,
    transfer_since: givenTime(record.transferSince),
    suspended_status: record.suspendedStatus ?? null,
    created_at: Date.parse(record.createdAt),
    submitted_at: submittedAt(record, updatedAt),
    updated_at: updatedAt,
  };
  return {
    row: { ...imported, ...derivedColumns(imported) },
    absentColumns: absentIn({
      review_status: record.reviewStatus,
      submitted_at: record.submittedAt,
      updated_at: record.updatedAt,
      cleared_since_approval: record.withdrawn,
      change_since: record.changeSince ?? record.changeRejected,
      transfer_since: record.transferSince,
    }),
  };
}

function givenTime(given: string | undefined): number {
  return given === undefined ? 0 : Date.parse(given);
}

function readCleared({ withdrawn }: AppRecord): string | null {
  if (!withdrawn) return null;
  const columnOf = (path: string) => appContentFields.find((field) => field.path === path)?.column;
  return JSON.stringify(Object.fromEntries(withdrawn.map(({ field, revision }) => [columnOf(field), revision])));
}

function readContent(record: AppRecord | NonNullable<AppRecord['approved']>, ids: PlatformIds, at: string) {
  const content = completeContent(record);
  return content.logo_id === null
    ? content
    : { ...content, logo_id: ids.read(content.logo_id, 'logo', `${at}/logoId`) };
}

/** Without a time of submission, the last change of the app was its submission. */
function submittedAt({ reviewStatus, submittedAt: given }: AppRecord, updatedAt: number): number {
  if (given !== undefined) return Date.parse(given);
  return reviewStatus === 'AWAITING_REVIEW' ? updatedAt : 0;
}

/** A record that is APPROVED, or was before a suspension, without `approved` has its current content approved. */
function readApproved(record: AppRecord, row: AppRow, ids: PlatformIds) {
  const { approved, reviewStatus, suspendedStatus, revision = 1 } = record;
  const isCurrent = (approved?.revision ?? revision) === revision;
  const revisionNonce = isCurrent ? row.revision_nonce : newRevisionNonce();
  if (approved)
    return approvedColumns(readContent(approved, ids, '/approved'), { revision: approved.revision, revisionNonce });
  const isApproved = reviewStatus === 'APPROVED' || suspendedStatus === 'APPROVED';
  return isApproved ? approvedColumns(row, { revision, revisionNonce }) : {};
}

function readInstallation(registry: Registry, record: InstallationRecord, ids: PlatformIds) {
  const causes = readCauses(record);
  const row: InstallationRow = {
    id: record.id === undefined ? newId('installation') : ids.read(record.id, 'installation', '/id'),
    app_id: ids.read(record.appId, 'app', '/appId'),
    workspace_id: ids.read(record.workspaceId, registry.workspaceIdPrefix, '/workspaceId'),
    user_id: ids.read(record.userId, registry.userIdPrefix, '/userId'),
    ...causeColumns(causes),
    created_at: Date.parse(record.createdAt),
    updated_at: null,
  };
  return { row, absentColumns: absentIn({ id: record.id, enabled: record.enabled }), causes };
}

function readCauses({ enabled, disabledBy = ['workspace'] }: InstallationRecord): DisablingCause[] {
  if (enabled !== false) return [];
  return disablingCauses.filter((cause) => disabledBy.includes(cause));
}

function absentIn<Column extends string>(given: Record<Column, unknown>): Column[] {
  const absent: Column[] = [];
  for (const column in given) if (given[column] === undefined) absent.push(column);
  return absent;
}

/** The errors of a record that matches its schema but describes an impossible history. */
function historyErrors(record: ImportRecord): ValidationError[] {
  const errors: ValidationError[] = [];
  if (record.type === 'logo' && Buffer.from(record.png, 'base64').toString('base64') !== record.png) {
    errors.push({ pointer: '/png', code: 'invalid_format', detail: 'The value must be Base64 (RFC 4648, section 4).' });
  }
  if ((record.type === 'developer' || record.type === 'app') && isBefore(record.updatedAt, record.createdAt)) {
    errors.push({ pointer: '/updatedAt', code: 'not_allowed', detail: 'The value must not be before createdAt.' });
  }
  if (record.type === 'app') {
    errors.push(
      ...reviewErrors(record),
      ...approvedErrors(record),
      ...changeErrors(record),
      ...withdrawnErrors(record),
    );
  }
  if (record.type === 'installation') errors.push(...causeErrors(record));
  return errors;
}

function reviewErrors({ reviewStatus, rejectionReason, submittedAt }: AppRecord): ValidationError[] {
  const errors: ValidationError[] = [];
  if (reviewStatus === 'APPROVED' && rejectionReason !== undefined) {
    const detail = 'An APPROVED app has no rejection reason. Omit the field.';
    errors.push({ pointer: '/rejectionReason', code: 'not_allowed', detail });
  }
  if (reviewStatus !== 'AWAITING_REVIEW' && submittedAt !== undefined) {
    const detail = 'Only an app with "reviewStatus": "AWAITING_REVIEW" awaits review. Omit the field.';
    errors.push({ pointer: '/submittedAt', code: 'not_allowed', detail });
  }
  return errors;
}

/** A revision has one content. */
function approvedErrors({ approved, revision = 1, ...current }: AppRecord): ValidationError[] {
  if (!approved || approved.revision < revision) return [];
  const isCurrent = changedContentColumns(completeContent(approved), completeContent(current)).length === 0;
  if (approved.revision === revision && isCurrent) return [];
  const detail = 'The value must be less than the revision of the app, or equal to it with the same content.';
  return [{ pointer: '/approved/revision', code: 'not_allowed', detail }];
}

/** Only an APPROVED app has changes that await a decision, also while its developer is suspended. */
function changeErrors(record: AppRecord): ValidationError[] {
  const { reviewStatus, suspendedStatus, changeSince, changeRejected } = record;
  const errors: ValidationError[] = [];
  if (suspendedStatus !== undefined && (reviewStatus === undefined || reviewStatus === 'APPROVED')) {
    const detail =
      'An app of a suspended developer needs its current status in "reviewStatus", which cannot be APPROVED.';
    errors.push({ pointer: '/suspendedStatus', code: 'not_allowed', detail });
  }
  if (changeSince !== undefined && changeRejected) {
    const detail = 'A change cannot both await a decision and be rejected. Omit either changeSince or changeRejected.';
    errors.push({ pointer: '/changeRejected', code: 'not_allowed', detail });
  }
  if (reviewStatus === 'APPROVED' || suspendedStatus === 'APPROVED') return errors;
  for (const field of ['changeSince', 'changeRejected', 'transferSince'] as const) {
    if (record[field] === undefined) continue;
    const detail =
      'Only an app with "reviewStatus": "APPROVED" can have changes or a transfer to decide on. Omit the field.';
    errors.push({ pointer: `/${field}`, code: 'not_allowed', detail });
  }
  return errors;
}

function withdrawnErrors({ withdrawn = [], revision = 1, reviewStatus }: AppRecord): ValidationError[] {
  const fields = withdrawn.map(({ field }) => field);
  return withdrawn.flatMap((one, at) => {
    if (reviewStatus !== undefined && fields.indexOf(one.field) === at && one.revision <= revision) return [];
    const detail =
      'List each field once, with a revision that is not greater than that of the app, and give the reviewStatus of the app.';
    return [{ pointer: `/withdrawn/${at}`, code: 'not_allowed' as const, detail }];
  });
}

function causeErrors({ enabled, disabledBy }: InstallationRecord): ValidationError[] {
  if (!disabledBy || enabled === false) return [];
  const detail = 'Only an installation with "enabled": false is disabled. Omit the field.';
  return [{ pointer: '/disabledBy', code: 'not_allowed', detail }];
}

function isBefore(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && Date.parse(one) < Date.parse(other);
}
