import type { AppRecord, ImportRecord } from '../../contract/import-record.ts';
import type { ValidationError } from '../../contract/problem.ts';
import { changedContentColumns, contentOf } from '../apps/app-content.ts';

/** What a record that keeps to its schema tells of a history that cannot be. */
export function historyFaults(record: ImportRecord): ValidationError[] {
  const faults: ValidationError[] = [];
  if (record.type === 'logo' && Buffer.from(record.png, 'base64').toString('base64') !== record.png) {
    faults.push({ pointer: '/png', code: 'invalid_format', detail: 'The value must be Base64 (RFC 4648, section 4).' });
  }
  if ((record.type === 'developer' || record.type === 'app') && isBefore(record.updatedAt, record.createdAt)) {
    faults.push({ pointer: '/updatedAt', code: 'not_allowed', detail: 'The value must not be before createdAt.' });
  }
  if (record.type === 'app') faults.push(...reviewFaults(record), ...approvedFaults(record));
  if (record.type === 'installation' && record.untilApproved && record.enabled !== false) {
    const detail = 'Only an installation whose line says "enabled": false can wait for an approval.';
    faults.push({ pointer: '/untilApproved', code: 'not_allowed', detail });
  }
  return faults;
}

function reviewFaults({ reviewStatus, rejectionReason, submittedAt }: AppRecord): ValidationError[] {
  const faults: ValidationError[] = [];
  if (reviewStatus === 'APPROVED' && rejectionReason !== undefined) {
    const detail = 'An app that is APPROVED has no reason of a rejection. Leave the member out.';
    faults.push({ pointer: '/rejectionReason', code: 'not_allowed', detail });
  }
  if (reviewStatus !== 'AWAITING_REVIEW' && submittedAt !== undefined) {
    const detail = 'Only an app whose line says "reviewStatus": "AWAITING_REVIEW" awaits review. Leave the member out.';
    faults.push({ pointer: '/submittedAt', code: 'not_allowed', detail });
  }
  return faults;
}

/** One revision is of one content. */
function approvedFaults({ approved, revision = 1, ...current }: AppRecord): ValidationError[] {
  if (!approved || approved.revision < revision) return [];
  const isCurrent = changedContentColumns(contentOf(approved), contentOf(current)).length === 0;
  if (approved.revision === revision && isCurrent) return [];
  const detail = 'The value must be less than the revision of the app, or that revision with the same content.';
  return [{ pointer: '/approved/revision', code: 'not_allowed', detail }];
}

function isBefore(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && Date.parse(one) < Date.parse(other);
}
