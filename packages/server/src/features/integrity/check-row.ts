import { isTypeId } from '../../kernel/ids.ts';
import type { Registry } from '../../kernel/registry.ts';
import type { AppRow, DeveloperRow, IdempotencyKeyRow, InstallationRow, LogoRow } from '../../storage/tables.ts';
import { approvedContent, nameKey, readableApprovedContent } from '../apps/app-content.ts';
import { awaitsDecisions, undecidedColumns, waitingSince } from '../apps/next-app.ts';
import { reviewStatuses } from '../apps/review/review-status.ts';
import { disablingCauses } from '../installations/installation.ts';

/** One inconsistency. */
export interface Finding {
  /** The table, the key of the row, and the column. */
  pointer: string;
  code: string;
  detail: string;
}

/** The findings about the ids of one row: by column, each id with its expected prefix. */
export function idFindings(at: string, ids: Record<string, [prefix: string, id: string]>): Finding[] {
  return Object.entries(ids)
    .filter(([, [prefix, id]]) => !isTypeId(id, prefix))
    .map(([column, [prefix]]) => ({
      pointer: `${at}/${column}`,
      code: 'invalid_format',
      detail: `The value is not a TypeID that starts with ${prefix}_.`,
    }));
}

export function developerFindings({ userIdPrefix }: Registry, row: DeveloperRow): Finding[] {
  const at = `/developers/${row.user_id}`;
  return [
    ...idFindings(at, { user_id: [userIdPrefix, row.user_id] }),
    ...brokenRules(at, [
      [
        'suspended_at',
        (row.suspended_at === null) === (row.suspension_reason === null),
        'A suspension must have both a time and a reason.',
      ],
    ]),
  ];
}

export function logoFindings({ id, blocked_at, blocked_reason }: LogoState): Finding[] {
  const isWhole = (blocked_at === null) === (blocked_reason === null);
  return [
    ...idFindings(`/logos/${id}`, { id: ['logo', id] }),
    ...brokenRules(`/logos/${id}`, [['blocked_at', isWhole, 'A block must have both a time and a reason.']]),
  ];
}

type LogoState = Pick<LogoRow, 'id' | 'blocked_at' | 'blocked_reason'>;

type CheckedInstallation = Pick<InstallationRow, 'id' | 'workspace_id' | 'user_id' | 'enabled' | 'disabled_by'>;

export function installationFindings(registry: Registry, row: CheckedInstallation): Finding[] {
  const at = `/installations/${row.id}`;
  return [
    ...idFindings(at, {
      id: ['installation', row.id],
      workspace_id: [registry.workspaceIdPrefix, row.workspace_id],
      user_id: [registry.userIdPrefix, row.user_id],
    }),
    ...brokenRules(at, [
      ['disabled_by', isCauses(row.disabled_by), 'The value is not a list of causes.'],
      [
        'enabled',
        (row.enabled === 1) === (row.disabled_by === null),
        'An installation is disabled exactly when it has a cause.',
      ],
    ]),
  ];
}

function isCauses(text: string | null): boolean {
  if (text === null) return true;
  const names = text.split(' ');
  return text === disablingCauses.filter((cause) => names.includes(cause)).join(' ');
}

type StoredResponse = Pick<IdempotencyKeyRow, 'token_id' | 'key' | 'response'>;

/** An unreadable response would make every retry of its request fail. */
export function responseFindings({ token_id: tokenId, key, response }: StoredResponse): Finding[] {
  if (isStoredResponse(response)) return [];
  const detail = `The value, under the key "${key}", is not a stored response.`;
  return [{ pointer: `/idempotency_keys/${tokenId}/response`, code: 'invalid_format', detail }];
}

/** `at` points to the row, which must claim its name if names are unique. */
export function appFindings(row: AppRow, { uniqueNames, at }: { uniqueNames: boolean; at: string }): Finding[] {
  return [
    ...idFindings(at, { id: ['app', row.id] }),
    ...brokenRules(at, [
      ['name_key', row.name_key === nameKey(row.name), 'The value is not the key of the name.'],
      ['name_claim', isClaimValid(row, uniqueNames), 'The value is not the key of the name, and names must be unique.'],
      ['review_status', reviewStatuses.includes(row.review_status), 'The value is not a review status.'],
      ['revision', row.revision >= 1, 'The value is less than 1.'],
      ['platform_revision', row.platform_revision >= 1, 'The value is less than 1.'],
      ['approved_revision', isApprovedRevisionValid(row), 'The app cannot have been approved at this revision.'],
      ['approved_content', isReadable(row), 'The value is not the content of an app.'],
      ['updated_at', row.updated_at >= row.created_at, 'The value is earlier than the creation.'],
    ]),
    // With an unknown status, none of them applies.
    ...(isReadable(row) && reviewStatuses.includes(row.review_status) ? brokenRules(at, derivedRules(row)) : []),
  ];
}

type Rule = [column: string, isMet: boolean, detail: string];

function derivedRules(row: AppRow): Rule[] {
  const { change_since, transfer_since, suspended_status: suspended, approved_name_key: key } = row;
  const approved = approvedContent(row);
  const isAwaited = awaitsDecisions(row);
  const isChanged = suspended === 'APPROVED' || undecidedColumns(row).length > 0;
  const isStatus = suspended === null || (reviewStatuses.includes(suspended) && row.review_status !== 'APPROVED');
  const isKey = key === null || (approved !== null && key === nameKey(approved.name));
  return [
    [
      'approved_content',
      row.review_status !== 'APPROVED' || approved !== null,
      'An APPROVED app must have approved content.',
    ],
    ['approved_name_key', isKey, 'The value is not the key of the approved name.'],
    ['change_since', change_since === 0 || (isAwaited && isChanged), 'The app has no change that awaits a decision.'],
    ['transfer_since', transfer_since === 0 || isAwaited, 'The app has no transfer that awaits a decision.'],
    [
      'waiting_since',
      row.waiting_since === waitingSince(row),
      'The value is not the time since which the app has waited.',
    ],
    ['suspended_status', isStatus, 'The value is not a review status from before a suspension.'],
  ];
}

/** The findings about a row: the rules that it breaks. */
export function brokenRules(at: string, rules: Rule[]): Finding[] {
  return rules
    .filter(([, isMet]) => !isMet)
    .map(([column, , detail]) => ({ pointer: `${at}/${column}`, code: 'not_allowed', detail }));
}

function isClaimValid({ name_claim: claim, name_key: key }: AppRow, uniqueNames: boolean): boolean {
  return claim === null ? !uniqueNames : claim === key;
}

function isApprovedRevisionValid({ approved_content: content, approved_revision: at, revision }: AppRow): boolean {
  if (at === null) return content === null;
  return content !== null && at >= 1 && at <= revision;
}

function isReadable(app: AppRow): boolean {
  return app.approved_content === null || readableApprovedContent(app) !== null;
}

function isStoredResponse(text: string): boolean {
  try {
    const response: unknown = JSON.parse(text);
    return typeof response === 'object' && response !== null;
  } catch {
    return false;
  }
}
