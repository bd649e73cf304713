import type { ValidationError } from '../../kernel/problem-details.ts';
import { changedContentColumns, contentOf } from '../apps/app-content.ts';
import type { AppRecord, ImportRecord, InstallationRecord } from './import-record-schema.ts';

/** The errors of a record that matches its schema but describes an impossible history. */
export function historyErrors(record: ImportRecord): ValidationError[] {
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
  const isCurrent = changedContentColumns(contentOf(approved), contentOf(current)).length === 0;
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
