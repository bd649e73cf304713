import type { AppRecord, ImportRecord } from '../../contract/import-record.ts';
import type { ValidationError } from '../../contract/problem.ts';
import { changedContentColumns, contentOf } from '../apps/app-content.ts';

/** The errors of a record that matches its schema but describes an impossible history. */
export function historyErrors(record: ImportRecord): ValidationError[] {
  const errors: ValidationError[] = [];
  if (record.type === 'logo' && Buffer.from(record.png, 'base64').toString('base64') !== record.png) {
    errors.push({ pointer: '/png', code: 'invalid_format', detail: 'The value must be Base64 (RFC 4648, section 4).' });
  }
  if ((record.type === 'developer' || record.type === 'app') && isBefore(record.updatedAt, record.createdAt)) {
    errors.push({ pointer: '/updatedAt', code: 'not_allowed', detail: 'The value must not be before createdAt.' });
  }
  if (record.type === 'app') errors.push(...reviewErrors(record), ...approvedErrors(record));
  if (record.type === 'installation' && record.untilApproved && record.enabled !== false) {
    const detail = 'Only an installation with "enabled": false can wait for an approval.';
    errors.push({ pointer: '/untilApproved', code: 'not_allowed', detail });
  }
  return errors;
}

function reviewErrors({ reviewStatus, rejectionReason, submittedAt }: AppRecord): ValidationError[] {
  const errors: ValidationError[] = [];
  if (reviewStatus === 'APPROVED' && rejectionReason !== undefined) {
    const detail = 'An app that is APPROVED has no reason for a rejection. Leave the field out.';
    errors.push({ pointer: '/rejectionReason', code: 'not_allowed', detail });
  }
  if (reviewStatus !== 'AWAITING_REVIEW' && submittedAt !== undefined) {
    const detail = 'Only an app with "reviewStatus": "AWAITING_REVIEW" awaits review. Leave the field out.';
    errors.push({ pointer: '/submittedAt', code: 'not_allowed', detail });
  }
  return errors;
}

/** A revision has one content. */
function approvedErrors({ approved, revision = 1, ...current }: AppRecord): ValidationError[] {
  if (!approved || approved.revision < revision) return [];
  const isCurrent = changedContentColumns(contentOf(approved), contentOf(current)).length === 0;
  if (approved.revision === revision && isCurrent) return [];
  const detail = 'The value must be less than the revision of the app, or that revision with the same content.';
  return [{ pointer: '/approved/revision', code: 'not_allowed', detail }];
}

function isBefore(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && Date.parse(one) < Date.parse(other);
}
